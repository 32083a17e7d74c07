import type { Requirement } from '../../fixtures/requirements/model.ts';
import type { Exchange } from '../exchange.ts';
import { shorten } from '../json.ts';
import type { Missing, ReportedFinding, RequirementResult } from '../result.ts';
import { describeMissing } from './feasible.ts';
import { type Found, mostFindings, type Outcome } from './outcome.ts';

/** Gives exchanges their ids in the report. */
export type Reference = (exchanges: readonly Exchange[]) => number[];

interface Grounds {
  requirements: readonly Requirement[];
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
  const { requirements, outcomes, required } = grounds;
  const byRequirement = new Map<string, Outcome>(outcomes.map((outcome) => [outcome.requirement, outcome]));
  return [...requirements]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((requirement) => ({
      ...requirement,
      ...(required.has(requirement.id) ? { required: true } : {}),
      ...partOf(requirement, byRequirement.get(requirement.id), grounds),
    }));
}

type OutcomePart = Pick<RequirementResult, 'status' | 'reason' | 'missing' | 'exchanges' | 'durationMs' | 'findings'>;

function partOf(
  { level }: Requirement,
  outcome: Outcome | undefined,
  { stillMissing, reference }: Grounds,
): OutcomePart {
  if (outcome === undefined) {
    const reason = describeMissing([unselected]);
    return { status: 'not-tested', reason, missing: [unselected], durationMs: 0, findings: [] };
  }
  const { status, reason = '', exchanges = [], findings } = outcome;
  return {
    status: status === 'failed' && level === 'should' ? 'warned' : status,
    ...(status === 'not-tested' ? gapOf(outcome, stillMissing) : {}),
    ...(status === 'errored' ? { reason: shorten(reason, mostCharacters) } : {}),
    ...(exchanges.length === 0 ? {} : { exchanges: [...new Set(reference(exchanges))] }),
    durationMs: 0,
    findings: reportedFindings(findings, reference),
  };
}

/** What has to be added for a test. */
function gapOf(
  { reason = '', missing = [] }: Outcome,
  stillMissing: Grounds['stillMissing'],
): Pick<OutcomePart, 'reason' | 'missing'> {
  const lacks = missing.flatMap((one) => stillMissing(one) ?? []);
  const unusable = lacks.filter(({ kind }) => kind === 'unusable');
  const why = unusable.length > 0 ? describeMissing(unusable) : reason;
  const distinct = new Map(lacks.map((one) => [JSON.stringify(one), one]));
  return {
    ...(why === '' ? {} : { reason: shorten(why, mostCharacters) }),
    ...(distinct.size === 0 ? {} : { missing: [...distinct.values()] }),
  };
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
  if (left > 0 && last !== undefined) last.note = `The report leaves out ${left} more findings of this requirement.`;
  return shown;
}
