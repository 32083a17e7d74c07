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

/** The first finding of several, where one deviation would otherwise be reported more than once. */
export function first(...findings: readonly (Finding | undefined)[]): Finding | undefined {
  return findings.find((finding) => finding !== undefined);
}
