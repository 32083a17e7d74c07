import { setFlagsFromString } from 'node:v8';

/**
 * With so many worlds beside the main one memory is dearer than speed: whoever mints them tests, and whoever measures
 * has one.
 */
const manyWorlds = 8;

/** New objects get no more room than they have now: room that was taken is not given back soon. */
export function stopGrowing(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * Lets the collector keep the process about as small as what the stub remembers, which is bounded. One world alone gets
 * room for speed, as V8 gives it; with many, what is let go is collected soon.
 */
export function keepSmall(worlds: number): void {
  if (worlds > 0) stopGrowing();
  else setFlagsFromString('--semi-space-growth-factor=2');
  setFlagsFromString(worlds >= manyWorlds ? '--optimize-for-size' : '--no-optimize-for-size');
}
