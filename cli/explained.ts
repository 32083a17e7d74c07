import { readdir } from 'node:fs/promises';
import type { RequirementId } from '../fixtures/requirements/model.ts';
import { chainOf } from '../reports/chain.ts';
import type { Explained } from '../reports/explain.ts';
import { listing } from '../reports/listing.ts';
import { createStub } from '../stub/index.ts';
import { audit } from '../suites/engine/audit.ts';
import { Reported } from '../suites/engine/reported.ts';
import type { Exchange } from '../suites/exchange/exchange.ts';
import type { History } from '../suites/exchange/history.ts';
import { member } from '../suites/json.ts';
import { type Violation, violationOf, witnessesOf } from '../suites/model/violation.ts';
import { coverage, requirements } from '../suites/requirements.ts';
import type { ReportedExchange } from '../suites/result.ts';
import { embeddedTarget } from '../suites/target/embedded.ts';
import { loadKnownTarget } from '../suites/target/load.ts';
import { rules } from '../suites/topics/index.ts';

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
  const file = await fileOf(id);
  const about = { ...listed, ...(file !== undefined && { file }) };
  // Some requirements are tested only in a complete run.
  for (const only of [[id], undefined]) {
    const history = await historyOf(only, signal);
    const witnesses = witnessesOf(rule, history);
    const [witness] = witnesses;
    if (witness === undefined) continue;
    const violation = violationOf(rule, history, witnesses);
    const [conforming] = shownIn([violation?.conforming ?? witness]);
    return { ...about, ...(conforming && { conforming }), ...(violation && shown(violation)) };
  }
  return about;
}

/** The file that exports the rule, by itself or as part of a story or a list. */
async function fileOf(id: RequirementId): Promise<string | undefined> {
  const found: string[] = [];
  for (const folder of ['suites/topics', 'suites/model/rows']) {
    const names = await readdir(new URL(`../${folder}`, import.meta.url), { recursive: true });
    for (const name of names.filter((each) => /^(?!index).*(?<!\.test|\.d)\.[jt]s$/.test(each)).sort()) {
      const path = `${folder}/${name}`;
      const exported = Object.values<unknown>(await import(new URL(`../${path}`, import.meta.url).href));
      if (exported.some((value) => member(value, 'id') === id)) return path;
      if (exported.some((value) => listOf(value).some((each) => member(each, 'id') === id))) found.push(path);
    }
  }
  return found[0];
}

/** Rules in a list, in a story, or in a list of stories. */
function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => [each, ...listOf(each)]);
  const list = member(value, 'requirements');
  return Array.isArray(list) ? list : [];
}

/** The history of a run against the stub. */
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

function shown({ finding, violating }: Violation): Pick<Explained, 'violation'> {
  const { expected, actual, hint } = finding;
  const [exchange, ...exchanges] = shownIn([violating, ...finding.exchanges]);
  if (exchange === undefined) return {};
  const ofReport = { expected, actual, hint, exchanges: exchanges.map(({ id }) => id) };
  return { violation: { finding: ofReport, exchange, chain: chainOf(ofReport, exchanges) } };
}

/** Exchanges as in a report. Times mean nothing here. */
function shownIn(exchanges: readonly Exchange[]): ReportedExchange[] {
  const reported = new Reported(() => ({ atMs: 0, durationMs: 0 }));
  const ids = reported.refer(exchanges);
  const byId = new Map(reported.list().map((exchange) => [exchange.id, exchange]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
