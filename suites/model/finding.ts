import { body, type Completed, type Exchange } from '../exchange/exchange.ts';
import { brief } from '../json.ts';
import { codingHint, describe, outcomeOf } from './outcome.ts';

/** A place in a response: a header, or the path of a member of the body. */
export type Place = { readonly header: string } | { readonly member: readonly string[] };

/** What differs from what is allowed: a place in a response, the response as a whole, or several exchanges together. */
export type Where = Place | 'response' | 'exchanges';

/** The place of a difference, for reports: `header x-service-api`, `body working_in.source`, `response`. */
export function placeInWords(at: Where): string {
  if (typeof at === 'string') return at;
  return 'header' in at ? `header ${at.header}` : `body ${at.member.join('.')}`;
}

/** A violation of a requirement, written for the person who must fix the server or the client. */
export interface Finding {
  /** What differs: a place in the response, the response as a whole, or what several exchanges show together. */
  readonly at: Where;
  /** What the specification allows there, as data. Absent if only words can say it. */
  readonly want?: unknown;
  /** What was there. For the response as a whole, its outcome. */
  readonly got?: unknown;
  /** `want` in words. */
  readonly expected: string;
  /** `got` in words. */
  readonly actual: string;
  /** The change to make, or the place to look for the error. */
  readonly hint: string;
  /** The exchanges that show the violation. */
  readonly exchanges: readonly Exchange[];
  /** Another possible explanation of the finding. A finding without this member is decisive: it counts immediately. */
  readonly refutable?: Refutable;
}

/** Members of a finding that `complete` adds. */
type Derived = 'at' | 'actual' | 'exchanges';

/** A finding of a rule. By default, the judged exchange shows the violation, in its outcome. */
export type KitFinding = Omit<Finding, Derived | 'hint'> & Partial<Pick<Finding, Derived>>;

/** What to change if a response differs, which may depend on the response and on the place of the difference. */
export type Hint = string | ((exchange: Completed, finding: Pick<Finding, 'at'>) => string);

/** Completes a finding about an exchange. */
export function complete(finding: KitFinding, exchange: Completed, hint: Hint): Finding {
  const { at = 'response', actual = describe(exchange) } = finding;
  const got = at === 'response' ? { got: outcomeOf(exchange) } : {};
  const usual = typeof hint === 'function' ? hint(exchange, { at }) : hint;
  return {
    exchanges: [exchange],
    ...got,
    ...finding,
    hint: (at === 'response' ? codingHint(exchange) : undefined) ?? usual,
    at,
    actual,
  };
}

/**
 * - `others`: other clients or a shared clock may be the cause. The finding counts after `times` findings of its
 *   rule, and never if the `balance` that `primary` or any key reads shows another client.
 * - `repetition`: the responses may vary. The finding counts if it persists for `confirmingRounds` repetitions of its
 *   exchanges.
 */
type Refutable =
  | { readonly by: 'others'; readonly times: number; readonly balance?: 'any' | 'primary' }
  | { readonly by: 'repetition' };

/** Number of findings of a rule after which those that are refutable by `others` usually count. */
export const timesToCount = 3;

export const byOthers: Refutable = { by: 'others', times: timesToCount };

/** Returns the finding as decisive, because the history excludes other explanations. */
export function decisive<F extends KitFinding>({ refutable: _, ...finding }: F): Omit<F, 'refutable'> {
  return finding;
}

/** Returns a finding if two responses have the same ID, which must be new in each. */
export function repeated(id: string, what: string, one: Completed, other: Completed) {
  if (one === other) return undefined;
  const { [id]: value } = body(other);
  return {
    at: { member: [id] },
    got: value,
    expected: `a different ${id} for each ${what}`,
    actual: `${id} ${brief(value)} twice`,
    exchanges: [one, other],
  };
}
