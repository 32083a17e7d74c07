import { setFlagsFromString } from 'node:v8';

/** With so many worlds memory is dearer than speed: whoever mints them tests, and whoever measures has one. */
const manyWorlds = 8;

/**
 * Lets the collector keep the process about as small as what the stub remembers, which is bounded: new objects get no more room than they
 * have when this is called first, and with many worlds what is let go is collected soon.
 */
export function keepSmall(worlds: number): void {
  if (worlds === 0) setFlagsFromString('--semi-space-growth-factor=1');
  else setFlagsFromString(worlds >= manyWorlds ? '--optimize-for-size' : '--no-optimize-for-size');
}
