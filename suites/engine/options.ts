import type { History } from '../history/history.ts';
import type { RunEvent } from '../result.ts';
import { type Counted, ceilings } from '../session/ceilings.ts';
import type { Timer } from '../session/timer.ts';
import type { Target } from '../target.ts';
import type { Story } from '../topics/story.ts';
import { effectsUsed, type Selection } from './chosen-stories.ts';

export interface AuditOptions extends Selection {
  /** Globs or topics of requirements that must be tested, or `all`. */
  require?: readonly string[];
  seed: number;
  /** Runs the stories in an order that depends on the seed. */
  shuffle?: boolean;
  /** Stops after the first failed requirement of level `must`. */
  bail?: boolean;
  /** Ends the run early. The result reports everything known so far. */
  signal?: AbortSignal;
  onEvent?: (event: RunEvent) => void;
  /** Also emits an event for each request. */
  verbose?: boolean;
  /** Additional stories without requirements, which run after the others. */
  furtherStories?: readonly Story[];
  /** Label of the deployment in the report, such as its build or commit. */
  label?: string;
  /** Receives the history of the run when the run ends. */
  onHistory?: (history: History) => void;
  /** Maximum duration. Default: computed from the planned requests and the rate of each key. */
  maxDurationSeconds?: number | undefined;
  /** Start of the run by the clock of the deployment. Default: now. */
  startedAt?: Date;
  /** Timer for all waits. Default: real time. */
  timer?: Timer;
}

/**
 * Returns the maximum number of requests that a run with these options sends with each key. No response of the
 * deployment raises this limit.
 */
export function mostCalls(
  target: Pick<Target, 'keys' | 'allow' | 'pace'>,
  selection: Selection & Pick<AuditOptions, 'furtherStories'>,
): Map<Counted, number> {
  const { observe = true, explore = 0, furtherStories = [] } = selection;
  const uses = furtherStories.length > 0 ? undefined : effectsUsed(selection);
  return ceilings(target, { observing: observe, explore, uses });
}
