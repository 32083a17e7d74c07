import type { Look } from './layout.ts';

/** The properties of a stream that determine the output options. */
interface Screen {
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

const widest = 120;
const usual = 100;

/** Output options for a stream. Uses colors only on a terminal that supports them, and never with `NO_COLOR`. */
export function lookOf(screen: Screen, env: Readonly<Record<string, string | undefined>>): Look & { isTTY: boolean } {
  const isTTY = screen.isTTY === true && env.TERM !== 'dumb';
  return {
    isTTY,
    width: Math.min((isTTY && screen.columns) || usual, widest),
    colour: isTTY && (env.NO_COLOR ?? '') === '',
  };
}
