import type { Exchange } from '../history/exchange.ts';

/** A violation of a requirement, written for the person who must fix the server or the client. */
export interface Finding {
  readonly expected: string;
  readonly actual: string;
  /** The change to make, or the place to look for the error. */
  readonly hint: string;
  /** The exchanges that show the violation. */
  readonly exchanges: readonly Exchange[];
  /** Another possible explanation of the finding. A finding without this member is decisive: it counts immediately. */
  readonly refutable?: Refutable;
}

/** A finding of the kit. By default, the judged exchange shows the violation. */
export type KitFinding = Omit<Finding, 'exchanges'> & Partial<Pick<Finding, 'exchanges'>>;

/**
 * - `others`: other clients or a shared clock may be the cause. The finding counts after `timesToCount` findings of its
 *   rule, and never if the history shows another client.
 * - `repetition`: the responses may vary. The finding counts if it persists for `rounds` repetitions of its exchanges.
 */
export type Refutable = { readonly by: 'others' } | { readonly by: 'repetition'; readonly rounds: number };

export const byOthers: Refutable = { by: 'others' };

/** Returns the finding as decisive, because the history excludes other explanations. */
export function decisive({ refutable: _, ...finding }: Finding): Finding {
  return finding;
}

/** Number of findings of a rule after which those that are refutable by `others` count. */
export const timesToCount = 3;

/** Returns the first finding, so that one deviation is reported only once. */
export function first(...findings: readonly (Finding | undefined)[]): Finding | undefined {
  return findings.find((finding) => finding !== undefined);
}
