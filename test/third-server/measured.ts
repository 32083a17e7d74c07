import { readFileSync, writeFileSync } from 'node:fs';
import { type DeviationClass, deviationClasses } from './deviation.ts';

const file = new URL('./measured.json', import.meta.url);

/** Result of a run against one deviation or deployment. */
export interface Outcome {
  id: string;
  class: string;
  aside: boolean;
  /** True for a caught deviation, and for a deployment without false findings that is tested as far as possible. */
  good: boolean;
  /** Requirements that failed or, if only recommended, warned. */
  found: string[];
  /** Requirements of a conforming deployment that could have been tested, but were not. */
  untested: string[];
  requests: number;
  seconds: number;
  verdict: string;
  /** True if generated requests were needed. */
  explored?: boolean;
}

/** Numbers of deviations of a class, and of those caught. */
interface Caught {
  deviations: number;
  /** Caught by a default run. */
  byDefault: number;
  /** Caught by a default run or by generated requests. */
  exploring: number;
}

/** Results of the latest measurement, which `docs/detection.md` shows. */
export interface Measured {
  date: string;
  /** Number of generated requests. */
  explore: number;
  classes: Record<DeviationClass, Caught>;
}

export function readMeasured(): Measured {
  // `noteMeasured` writes this file.
  return JSON.parse(readFileSync(file, 'utf8')) as Measured;
}

/** Stores the results of classes in which every deviation was measured. */
export function noteMeasured(outcomes: readonly Outcome[], explore: number, sizeOf: (name: string) => number): void {
  const { classes } = readMeasured();
  for (const name of deviationClasses) {
    const all = outcomes.filter((one) => one.class === name);
    if (all.length === 0 || all.length !== sizeOf(name)) continue;
    const good = all.filter((one) => one.good);
    const byDefault = good.filter(({ explored }) => explored !== true).length;
    classes[name] = { deviations: all.length, byDefault, exploring: good.length };
  }
  const measured: Measured = { date: new Date().toISOString().slice(0, 10), explore, classes };
  writeFileSync(file, `${JSON.stringify(measured, null, 2)}\n`);
}
