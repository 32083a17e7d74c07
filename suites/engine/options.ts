import type { Flow } from '../flows/flow.ts';
import type { History } from '../history/history.ts';
import type { RunEvent } from '../result.ts';
import { type Counted, ceilings } from '../session/ceilings.ts';
import type { Timer } from '../session/timer.ts';
import type { Shard } from '../shard.ts';
import type { Target } from '../target.ts';
import { effectsUsed, type Selection } from './chosen-flows.ts';

export interface AuditOptions {
  /** Globs on requirement ids or names of topics; everything where absent. */
  only?: readonly string[];
  skip?: readonly string[];
  /** Leaves out requirements that versions of the kit after this one tested first. */
  asOf?: string;
  /** Globs or topics that have to be tested, or `all`. */
  require?: readonly string[];
  seed: number;
  /** Run the flows of a lane in an order that depends on the seed. */
  shuffle?: boolean;
  /** Stop after the first failure. */
  bail?: boolean;
  /** Ends the run early; what is known is reported. */
  signal?: AbortSignal;
  onEvent?: (event: RunEvent) => void;
  /** Tell each request too. */
  verbose?: boolean;
  /** Flows beside those of the kit; they run last. */
  flows?: readonly Flow[];
  /** How many generated requests are sent after the flows, beyond those that shrink a failure; none where absent. */
  explore?: number;
  /** Which part of the generated requests is sent, and what they are judged by; all where absent. */
  exploreShard?: { shard: Shard; only: readonly string[] };
  /**
   * Answer open questions too, with a bounded number of further requests; by default. `recorded` answers those that the
   * requests of the flows answer by themselves.
   */
  observe?: boolean | 'recorded';
  /** Topics whose open questions are answered; those of the requirements that are tested, where absent. */
  questions?: ReadonlySet<string>;
  /** What the report calls the deployment beside its address, such as its build or commit. */
  label?: string;
  /** Is given the history of the run when it ends. */
  onHistory?: (history: History) => void;
  /** Ends the run after so many seconds; where absent, its planned requests and the rates of the keys say when. */
  maxDurationSeconds?: number | undefined;
  kitVersion?: string;
  /** When the run begins, by the clock of the deployment; now where absent. */
  startedAt?: Date;
  /** What waits are made with; real time where absent. */
  timer?: Timer;
}

/**
 * The most requests that a run with these options sends with each key; it keeps to them whatever the deployment does.
 */
export function mostCalls(
  target: Pick<Target, 'keys' | 'allow' | 'pace'>,
  selection: Selection & Pick<AuditOptions, 'flows'>,
): Map<Counted, number> {
  const { observe = true, explore = 0, flows = [] } = selection;
  const uses = flows.length > 0 ? undefined : effectsUsed(selection);
  return ceilings(target, { observing: observe === true, explore, uses });
}
