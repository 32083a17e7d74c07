import type { Answered } from './exchange.ts';

/** One thing that is not as the document says, written for the person who must fix the server. */
export interface Finding {
  expected: string;
  actual: string;
  /** What to look at. */
  hint: string;
  /** The exchanges that show it. */
  exchanges: readonly Answered[];
}

/** The outcome of a matcher: nothing where the exchange is as expected. */
export type Verdict = Finding | undefined;

/** The first finding of several, where one deviation would otherwise be told more than once. */
export function first(...verdicts: readonly Verdict[]): Verdict {
  return verdicts.find((verdict) => verdict !== undefined);
}
