/** Result of a run against one deviation or deployment. */
export interface Outcome {
  id: string;
  class: string;
  aside: boolean;
  /** True for a caught deviation, and for a deployment without false findings that is tested as far as possible. */
  good: boolean;
  /** Requirements that failed or, if only recommended, warned. */
  found: string[];
  /** Requirements of a conforming deployment that could have been tested, but were not. */
  untested: string[];
  requests: number;
  seconds: number;
  verdict: string;
  /** True if generated requests were needed. */
  explored?: boolean;
}
