import { type RequirementId, requirements } from '../../fixtures/requirements/index.ts';
import type { Exchange } from '../exchange.ts';
import type { Finding } from '../finding.ts';
import { shorten } from '../json.ts';
import type { CheckResult, Missing, ReportedFinding, RequirementResult, Status } from '../result.ts';
import { isRuleCheck } from '../rule.ts';
import { worst } from '../verdict.ts';
import type { Judged } from './audit-rules.ts';
import { describeMissing } from './feasible.ts';
import { grouped, mostFindings, type Outcome } from './outcome.ts';

/** Gives exchanges their ids in the report. */
export type Reference = (exchanges: readonly Exchange[]) => number[];

interface Told {
  outcomes: readonly Outcome[];
  judged: ReadonlyMap<RequirementId, Judged>;
  /** Controls that failed, by the requirement that promises them. */
  controls: ReadonlyMap<RequirementId, readonly Finding[]>;
  selected: ReadonlySet<RequirementId>;
  reference: Reference;
}

/** A longer text of a finding tells its reader nothing more. */
const mostCharacters = 2000;

const unselected: Missing = { kind: 'selection' };

/** One result for every requirement, sorted by id. */
export function requirementResults(told: Told): RequirementResult[] {
  return [...requirements]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((requirement) => {
      const { id, topic, level, statement, source } = requirement;
      const facts = { id, topic, level, statement, source };
      if (!told.selected.has(id)) {
        const reason = describeMissing([unselected]);
        return { ...facts, status: 'not-tested', reason, checks: [] };
      }
      const outcomes = told.outcomes.filter(({ check }) => check.requirement === id).sort(ruleFirst);
      const [first, ...others] = outcomes;
      const elsewhere = new Set(others.flatMap(({ findings }) => findings.flatMap(shownIn)));
      const controls = told.controls.get(id);
      const all =
        first === undefined ? [] : [withJudgement(first, elsewhere, told.judged.get(id), controls), ...others];
      const checks = all.map((outcome) => checkResult(outcome, level, told.reference));
      const status = worst(checks.map((check) => check.status));
      const reason = checks.find((check) => check.status === status)?.reason;
      return { ...facts, status, ...(reason === undefined ? {} : { reason }), checks };
    });
}

/** What is judged on every exchange is told with the check that is a rule. */
const ruleFirst = (a: Outcome, b: Outcome): number => Number(isRuleCheck(b.check)) - Number(isRuleCheck(a.check));

/** A finding in each of its exchanges. */
const shownIn = ({ expected, actual, exchanges }: Finding): string[] =>
  exchanges.map(({ seq }) => `${seq} ${expected} ${actual}`);

/**
 * A check's own outcome together with what the audit and other checks' controls found of its requirement, but for what another of
 * its checks shows already.
 */
function withJudgement(
  outcome: Outcome,
  elsewhere: ReadonlySet<string>,
  judged: Judged | undefined,
  controls: readonly Finding[] = [],
): Outcome {
  const own = new Set(outcome.findings.map(({ expected, actual }) => `${expected} ${actual}`));
  const found = [...(judged?.findings ?? []), ...controls].filter(
    (each) => !shownIn(each).every((shown) => elsewhere.has(shown)),
  );
  const others = grouped(found).filter(({ expected, actual }) => !own.has(`${expected} ${actual}`));
  const findings = [...outcome.findings, ...others];
  const { reason: _, missing: __, exchanges: ___, ...rest } = outcome;
  if (findings.length > 0) return { ...rest, status: 'failed', findings };
  if (judged?.broke !== undefined) {
    return { ...rest, status: 'errored', reason: judged.broke.reason, exchanges: [judged.broke.exchange], findings };
  }
  // A rule that some answer of the run met was tested, even where its own check could not bring one about.
  const met = (judged?.applied ?? 0) > 0 && outcome.status === 'not-tested';
  return met ? { ...rest, status: 'passed', findings } : outcome;
}

function checkResult(outcome: Outcome, level: 'must' | 'should', reference: Reference): CheckResult {
  const status: Status = outcome.status === 'failed' && level === 'should' ? 'warned' : outcome.status;
  const shown = outcome.findings.slice(0, mostFindings).map((found): ReportedFinding => {
    const { expected, actual, hint, times, note } = found;
    return {
      expected: shorten(expected, mostCharacters),
      actual: shorten(actual, mostCharacters),
      hint,
      exchanges: reference(found.exchanges),
      ...(times > 1 ? { times } : {}),
      ...(note === undefined ? {} : { note }),
    };
  });
  const left = outcome.findings.length - shown.length;
  const last = shown.at(-1);
  if (left > 0 && last !== undefined) last.note = `and ${left} more findings of this check`;
  return {
    title: outcome.check.title,
    status,
    ...(outcome.reason === undefined ? {} : { reason: shorten(outcome.reason, mostCharacters) }),
    ...(outcome.exchanges === undefined ? {} : { exchanges: reference(outcome.exchanges) }),
    ...(outcome.missing === undefined || outcome.missing.length === 0 ? {} : { missing: [...outcome.missing] }),
    durationMs: Math.round(outcome.durationMs * 10) / 10,
    findings: shown,
  };
}
