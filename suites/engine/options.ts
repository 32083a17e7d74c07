import type { Check } from '../check.ts';
import { defaultFuzzCalls, mostShrinking } from '../fuzz/bounds.ts';
import { fuzzing } from '../fuzz/index.ts';
import type { History } from '../history/history.ts';
import type { RunEvent } from '../result.ts';
import { type Counted, ceilings } from '../session/ceilings.ts';
import type { Timer } from '../session/timer.ts';
import type { Target } from '../target.ts';

export interface AuditOptions {
  /** Globs on requirement ids or names of topics; everything where absent. */
  only?: readonly string[];
  skip?: readonly string[];
  /** Globs or topics that have to be tested, or `all`. */
  require?: readonly string[];
  seed: number;
  /** Begin checks in an order that depends on the seed. */
  shuffle?: boolean;
  /** Stop after the first failure. */
  bail?: boolean;
  /** Ends the run early; what is known is reported. */
  signal?: AbortSignal;
  onEvent?: (event: RunEvent) => void;
  /** The checks to choose from; all of the kit where absent. */
  checks?: readonly Check[];
  /** Flows and rules as well as the checks to choose from; only where no checks are given, unless it is said. */
  flows?: boolean;
  /** How many calls are drawn by chance, beyond a few more where one of them fails; `defaultFuzzCalls` where absent. */
  fuzz?: number;
  /**
   * Answer open questions too, with a bounded number of further calls; by default, unless `checks` are given. `recorded` answers
   * those that the calls of the checks answer by themselves.
   */
  observe?: boolean | 'recorded';
  /** Topics whose open questions are answered; those of the requirements that are checked, where absent. */
  questions?: ReadonlySet<string>;
  /** What the report calls the deployment beside its address, such as its build or commit. */
  label?: string;
  /** Is given the history of the run when it ends. */
  onHistory?: (history: History) => void;
  /** Ends the run after so many seconds; where absent, its planned requests and the rates of the keys say when. */
  maxDurationSeconds?: number | undefined;
  kitVersion?: string;
  /** What waits are made with; real time where absent. */
  timer?: Timer;
}

/** The most calls that a run with these options makes with each key; it keeps to them whatever the deployment does. */
export function mostCalls(
  target: Pick<Target, 'keys' | 'allow' | 'pace'>,
  { observe, fuzz = defaultFuzzCalls, checks }: Pick<AuditOptions, 'observe' | 'fuzz' | 'checks'>,
): Map<Counted, number> {
  const observing = (observe ?? checks === undefined) === true;
  return ceilings(target, { observing, fuzz, shrinking: fuzzing.length * mostShrinking });
}
