import { body, type Completed, type Exchange, isCompleted } from '../exchange/exchange.ts';
import { brief } from '../json.ts';
import { codingHint, outcomeOf, type Where } from './answers.ts';
import { describe } from './words.ts';

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
export type KitFinding = Omit<Finding, Derived> & Partial<Pick<Finding, Derived>>;

/** Completes a finding about an exchange. */
export function complete(finding: KitFinding, exchange: Exchange): Finding {
  const { at = isCompleted(exchange) ? 'response' : 'exchanges', actual } = finding;
  const got = at === 'response' && isCompleted(exchange) ? { got: outcomeOf(exchange) } : {};
  return {
    exchanges: [exchange],
    ...got,
    ...finding,
    hint: (at === 'response' && isCompleted(exchange) ? codingHint(exchange) : undefined) ?? finding.hint,
    at,
    actual: actual ?? (isCompleted(exchange) ? describe(exchange) : 'no response'),
  };
}

/**
 * - `others`: other clients or a shared clock may be the cause. The finding counts after `times` findings of its
 *   rule, and never if the `balance` that `primary` or any key reads shows another client.
 * - `repetition`: the responses may vary. The finding counts if it persists for `rounds` repetitions of its exchanges.
 */
type Refutable =
  | { readonly by: 'others'; readonly times: number; readonly balance?: 'any' | 'primary' }
  | { readonly by: 'repetition'; readonly rounds: number };

/** Number of findings of a rule after which those that are refutable by `others` usually count. */
export const timesToCount = 3;

export const byOthers: Refutable = { by: 'others', times: timesToCount };

/** Returns the finding as decisive, because the history excludes other explanations. */
export function decisive<F extends KitFinding>({ refutable: _, ...finding }: F): Omit<F, 'refutable'> {
  return finding;
}

/** Returns a finding if two responses have the same ID, which must be new in each. */
export function repeated(id: string, what: string, one: Completed, other: Completed, hint: string) {
  if (one === other) return undefined;
  const { [id]: value } = body(other);
  return {
    at: { member: [id] },
    got: value,
    expected: `a different ${id} for each ${what}`,
    actual: `${id} ${brief(value)} twice`,
    hint,
    exchanges: [one, other],
  };
}

/** Returns the first finding, so that one deviation is reported only once. */
export function first<F>(...findings: readonly (F | undefined)[]): F | undefined {
  return findings.find((finding) => finding !== undefined);
}
