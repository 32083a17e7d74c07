import { withoutNumbers } from '../../suites/causes/likeness.ts';
import { shorten } from '../../suites/json.ts';
import type { RunEvent } from '../../suites/result.ts';
import { counted } from '../../suites/usage/counted.ts';
import { plain } from '../plain.ts';
import { statusWords } from '../status-words.ts';
import { type Look, paint } from './layout.ts';
import { liveDisplay } from './live.ts';
import { counting, nothingYet } from './tally.ts';

export interface ProgressOptions extends Look {
  /** Shows a live display on a terminal. Otherwise, prints a few plain lines without control characters. */
  isTTY: boolean;
  /** IDs of requirements whose failures are known. */
  known?: ReadonlySet<string>;
  /** Monotonic clock in milliseconds. */
  nowMs?: () => number;
}

export interface Progress {
  onEvent(event: RunEvent): void;
  /** Removes the live display. Findings stay. Writes nothing afterwards. */
  stop(): void;
}

/** Maximum number of findings to print during the run. The summary has all. */
const findingsTold = 20;

/** Shorter waits are not logged. */
const leastSecondsTold = 3;

/** Shows the progress of a run: current stories, counts, waits with remaining seconds, and findings. */
export function createProgress(stream: NodeJS.WritableStream, options: ProgressOptions): Progress {
  const nowMs = options.nowMs ?? (() => performance.now());
  const live = options.isTTY ? liveDisplay(stream, options, nowMs) : null;
  const told = new Set<string>();
  let tally = nothingYet;
  let stopped = false;

  const tell = (text: string) => {
    if (live === null) stream.write(`${text}\n`);
    else live.keep(text);
  };
  return {
    onEvent(event) {
      if (stopped) return;
      tally = counting(tally, event, nowMs());
      if (event.kind === 'request') tell(plain(`${event.text}, ${Math.round(event.durationMs)} ms`));
      for (const line of linesOf(event, options, live !== null)) {
        const likeness = event.kind === 'waiting' ? withoutNumbers(line) : line;
        if (told.has(likeness)) continue;
        told.add(likeness);
        if (told.size <= findingsTold) tell(line);
        else if (told.size === findingsTold + 1) tell('  more will be in the report');
      }
      live?.show(tally);
    },
    stop() {
      stopped = true;
      live?.stop();
    },
  };
}

function linesOf(event: RunEvent, look: Look & Pick<ProgressOptions, 'known'>, isLive: boolean): string[] {
  switch (event.kind) {
    case 'started':
      return isLive ? [] : [`Testing at most ${event.requirements} of ${counted(event.total, 'requirement')}`];
    case 'requirement-ended':
      return endedLines(event, look);
    case 'waiting':
      return isLive || event.seconds < leastSecondsTold
        ? []
        : [plain(`waiting ${Math.ceil(event.seconds)} s: ${event.reason}`)];
    case 'notice':
      return [`note: ${plain(event.text)}`];
    default:
      return [];
  }
}

function endedLines(
  event: Extract<RunEvent, { kind: 'requirement-ended' }>,
  { known, ...look }: Look & Pick<ProgressOptions, 'known'>,
): string[] {
  if (event.status !== 'failed' && event.status !== 'warned') return [];
  if (event.status === 'failed' && known?.has(event.requirement) === true) return [];
  const sign = paint(look, [event.status === 'failed' ? 'red' : 'yellow'], statusWords[event.status].sign);
  const { first } = event;
  const what =
    first === undefined ? event.title : `expected ${shorten(first.expected, 120)}, got ${shorten(first.actual, 120)}`;
  return [`${sign} ${plain(event.requirement)}: ${plain(what, 500)}`];
}
