import { setFlagsFromString } from 'node:v8';

/**
 * With this many sandboxes, saving memory matters more than speed. Test suites create many sandboxes; benchmarks use
 * one.
 */
const manyWorlds = 8;

/** Stops V8's semi-space from growing, because V8 is slow to shrink it. */
export function stopGrowing(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * Tunes garbage collection: for speed with only the main sandbox, otherwise for memory. `worlds` excludes the main one.
 */
export function keepSmall(worlds: number): void {
  if (worlds > 0) stopGrowing();
  else setFlagsFromString('--semi-space-growth-factor=2');
  setFlagsFromString(worlds >= manyWorlds ? '--optimize-for-size' : '--no-optimize-for-size');
}
