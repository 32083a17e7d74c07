import { shorten } from '../../suites/json.ts';
import type { RunEvent } from '../../suites/result.ts';
import { counted } from '../../suites/usage/counted.ts';
import { plain } from '../plain.ts';
import { statusWords } from '../status-words.ts';
import { inColors, type Look, paint } from './layout.ts';

interface ProgressOptions extends Look {
  /** In columns. */
  width: number;
  /** Shows a live line on a terminal. Otherwise, prints a few plain lines without control characters. */
  isTTY: boolean;
  /** IDs of requirements whose failures are known. */
  known?: ReadonlySet<string>;
}

/** Maximum number of findings to print during the run. The summary has all. */
const findingsTold = 20;

/** Shorter waits are not logged. */
const leastSecondsTold = 3;

/** Shorter runs need no live line. */
const quietMs = 150;
const frameMs = 100;
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const clearLine = '\r\u001b[2K';

/** Shows the progress of a run: findings, and on a terminal a line with counts and waits. */
export function createProgress(stream: NodeJS.WritableStream, options: ProgressOptions) {
  const { isTTY, known = new Set<string>() } = options;
  const startedMs = performance.now();
  const counts = { requirements: 0, ended: 0, failed: 0, errored: 0, requests: 0 };
  const told = new Set<string>();
  let wait = { reason: '', untilMs: 0 };
  let isDrawn = false;
  let stopped = false;

  const erase = () => {
    if (isDrawn) stream.write(clearLine);
    isDrawn = false;
  };
  const draw = () => {
    const now = performance.now();
    if (now - startedMs < quietMs) return;
    const left = Math.ceil((wait.untilMs - now) / 1000);
    const texts = [
      `${frames[Math.floor(now / frameMs) % frames.length]} ${counts.ended} of ${counts.requirements} requirements`,
      ...(counts.failed > 0 ? [`${counts.failed} failed`] : []),
      ...(counts.errored > 0 ? [`${counts.errored} errored`] : []),
      counted(counts.requests, 'request'),
      `${Math.floor((now - startedMs) / 1000)} s`,
      ...(left > 0 ? [`waiting ${left} s: ${plain(wait.reason, 200)}`] : []),
    ];
    // A wider line would wrap, and could not be erased.
    const line = [...texts.join(', ')].slice(0, options.width - 1).join('');
    stream.write(`${clearLine}${inColors(options, paint(['cyan'], line))}`);
    isDrawn = true;
  };
  const ticker = isTTY ? setInterval(draw, frameMs) : undefined;
  ticker?.unref();

  const tell = (line: string) => {
    if (told.has(line) || told.size > findingsTold) return;
    told.add(line);
    erase();
    stream.write(inColors(options, `${told.size <= findingsTold ? line : '  more will be in the report'}\n`));
  };
  const onEvent = (event: RunEvent) => {
    switch (event.kind) {
      case 'started':
        counts.requirements = event.requirements;
        if (!isTTY) tell(`Testing at most ${event.requirements} of ${counted(event.total, 'requirement')}`);
        return;
      case 'sent':
        counts.requests = event.requests;
        return;
      case 'requirement-ended': {
        const isFailed = event.status === 'failed' && !known.has(event.requirement);
        counts.ended += 1;
        counts.failed += Number(isFailed);
        counts.errored += Number(event.status === 'errored');
        if (isFailed || event.status === 'warned') tell(findingLine(event));
        return;
      }
      case 'waiting': {
        const { reason, seconds } = event;
        const isNew = reason !== wait.reason;
        wait = { reason, untilMs: Math.max(isNew ? 0 : wait.untilMs, performance.now() + seconds * 1000) };
        if (!isTTY && isNew && seconds >= leastSecondsTold) tell(plain(`waiting ${Math.ceil(seconds)} s: ${reason}`));
        return;
      }
      case 'notice':
        tell(`note: ${plain(event.text)}`);
        return;
      case 'request':
        erase();
        stream.write(`${plain(`${event.text}, ${Math.round(event.durationMs)} ms`)}\n`);
        return;
      default:
    }
  };
  return {
    onEvent: (event: RunEvent) => {
      if (!stopped) onEvent(event);
    },
    /** Removes the live line. Findings stay. Writes nothing afterwards. */
    stop() {
      stopped = true;
      clearInterval(ticker);
      erase();
    },
  };
}

function findingLine({ status, first, title, requirement }: Extract<RunEvent, { kind: 'requirement-ended' }>): string {
  const sign = paint([status === 'failed' ? 'red' : 'yellow'], statusWords[status].sign);
  const what =
    first === undefined ? title : `expected ${shorten(first.expected, 120)}, got ${shorten(first.actual, 120)}`;
  return `${sign} ${plain(requirement)}: ${plain(what, 500)}`;
}
