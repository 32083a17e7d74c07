import type { Exchange } from '../history/exchange.ts';

/** One thing that is not as the specification says, written for the person who must fix the server or the client. */
export interface Finding {
  readonly expected: string;
  readonly actual: string;
  /** What to change, or where to look. */
  readonly hint: string;
  /** The exchanges that show it. */
  readonly exchanges: readonly Exchange[];
  /** Somebody else may be the cause: it counts only where the rule finds it as often as `timesToCount`. */
  readonly shaky?: boolean;
  /** Not yet certain: how often these exchanges are to be repeated, in turn, before it counts. */
  readonly uncertain?: number;
}

/** How often a finding must be met that somebody else may be the cause of. */
export const timesToCount = 3;

/** The first finding of several, where one deviation would otherwise be told more than once. */
export function first(...findings: readonly (Finding | undefined)[]): Finding | undefined {
  return findings.find((finding) => finding !== undefined);
}
