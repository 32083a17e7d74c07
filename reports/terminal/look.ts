import type { Look } from './layout.ts';

/** As much of a stream as decides how to print on it. */
export interface Screen {
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

const widest = 120;
const usual = 100;

/** How to print on a stream: colours only on a terminal that has them, and never under `NO_COLOR`. */
export function lookOf(screen: Screen, env: Readonly<Record<string, string | undefined>>): Look & { isTTY: boolean } {
  const isTTY = screen.isTTY === true && env.TERM !== 'dumb';
  return {
    isTTY,
    width: Math.min((isTTY && screen.columns) || usual, widest),
    colour: isTTY && (env.NO_COLOR ?? '') === '',
  };
}
