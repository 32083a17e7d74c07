import type { Requirement } from '../../fixtures/requirements/model.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { shorten } from '../json.ts';
import { type Finding, placeInWords } from '../model/finding.ts';
import type { Missing, ReportedFinding, RequirementResult, Status } from '../result.ts';
import type { Chain } from './chain.ts';
import { describeMissing } from './feasible.ts';

/** Finding of a report: all findings of a requirement with the same text. */
export interface Found extends Partial<Pick<Finding, 'at' | 'want' | 'got'>> {
  expected: string;
  actual: string;
  hint: string;
  exchanges: readonly Exchange[];
  /** Exchanges of the first occurrence. `exchanges` may include later occurrences. */
  first?: readonly Exchange[];
  times: number;
  /** Why the finding is unverified: its story could not run again, or its requests did not show it again. */
  note?: string;
}

/** Outcome of one requirement, before it becomes part of a report. */
export interface Outcome {
  requirement: string;
  status: Status;
  reason?: string;
  missing?: readonly Missing[];
  /** The requirement whose failure left this one untested. */
  precondition?: string;
  /** Exchanges that show why the requirement errored or was not tested. */
  exchanges?: readonly Exchange[];
  witness?: Exchange;
  findings: Found[];
}

/** Maximum number of findings per requirement. More findings of one kind add no information. */
export const mostFindings = 12;

const mostExchanges = 4;

export const found = ({ refutable: _, ...finding }: Finding): Found => ({
  ...finding,
  first: finding.exchanges,
  times: 1,
});

/** Merges findings with identical texts. The exchanges of the first occurrences represent all of them. */
export function grouped(findings: readonly Found[]): Found[] {
  const groups = new Map<string, Found>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.expected, finding.actual, finding.hint]);
    const known = groups.get(key);
    if (known === undefined) {
      groups.set(key, { ...finding });
    } else if (!finding.exchanges.every((exchange) => known.exchanges.includes(exchange))) {
      known.times += finding.times;
      const most = Math.max(mostExchanges, known.exchanges.length);
      known.exchanges = [...known.exchanges, ...finding.exchanges].slice(0, most);
    }
  }
  return [...groups.values()];
}

type Reference = (exchanges: readonly Exchange[]) => number[];

/** A requirement on servers, or a rule for clients. */
type Judgeable = Omit<Requirement, 'id'> & { readonly id: string };

interface ResultGrounds {
  requirements: readonly Judgeable[];
  outcomes: readonly Outcome[];
  required: ReadonlySet<string>;
  /** Returns the gap that remains with the configuration, if any. */
  stillMissing: (missing: Missing) => Missing | undefined;
  reference: Reference;
  /** Returns exchanges with those that led to them. Default: the exchanges only. */
  story?: ((shown: readonly Exchange[]) => readonly Exchange[]) | undefined;
  /** Returns the chain of a finding's exchanges. Default: the exchanges only. */
  chain?: ((requirement: string, exchanges: readonly Exchange[]) => Chain) | undefined;
}

/** Maximum length of a text in a finding. Longer texts do not help the reader. */
const mostCharacters = 2000;

const unselected: Missing = { kind: 'selection' };

/** Returns one result for each requirement, sorted by ID. */
export function requirementResults(grounds: ResultGrounds): RequirementResult[] {
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

function partOf(
  { level }: Judgeable,
  outcome: Outcome | undefined,
  { stillMissing, reference, story, chain }: ResultGrounds,
): Omit<RequirementResult, keyof Judgeable> {
  if (outcome === undefined) {
    const reason = describeMissing([unselected]);
    return { status: 'not-tested', reason, missing: [unselected], findings: [] };
  }
  const { status, reason = '', exchanges = [], witness, precondition } = outcome;
  const led = witness && (story?.([witness]) ?? [witness]);
  return {
    status: status === 'failed' && level === 'should' ? 'warned' : status,
    ...(status === 'not-tested' ? gapOf(outcome, stillMissing) : {}),
    ...(precondition === undefined ? {} : { precondition }),
    ...(status === 'errored' ? { reason: shorten(reason, mostCharacters) } : {}),
    ...(exchanges.length === 0 ? {} : { exchanges: [...new Set(reference(exchanges))] }),
    ...(led === undefined ? {} : { witness: reference(led) }),
    findings: reportedFindings(outcome, { reference, chain }),
  };
}

function gapOf(
  { reason = '', missing = [] }: Outcome,
  stillMissing: ResultGrounds['stillMissing'],
): Pick<RequirementResult, 'reason' | 'missing'> {
  const lacks = missing.flatMap((one) => stillMissing(one) ?? []);
  const unusable = lacks.filter(({ kind }) => kind === 'unusable');
  const why = unusable.length > 0 ? describeMissing(unusable) : reason;
  const distinct = new Map(lacks.map((one) => [JSON.stringify(one), one]));
  return {
    ...(why === '' ? {} : { reason: shorten(why, mostCharacters) }),
    ...(distinct.size === 0 ? {} : { missing: [...distinct.values()] }),
  };
}

/** Returns a value as it is, or the start of its JSON text if that is long. */
function bounded(value: unknown): unknown {
  const text = JSON.stringify(value) ?? '';
  return text.length > mostCharacters ? shorten(text, mostCharacters) : value;
}

function reportedFindings(
  { requirement, findings }: Outcome,
  { reference, chain }: Pick<ResultGrounds, 'reference' | 'chain'>,
): ReportedFinding[] {
  const shown = findings.slice(0, mostFindings).map((finding) => {
    const { expected, actual, hint, exchanges, first = exchanges, times, note, at, want, got } = finding;
    const ids = reference(exchanges);
    const led = chain?.(requirement, first);
    const [control] = led?.control === undefined ? [] : reference([led.control]);
    return {
      ...(at === undefined ? {} : { at: placeInWords(at), want: bounded(want), got: bounded(got) }),
      expected: shorten(expected, mostCharacters),
      actual: shorten(actual, mostCharacters),
      hint,
      exchanges: ids,
      ...(led === undefined ? {} : { story: reference(led.exchanges) }),
      ...(control === undefined ? {} : { control }),
      ...(times > 1 ? { times } : {}),
      ...(note === undefined ? {} : { unverified: true as const, note }),
    };
  });
  const left = findings.length - shown.length;
  const last: ReportedFinding | undefined = shown.at(-1);
  const leftOut = `The report leaves out ${left} more findings of this requirement.`;
  if (left > 0 && last !== undefined) last.note = last.note === undefined ? leftOut : `${last.note} ${leftOut}`;
  return shown;
}
