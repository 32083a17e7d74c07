import { counted } from '../../suites/usage/counted.ts';
import { plain } from '../plain.ts';
import { type Look, paint } from './layout.ts';
import { nothingYet, type Tally } from './tally.ts';

export interface LiveDisplay {
  show(tally: Tally): void;
  /** Writes a permanent line above the display. */
  keep(line: string): void;
  stop(): void;
}

/** The used part of log-update. */
interface Updater {
  (text: string): void;
  clear(): void;
  done(): void;
  persist(text: string): void;
}

/** Shorter runs need no display and do not load its module. */
const quietMs = 150;
const frameMs = 100;
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const storiesShown = 3;
const waitsShown = 3;

/** Live display on a terminal, redrawn ten times a second. */
export function liveDisplay(stream: NodeJS.WritableStream, look: Look, nowMs: () => number): LiveDisplay {
  const startedMs = nowMs();
  let tally = nothingYet;
  let updater: Updater | null = null;
  let stopped = false;
  let ticker: NodeJS.Timeout | undefined;

  const draw = () => updater?.(frame(tally, look, nowMs(), startedMs));
  const begin = async () => {
    const { createLogUpdate } = await import('log-update');
    if (stopped) return;
    updater = createLogUpdate(stream);
    ticker = setInterval(draw, frameMs);
    ticker.unref();
    draw();
  };
  const starter = setTimeout(() => void begin(), quietMs);
  starter.unref();

  return {
    show(next) {
      tally = next;
    },
    keep(line) {
      if (updater === null) stream.write(`${line}\n`);
      else updater.persist(line);
    },
    stop() {
      stopped = true;
      clearTimeout(starter);
      clearInterval(ticker);
      updater?.clear();
      updater?.done();
      updater = null;
    },
  };
}

/** The display as text. Exported for tests. */
export function frame(tally: Tally, look: Look, nowMs: number, startedMs: number): string {
  const spinner = frames[Math.floor(nowMs / frameMs) % frames.length] ?? '';
  const seconds = Math.floor((nowMs - startedMs) / 1000);
  const { passed = 0, failed = 0, errored = 0, warned = 0 } = tally.byStatus;
  const counts = [
    `${tally.ended} of ${tally.requirements} requirements`,
    `${passed} passed`,
    ...(failed > 0 ? [paint(look, ['red'], `${failed} failed`)] : []),
    ...(errored > 0 ? [paint(look, ['yellow'], `${errored} errored`)] : []),
    ...(warned > 0 ? [paint(look, ['yellow'], `${warned} warned`)] : []),
  ];
  const spent = [...sentTexts(tally.sent), `${seconds} s`, ...timeLeft(tally, seconds)];
  const stories = tally.stories.slice(0, storiesShown).map((story) => plain(story, 40));
  const waits = tally.waits.filter((wait) => wait.untilMs > nowMs).slice(0, waitsShown);
  return [
    `${paint(look, ['cyan'], spinner)} ${counts.join(', ')}`,
    firstLine(`  ${spent.join(', ')}`, look),
    ...(stories.length > 0 ? [firstLine(`  now: ${stories.join(', ')}`, look)] : []),
    ...waits.map((wait) =>
      firstLine(`  waiting ${remaining(wait.untilMs, nowMs)} s: ${plain(wait.reason, 200)}`, look),
    ),
  ].join('\n');
}

function sentTexts(sent: Tally['sent']): string[] {
  if (sent === undefined) return [];
  const { requests, mostRequests, images, mostImages } = sent;
  const confirmed = images === 0 ? [] : [`${images} of at most ${counted(mostImages, 'image')}`];
  return [`${requests} of at most ${counted(mostRequests, 'request')}`, ...confirmed];
}

/** Estimated remaining time. Empty until enough requirements are finished. */
function timeLeft({ ended, requirements }: Tally, seconds: number): string[] {
  const share = ended / requirements;
  return seconds >= 2 && share > 0.1 ? [`about ${Math.ceil((seconds * (1 - share)) / share)} s left`] : [];
}

function remaining(untilMs: number, nowMs: number): number {
  return Math.ceil((untilMs - nowMs) / 1000);
}

/** The display moves the cursor by lines, so no line may be wider than the terminal. */
function firstLine(text: string, look: Look): string {
  return [...text].slice(0, look.width - 1).join('');
}
