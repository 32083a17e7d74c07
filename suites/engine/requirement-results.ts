import { type RequirementId, requirements } from '../../fixtures/requirements/index.ts';
import type { Requirement } from '../../fixtures/requirements/model.ts';
import type { Exchange } from '../exchange.ts';
import type { Finding } from '../finding.ts';
import { shorten } from '../json.ts';
import type { Missing, ReportedFinding, RequirementResult, Status } from '../result.ts';
import { isRuleCheck } from '../rule.ts';
import { worst } from '../verdict.ts';
import type { Judged } from './audit-rules.ts';
import { describeMissing } from './feasible.ts';
import { type Found, grouped, mostFindings, type Outcome, united } from './outcome.ts';

/** Gives exchanges their ids in the report. */
export type Reference = (exchanges: readonly Exchange[]) => number[];

interface Grounds {
  /** Outcomes of the checks with what rules and controls found, as `judgedOutcomes` gives them. */
  outcomes: readonly Outcome[];
  /** Ids that have to be tested. */
  required: ReadonlySet<string>;
  /** What of something missing is not there in fact. */
  stillMissing: (missing: Missing) => Missing | undefined;
  reference: Reference;
}

/** A longer text of a finding tells its reader nothing more. */
const mostCharacters = 2000;

const unselected: Missing = { kind: 'selection' };

/** One result for every requirement, sorted by id. */
export function requirementResults(grounds: Grounds): RequirementResult[] {
  const { outcomes, required } = grounds;
  const byRequirement = Map.groupBy(outcomes, ({ check }) => check.requirement);
  return [...requirements]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((requirement) => ({
      ...requirement,
      ...(required.has(requirement.id) ? { required: true } : {}),
      ...outcomeOf(requirement, byRequirement.get(requirement.id) ?? [], grounds),
    }));
}

type OutcomePart = Pick<RequirementResult, 'status' | 'reason' | 'missing' | 'exchanges' | 'durationMs' | 'findings'>;

function outcomeOf(
  { level }: Requirement,
  outcomes: readonly Outcome[],
  { stillMissing, reference }: Grounds,
): OutcomePart {
  if (outcomes.length === 0) {
    const reason = describeMissing([unselected]);
    return { status: 'not-tested', reason, missing: [unselected], durationMs: 0, findings: [] };
  }
  const ended = ({ status }: Outcome): Status => (status === 'failed' && level === 'should' ? 'warned' : status);
  const status = worst(outcomes.map(ended));
  const decisive = outcomes.filter((outcome) => ended(outcome) === status);
  return {
    status,
    ...(status === 'not-tested' ? gapOf(decisive, stillMissing) : {}),
    ...(status === 'errored' ? { reason: faultOf(decisive) } : {}),
    ...evidenceOf(decisive, reference),
    durationMs: Math.round(outcomes.reduce((sum, { durationMs }) => sum + durationMs, 0) * 10) / 10,
    findings: reportedFindings(united(outcomes.flatMap(({ findings }) => findings)), reference),
  };
}

/** What has to be added for a test: all that any check lacks, and nothing where one lacks nothing that can be added. */
function gapOf(
  outcomes: readonly Outcome[],
  stillMissing: Grounds['stillMissing'],
): Pick<OutcomePart, 'reason' | 'missing'> {
  const idle = outcomes.map(({ reason = '', missing = [] }) => {
    const lacks = missing.flatMap((one) => stillMissing(one) ?? []);
    const unusable = lacks.filter(({ kind }) => kind === 'unusable');
    return { reason: unusable.length > 0 ? describeMissing(unusable) : reason, lacks };
  });
  const hopeless = idle.filter(({ lacks }) => lacks.length === 0);
  const reasons = (hopeless.length > 0 ? hopeless : idle).flatMap(({ reason }) => (reason === '' ? [] : [reason]));
  const missing = hopeless.length > 0 ? [] : idle.flatMap(({ lacks }) => lacks);
  const distinct = new Map(missing.map((one) => [JSON.stringify(one), one]));
  return {
    ...(reasons.length === 0 ? {} : { reason: shorten([...new Set(reasons)].join('; '), mostCharacters) }),
    ...(distinct.size === 0 ? {} : { missing: [...distinct.values()] }),
  };
}

function faultOf(errored: readonly Outcome[]): string {
  return shorten(errored.find(({ reason }) => reason !== undefined)?.reason ?? '', mostCharacters);
}

/** The exchanges that show why checks errored, or met a limit of the kit. */
function evidenceOf(outcomes: readonly Outcome[], reference: Reference): Pick<OutcomePart, 'exchanges'> {
  const exchanges = outcomes.flatMap((outcome) => outcome.exchanges ?? []);
  return exchanges.length === 0 ? {} : { exchanges: [...new Set(reference(exchanges))] };
}

function reportedFindings(findings: readonly Found[], reference: Reference): ReportedFinding[] {
  const shown = findings.slice(0, mostFindings).map(({ expected, actual, hint, exchanges, times, note }) => ({
    expected: shorten(expected, mostCharacters),
    actual: shorten(actual, mostCharacters),
    hint,
    exchanges: reference(exchanges),
    ...(times > 1 ? { times } : {}),
    ...(note === undefined ? {} : { note }),
  }));
  const left = findings.length - shown.length;
  const last = shown.at(-1);
  if (left > 0 && last !== undefined) last.note = `${left} more findings of this requirement are left out`;
  return shown;
}

interface Told {
  outcomes: readonly Outcome[];
  judged: ReadonlyMap<RequirementId, Judged>;
  /** Controls that failed, by the requirement that promises them. */
  controls: ReadonlyMap<RequirementId, readonly Finding[]>;
  selected: ReadonlySet<RequirementId>;
}

/** How the checks of the selected requirements ended, with what the rules and other checks' controls found. */
export function judgedOutcomes({ outcomes, judged, controls, selected }: Told): Outcome[] {
  const byRequirement = Map.groupBy(outcomes, ({ check }) => check.requirement);
  return [...byRequirement].flatMap(([id, all]) => {
    if (!selected.has(id)) return [];
    const [first, ...others] = all.toSorted(ruleFirst);
    if (first === undefined) return [];
    const elsewhere = new Set(others.flatMap(({ findings }) => findings.flatMap(shownIn)));
    return [withJudgement(first, elsewhere, judged.get(id), controls.get(id)), ...others];
  });
}

/** What is judged on every exchange is told with the check that is a rule. */
const ruleFirst = (a: Outcome, b: Outcome): number => Number(isRuleCheck(b.check)) - Number(isRuleCheck(a.check));

/** A finding in each of its exchanges. */
const shownIn = ({ expected, actual, exchanges }: Finding): string[] =>
  exchanges.map(({ seq }) => `${seq} ${expected} ${actual}`);

/**
 * A check's own outcome together with what the audit and other checks' controls found of its requirement, but for what
 * another of its checks shows already.
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
