import type { Cause } from '../../suites/causes/causes.ts';
import { steady, withoutQuotes, withoutTool } from '../../suites/causes/likeness.ts';
import type { Missing, ReportedFinding, RequirementResult, RunResult, Status } from '../../suites/result.ts';
import { differingParts, headerParts } from '../../suites/situations/parts.ts';
import { stories } from '../../suites/topics/index.ts';
import { type Again, type KeptAnswer, nameOfRepetition, type Repeated, type SentStep } from './again.ts';

/** Outcomes of replaying a finding, the worst first. */
export const outcomes = ['still failing', 'changed', 'not told', 'fixed'] as const;

export type ReplayOutcome = (typeof outcomes)[number];

export interface Replayed {
  cause: Cause;
  outcome: ReplayOutcome;
  /** Current violation. Null if no violation exists, or if the replay was inconclusive. */
  now: ReportedFinding | null;
  /** Explanation of the outcome if it is not obvious. */
  why?: string;
  /** Prerequisites to add for a conclusive replay. */
  missing: readonly Missing[];
  exchanges: Repeated[];
  /** Requests that were sent for the cause, in order: repeated requests, and stories of its first requirement. */
  sent: SentStep[];
}

/** Outcome of each cause. If its requirements differ, the worst outcome counts. */
export function judgeReplay(report: RunResult, causes: readonly Cause[], again: Again): Replayed[] {
  return causes.map((cause) => {
    const exchanges = [...new Set([...cause.evidence, ...cause.exchanges])]
      .map((id) => again.repeated.get(id))
      .filter((repeated): repeated is Repeated => repeated !== undefined);
    const verdicts = cause.requirements.map((requirement) => ofRequirement(report, requirement, cause, again));
    const [worst = notTold('the report shows nothing to repeat')] = verdicts.sort(
      (a, b) => outcomes.indexOf(a.outcome) - outcomes.indexOf(b.outcome),
    );
    return { cause, ...worst, exchanges, sent: sentFor(cause, again) };
  });
}

function sentFor({ requirement, exchanges }: Cause, { sent }: Again): SentStep[] {
  const testing = stories.filter(({ witnesses }) => witnesses.some((id) => id === requirement.id));
  const names = new Set([...exchanges.map(nameOfRepetition), ...testing.map(({ name }) => name)]);
  return sent.filter(({ story }) => names.has(story));
}

type Judgement = Omit<Replayed, 'cause' | 'exchanges' | 'sent'>;

function ofRequirement(
  report: RunResult,
  { id }: RequirementResult,
  { findings, exchanges }: Cause,
  { result, repeated }: Again,
): Judgement {
  const before = findingsOf(report, id);
  const now = findingsOf(result, id);
  const met = findings.filter((finding) => before.includes(finding));
  const wrong = wrongNow(met, before, now);
  if (wrong !== undefined) return wrong;

  const behind = [...new Set(met.flatMap((finding) => finding.exchanges))].filter((each) => exchanges.includes(each));
  const sent = behind.map((each) => repeated.get(each)).filter((each) => each !== undefined);
  if (sent.length > 0 && sent.every(answeredAsThen)) {
    const why = 'its stories pass now, but every request of the finding still gets the same response';
    return { outcome: 'still failing', now: null, why, missing: [] };
  }
  if (sent.length > 0 && sent.every((each) => each.foreign)) return notTold(sent[0]?.why);
  const own = result.requirements.find((requirement) => requirement.id === id);
  if (own === undefined || unsettled.includes(own.status))
    return notTold(own?.reason ?? result.reasons[0], own?.missing);
  const unsent = sent.find(({ missing, errored }) => missing.length > 0 || errored);
  if (unsent !== undefined) return notTold(unsent.why, unsent.missing);
  return { outcome: 'fixed', now: null, missing: [] };
}

/** Current violation of a requirement. Ignores violations that other findings of the report already describe. */
function wrongNow(
  met: readonly ReportedFinding[],
  before: readonly ReportedFinding[],
  now: readonly ReportedFinding[],
): Judgement | undefined {
  const identical = met.flatMap((each) => now.find((finding) => isIdentical(each, finding)) ?? [])[0];
  const alike = identical ?? now.find((finding) => met.some((each) => isAlike(each, finding)));
  if (alike !== undefined) return { outcome: 'still failing', now: alike, missing: [] };
  const changed = now.find((finding) => met.some((each) => steadyAdvice(each) === steadyAdvice(finding)));
  if (changed !== undefined) return { outcome: 'changed', now: changed, missing: [] };
  const isKnown = (finding: ReportedFinding) =>
    before.some((each) => isAlike(each, finding) || steadyAdvice(each) === steadyAdvice(finding));
  const other = now.find((finding) => !isKnown(finding));
  return other && { outcome: 'changed', now: other, missing: [] };
}

const isIdentical = (a: ReportedFinding, b: ReportedFinding): boolean =>
  a.expected === b.expected && a.actual === b.actual;

/** Whether expected and actual values are equal, apart from values that differ between runs. Ignores the hint. */
function isAlike(a: ReportedFinding, b: ReportedFinding): boolean {
  return steady(a.expected) === steady(b.expected) && steady(a.actual) === steady(b.actual);
}

/** Expected value and hint without values that differ between runs, for example a balance. */
function steadyAdvice({ expected, hint }: ReportedFinding): string {
  return JSON.stringify([withoutQuotes(steady(expected)), withoutTool(steady(hint)).replace(/^<tool>: /, '')]);
}

function notTold(why = 'the run does not say why', missing: Judgement['missing'] = []): Judgement {
  return { outcome: 'not told', now: null, why, missing };
}

function findingsOf({ requirements }: RunResult, id: string): ReportedFinding[] {
  const requirement = requirements.find((each) => each.id === id);
  return requirement?.findings ?? [];
}

const unsettled: readonly Status[] = ['not-tested', 'errored'];

/** Whether the responses are byte-identical except for incidental headers. */
function answeredAsThen({ before: earlier, now }: Repeated): boolean {
  const before = earlier.response;
  if (before === null || now === null || before.status !== now.status) return false;
  const body = before.cutAtBytes === undefined ? now.body : now.body.slice(0, before.body.length);
  return before.body === body && differingParts(partsOf(before), partsOf(now)).length === 0;
}

function partsOf({ headers }: KeptAnswer) {
  return headerParts({ response: { headers } });
}
