import { readFileSync, writeFileSync } from 'node:fs';
import { type DeviationClass, deviationClasses } from './deviation.ts';

const file = new URL('./measured.json', import.meta.url);

/** What a run of the kit made of one deviation or deployment. */
export interface Outcome {
  id: string;
  class: string;
  aside: boolean;
  /** As it should be: caught, or not blamed and tested as far as it can be. */
  good: boolean;
  /** Failed or, where only advised, warned. */
  found: string[];
  /** Of honest deployments: what could have been tested and was not. */
  untested: string[];
  requests: number;
  seconds: number;
  verdict: string;
  /** It took generated requests. */
  explored?: boolean;
}

/** How many deviations of a class were caught. */
interface Caught {
  deviations: number;
  /** By a default run. */
  byDefault: number;
  /** By a default run, or by generated requests. */
  exploring: number;
}

/** What was measured last; `docs/detection.md` shows it. */
export interface Measured {
  date: string;
  /** How many requests were generated. */
  explore: number;
  classes: Record<DeviationClass, Caught>;
}

export function readMeasured(): Measured {
  // The file is written below.
  return JSON.parse(readFileSync(file, 'utf8')) as Measured;
}

/** Notes the classes of which every deviation was measured. */
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
