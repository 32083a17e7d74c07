import type { Missing, ReportedFinding, RequirementResult, RunResult, Status } from '../../suites/result.ts';
import { differingParts, headerParts } from '../../suites/rules/match/parts.ts';
import { causeOf, type FindingGroup } from '../findings.ts';
import { steady } from '../likeness.ts';
import type { Again, KeptAnswer, Repeated } from './again.ts';

/** What became of a finding, worst first. */
export const outcomes = ['still failing', 'changed', 'not told', 'fixed'] as const;

export type ReplayOutcome = (typeof outcomes)[number];

export interface Replayed {
  group: FindingGroup;
  outcome: ReplayOutcome;
  /** What came now instead; null where nothing is wrong any more, or nothing could be told. */
  now: ReportedFinding | null;
  /** Why the outcome is what it is, where that is not plain. */
  why?: string;
  /** What would have to be allowed or configured to tell. */
  missing: readonly Missing[];
  exchanges: Repeated[];
}

/** What became of each group of findings; where its requirements differ, the worst counts. */
export function judgeReplay(report: RunResult, groups: readonly FindingGroup[], again: Again): Replayed[] {
  return groups.map((group) => {
    const exchanges = group.exchanges
      .map((id) => again.repeated.get(id))
      .filter((repeated): repeated is Repeated => repeated !== undefined);
    const verdicts = group.requirements.map((requirement) => ofRequirement(report, requirement, group, again));
    const [worst = notTold('the report shows nothing to repeat')] = verdicts.sort(
      (a, b) => outcomes.indexOf(a.outcome) - outcomes.indexOf(b.outcome),
    );
    return { group, ...worst, exchanges };
  });
}

type Judgement = Omit<Replayed, 'group' | 'exchanges'>;

function ofRequirement(
  report: RunResult,
  { id }: RequirementResult,
  { cause, exchanges }: FindingGroup,
  { result, repeated }: Again,
): Judgement {
  const before = findingsOf(report, id);
  const now = findingsOf(result, id);
  const met = before.filter((finding) => causeOf(finding) === cause);
  const wrong = wrongNow(met, before, now);
  if (wrong !== undefined) return wrong;

  const behind = [...new Set(met.flatMap((finding) => finding.exchanges))].filter((each) => exchanges.includes(each));
  const sent = behind.map((each) => repeated.get(each)).filter((each) => each !== undefined);
  if (sent.length > 0 && sent.every(answeredAsThen)) {
    const why = 'its flows pass now, but every request of the finding gets the same response as before';
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

/** What is wrong with the requirement now; undefined where nothing is but for what other findings tell. */
function wrongNow(
  met: readonly ReportedFinding[],
  before: readonly ReportedFinding[],
  now: readonly ReportedFinding[],
): Judgement | undefined {
  const alike = now.find((finding) => met.some((each) => isAlike(each, finding)));
  if (alike !== undefined) return { outcome: 'still failing', now: alike, missing: [] };
  const changed = now.find((finding) => met.some((each) => steadyCause(each) === steadyCause(finding)));
  if (changed !== undefined) return { outcome: 'changed', now: changed, missing: [] };
  const isKnown = (finding: ReportedFinding) =>
    before.some((each) => isAlike(each, finding) || steadyCause(each) === steadyCause(finding));
  const other = now.find((finding) => !isKnown(finding));
  return other && { outcome: 'changed', now: other, missing: [] };
}

/** The same was expected, and the same came: whichever check says so, and whatever it hints at. */
function isAlike(a: ReportedFinding, b: ReportedFinding): boolean {
  return steady(a.expected) === steady(b.expected) && steady(a.actual) === steady(b.actual);
}

/** The cause of a finding as another run tells it: a balance, for one, is another by then. */
function steadyCause({ expected, hint }: ReportedFinding): string {
  return causeOf({ expected: steady(expected), hint: steady(hint) });
}

function notTold(why = 'the run does not say why', missing: Judgement['missing'] = []): Judgement {
  return { outcome: 'not told', now: null, why, missing };
}

function findingsOf({ requirements }: RunResult, id: string): ReportedFinding[] {
  const requirement = requirements.find((each) => each.id === id);
  return requirement?.findings ?? [];
}

const unsettled: readonly Status[] = ['not-tested', 'errored'];

/** To the byte, but for headers that say nothing. */
function answeredAsThen({ before: earlier, now }: Repeated): boolean {
  const before = earlier.response;
  if (before === null || now === null || before.status !== now.status) return false;
  const body = before.cutAtBytes === undefined ? now.body : now.body.slice(0, before.body.length);
  return before.body === body && differingParts(partsOf(before), partsOf(now)).length === 0;
}

function partsOf({ headers }: KeptAnswer) {
  return headerParts({ response: { headers } });
}
