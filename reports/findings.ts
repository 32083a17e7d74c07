import type { RequirementId } from '../fixtures/requirements/index.ts';
import type { Severity } from '../fixtures/requirements/model.ts';
import { topics } from '../fixtures/requirements/model.ts';
import type { ReportedFinding, RequirementResult, RunResult, Status } from '../suites/result.ts';
import { withoutQuotes, withoutTool, withoutValues } from './likeness.ts';
import { severityRank } from './status-words.ts';

/** Findings that are one: what was expected and where to look agree but for the tool's name. */
export interface FindingGroup {
  /** What its findings have in common, as `causeOf` gives it. */
  cause: string;
  /** `failed`, `errored` or `warned`: the worst of the requirements concerned. */
  status: Status;
  /** The worst of the requirements concerned. */
  severity: Severity;
  /** The first of them stands for all. */
  finding: ReportedFinding;
  requirement: RequirementResult;
  /** Every requirement in which it was met, `requirement` first. */
  requirements: RequirementResult[];
  /** How often it was met. */
  times: number;
  /** What came instead, the other times: what differs from the first. */
  alsoActual: string[];
  /** The few exchanges that show it best: of a comparison both, otherwise one for each thing that came. */
  evidence: number[];
  /** All exchanges that show it, by id. */
  exchanges: number[];
}

/** A finding, and where it was met. */
interface Met {
  requirement: RequirementResult;
  finding: ReportedFinding;
}

/** A group that spans so many requirements is a cause of its own, and comes first among those of its severity. */
const wideSpread = 3;

const evidenceShown = 2;
const evidenceOfOne = 3;

/** What these say of anything, another requirement says in particular: where both are broken, that one tells more. */
const general: ReadonlySet<string> = new Set<RequirementId>([
  'arguments.valid-never-refused',
  'envelopes.described-status',
]);

/** The findings of a run, those that are one put together, the most severe first. Known failures are left out. */
export function groupFindings(result: Pick<RunResult, 'requirements'>): FindingGroup[] {
  const groups = Map.groupBy(findingsOf(result), ({ finding }) => causeOf(finding));
  return [...groups].flatMap(([cause, all]) => groupOf(cause, all)).sort(weightiestFirst);
}

function groupOf(cause: string, all: readonly Met[]): FindingGroup[] {
  const [first] = all;
  if (first === undefined) return [];
  const byActual = Map.groupBy(all, ({ finding }) => withoutValues(finding.actual));
  const examples = [...byActual.values()].flatMap(([example]) => (example === undefined ? [] : [example.finding]));
  const met = new Set(all.map(({ requirement }) => requirement));
  const severities = [...met].map(({ severity }) => severity).sort((a, b) => severityRank(a) - severityRank(b));
  return [
    {
      cause,
      ...first,
      status: shownStatuses.find((status) => [...met].some((requirement) => requirement.status === status)) ?? 'failed',
      severity: severities[0] ?? first.requirement.severity,
      requirements: [...met],
      times: all.reduce((sum, { finding }) => sum + (finding.times ?? 1), 0),
      alsoActual: [...examples.slice(1).map(({ actual }) => actual), ...(first.finding.alsoActual ?? [])],
      evidence: evidenceOfAll(all, examples),
      exchanges: [...new Set(all.flatMap(({ finding }) => finding.exchanges))].sort((a, b) => a - b),
    },
  ];
}

/** What was expected, whatever values it names, and where to look, whichever tool the hint begins with. */
export function causeOf({ expected, hint }: Pick<ReportedFinding, 'expected' | 'hint'>): string {
  return JSON.stringify([withoutQuotes(expected), withoutTool(hint).replace(/^<tool>: /, '')]);
}

/** A single finding is shown with all that it rests on, such as a proposal with the balances before and after it. */
function evidenceOfAll(all: readonly Met[], examples: readonly ReportedFinding[]): number[] {
  const [only] = examples;
  if (all.length === 1 && (only?.times === undefined || only.scenarios !== undefined))
    return only?.exchanges.slice(0, evidenceOfOne) ?? [];
  return [...new Set(examples.flatMap(evidenceOf))].slice(0, evidenceShown);
}

function evidenceOf({ exchanges }: ReportedFinding): number[] {
  return exchanges.length === 2 ? exchanges : exchanges.slice(0, 1);
}

function* findingsOf(result: Pick<RunResult, 'requirements'>): Generator<Met> {
  for (const requirement of result.requirements.toSorted(byTopic)) {
    if (!shownStatuses.includes(requirement.status)) continue;
    for (const finding of requirement.findings) yield { requirement, finding };
  }
}

const shownStatuses: readonly Status[] = ['failed', 'errored', 'warned'];

function weight(status: Status): number {
  return shownStatuses.indexOf(status);
}

function weightiestFirst(a: FindingGroup, b: FindingGroup): number {
  return (
    weight(a.status) - weight(b.status) ||
    severityRank(a.severity) - severityRank(b.severity) ||
    spread(b) - spread(a) ||
    Number(general.has(a.requirement.id)) - Number(general.has(b.requirement.id)) ||
    topicOrder(a.requirement.topic) - topicOrder(b.requirement.topic)
  );
}

function spread(group: FindingGroup): number {
  return group.requirements.length >= wideSpread ? group.requirements.length : 0;
}

/** Order of requirements for a reader: by topic as the specification meets them, then by id. */
export function byTopic(a: RequirementResult, b: RequirementResult): number {
  return topicOrder(a.topic) - topicOrder(b.topic) || (a.id < b.id ? -1 : 1);
}

function topicOrder(topic: string): number {
  return topicRanks.get(topic) ?? topics.length;
}

const topicRanks: ReadonlyMap<string, number> = new Map(topics.map((topic, rank) => [topic, rank]));
