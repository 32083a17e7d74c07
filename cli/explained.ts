import { readdir } from 'node:fs/promises';
import type { RequirementId } from '../fixtures/requirements/model.ts';
import { chainOf, type Link } from '../reports/chain.ts';
import { type ListedRequirement, listing } from '../reports/listing.ts';
import { createStub } from '../stub/index.ts';
import { audit } from '../suites/engine/audit.ts';
import { Reported } from '../suites/engine/reported.ts';
import type { Exchange } from '../suites/exchange/exchange.ts';
import type { History } from '../suites/exchange/history.ts';
import { member } from '../suites/json.ts';
import type { Finding } from '../suites/model/finding.ts';
import type { Rule } from '../suites/model/rule.ts';
import { violationOf, witnessesOf } from '../suites/model/violation.ts';
import { confirmingRounds } from '../suites/model/world/by-reason.ts';
import { coverage, requirements } from '../suites/requirements.ts';
import type { ReportedExchange, ReportedFinding } from '../suites/result.ts';
import { embeddedTarget } from '../suites/target/embedded.ts';
import { loadKnownTarget } from '../suites/target/load.ts';
import { rules } from '../suites/topics/index.ts';
import { counted } from '../suites/usage/counted.ts';

/** Everything about one requirement. Files are paths in the source code of the kit. */
export interface Explained extends ListedRequirement {
  readonly stories: (ListedRequirement['stories'][number] & { readonly file?: string | undefined })[];
  readonly file?: string | undefined;
  /** An exchange of the conforming stub that witnesses the requirement. */
  readonly conforming?: ReportedExchange | undefined;
  /** When a finding counts; absent without a violation. */
  readonly counts?: string;
  /** The same request with a response that violates the requirement; absent if only several responses together do. */
  readonly violation?: Violation;
}

export interface Violation {
  readonly finding: ReportedFinding;
  readonly exchange: ReportedExchange;
  /** The exchanges that show the violation, in order. */
  readonly chain: readonly Link[];
}

/** The clock of the stub moves only when a run advances it, so explanations never change. */
const startedAt = new Date('2030-01-07T10:00:00Z');

/** Everything about one requirement, with an exchange of a run against the stub, and a response that violates it. */
export async function explainedOf(id: RequirementId, signal?: AbortSignal): Promise<Explained> {
  const rule = rules.find((each) => each.id === id);
  const [listed] = listing(
    requirements.filter((each) => each.id === id),
    coverage,
  );
  if (listed === undefined || rule === undefined) throw new RangeError(`there is no requirement ${id}`);
  const fileOf = await sourceFiles();
  const stories = listed.stories.map((each) => ({ ...each, file: fileOf(each.story) }));
  const about = { ...listed, stories, file: fileOf(id) };
  // Some requirements are tested only in a complete run.
  for (const only of [[id], undefined]) {
    const history = await historyOf(only, signal);
    const witnesses = witnessesOf(rule, history);
    const [witness] = witnesses;
    if (witness === undefined) continue;
    const found = violationOf(rule, history, witnesses);
    const [conforming] = shownIn([found?.conforming ?? witness]);
    if (found === undefined) return { ...about, conforming };
    const { expected, actual, hint, exchanges: shown } = found.finding;
    const [exchange, ...exchanges] = shownIn([found.violating, ...shown]);
    if (exchange === undefined) return { ...about, conforming };
    const finding = { expected, actual, hint, exchanges: exchanges.map((each) => each.id) };
    const violation = { finding, exchange, chain: chainOf(finding, exchanges) };
    return { ...about, conforming, counts: countsOf(rule, found.finding), violation };
  }
  return about;
}

/** When a finding counts: after the control, and if nothing refutes it. */
function countsOf({ control }: Rule, { refutable }: Finding): string {
  const start = control === undefined ? 'at once' : 'once its control has succeeded';
  if (refutable === undefined) return start;
  if (refutable.by === 'repetition') return `${start}, if it persists for ${counted(confirmingRounds, 'repetition')}`;
  const unless = refutable.balance === undefined ? '' : ', unless the balance shows another client';
  return `${start}, from finding ${refutable.times} on, because other clients could cause it${unless}`;
}

/** Returns the file that exports the rule or the story of a name, by itself or as part of a story or a list. */
async function sourceFiles(): Promise<(name: string) => string | undefined> {
  const modules: { path: string; exported: unknown[] }[] = [];
  for (const folder of ['suites/topics', 'suites/model/rows']) {
    const names = await readdir(new URL(`../${folder}`, import.meta.url), { recursive: true });
    for (const name of names.filter((each) => /^(?!index).*(?<!\.test|\.d)\.[jt]s$/.test(each)).sort()) {
      const path = `${folder}/${name}`;
      const exported = Object.values<unknown>(await import(new URL(`../${path}`, import.meta.url).href));
      modules.push({ path, exported });
    }
  }
  return (name) => {
    const isNamed = (value: unknown) => member(value, 'id') === name || member(value, 'name') === name;
    const own = modules.find(({ exported }) => exported.some(isNamed));
    return (own ?? modules.find(({ exported }) => exported.some((value) => partsOf(value).some(isNamed))))?.path;
  };
}

/** The rules and stories in a list, in a story, or in a list of stories. */
function partsOf(value: unknown): readonly unknown[] {
  const list = Array.isArray(value) ? value : member(value, 'requirements');
  return Array.isArray(list) ? list.flatMap((each) => [each, ...partsOf(each)]) : [];
}

async function historyOf(only: readonly string[] | undefined, signal: AbortSignal | undefined): Promise<History> {
  const stub = createStub({ clock: { now: () => startedAt.getTime() } });
  const { target } = await loadKnownTarget(embeddedTarget(stub), {}, { env: {}, cwd: '.' });
  const histories: History[] = [];
  const shown = { ...target, baseUrl: 'https://api.example.test' };
  const options = { seed: 1, observe: false, startedAt, onHistory: (made: History) => histories.push(made) };
  await audit(shown, { ...options, ...(signal && { signal }), ...(only && { only }) });
  const [history] = histories;
  if (history === undefined) throw new Error('the run was interrupted');
  return history;
}

/** Exchanges as in a report. Times mean nothing here. */
function shownIn(exchanges: readonly Exchange[]): ReportedExchange[] {
  const reported = new Reported(() => ({ atMs: 0, durationMs: 0 }));
  const ids = reported.refer(exchanges);
  const byId = new Map(reported.list().map((exchange) => [exchange.id, exchange]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
