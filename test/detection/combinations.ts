import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createStub } from '../../stub/index.ts';
import { causesOf } from '../../suites/causes/causes.ts';
import { audit } from '../../suites/engine/audit.ts';
import type { RunResult } from '../../suites/result.ts';
import { defaultPace } from '../../suites/target/target.ts';
import { seededFraction } from '../../suites/topics/random.ts';
import { argumentDefects } from '../mutations/defects/boundary/arguments.ts';
import { combineDefects, type DefectId, defects } from '../mutations/defects/index.ts';
import { skippingTimer } from '../skipping-timer.ts';
import { inProcess } from '../stub-target.ts';
import { type Combination, combinationsText } from './combinations-text.ts';

/** Number of combinations for each number of defects. */
const wanted = [
  { size: 2, count: 300 },
  { size: 3, count: 100 },
  { size: 5, count: 50 },
] as const;

/** Defects on rare values fail few requirements, and several of them rarely the same one. */
const drawn = (Object.keys(defects) as DefectId[]).filter((id) => !Object.hasOwn(argumentDefects, id));

/** Returns random different defects. Equal arguments give equal defects. */
function draw(size: number, index: number): DefectId[] {
  const chosen = new Set<DefectId>();
  for (let attempt = 0; chosen.size < size; attempt++) {
    const id = drawn[Math.floor(seededFraction(1, `${size}/${index}/${attempt}`) * drawn.length)];
    if (id !== undefined) chosen.add(id);
  }
  return [...chosen];
}

const pace = { ...defaultPace, maxWaitSeconds: 1 };

export async function runWith(chosen: readonly DefectId[]): Promise<RunResult> {
  const now = Date.now();
  const stub = createStub({ seed: 1, clock: { now: () => now }, rateLimit: 3000, deviation: combineDefects(chosen) });
  const timer = skippingTimer(() => undefined);
  return audit(inProcess(stub, { pace, shape: '1:1' }), { seed: 1, timer, observe: false, explore: 0 });
}

function combinationOf(chosen: readonly DefectId[], result: RunResult): Combination {
  const causes = causesOf(result).map(({ requirements }) => requirements.map(({ id }) => id));
  return { defects: chosen, causes };
}

/**
 * Measures the combinations that a file of earlier results lacks, appends each as a line of JSON, and prints a table.
 * Takes about a quarter of an hour with an empty file.
 */
async function measure(file: string): Promise<void> {
  const lines = existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];
  const earlier = lines.map((line): Combination => JSON.parse(line));
  const all: Combination[] = [];
  for (const { size, count } of wanted) {
    const known = earlier.filter((one) => one.defects.length === size).slice(0, count);
    all.push(...known);
    for (let index = known.length; index < count; index++) {
      const chosen = draw(size, index);
      const combination = combinationOf(chosen, await runWith(chosen));
      appendFileSync(file, `${JSON.stringify(combination)}\n`);
      all.push(combination);
    }
  }
  console.log(combinationsText(all));
}

if (import.meta.main) {
  const [file] = process.argv.slice(2);
  if (file === undefined) {
    console.error('Name the file that holds the results: node test/detection/combinations.ts FILE');
    process.exitCode = 2;
  } else await measure(file);
}
