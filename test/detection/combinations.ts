import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { causesOf } from '../../suites/causes/causes.ts';
import { severityRank } from '../../suites/causes/order.ts';
import { requirements } from '../../suites/requirements.ts';
import { seededOrder } from '../../suites/topics/random.ts';
import { type DefectId, defects } from '../mutations/defects/index.ts';
import { runWith } from './observe.ts';

/** Result of a run against the stub with several defects. */
interface Combination {
  readonly defects: readonly DefectId[];
  /** Requirement IDs for each cause; the ID that represents the cause comes first. */
  readonly causes: readonly (readonly string[])[];
}

/** Number of combinations for each number of defects. */
const wanted = [
  { size: 2, count: 300 },
  { size: 3, count: 100 },
  { size: 5, count: 50 },
] as const;

/** A defect on rare values fails few requirements, and rarely the same ones as others. */
const drawn = (Object.keys(defects) as DefectId[]).filter((id) => id !== 'apostrophes-in-briefs-malformed');

/** Runs the kit against the stub with random different defects. Equal arguments give equal defects. */
async function combinationOf(size: number, index: number): Promise<Combination> {
  const chosen = seededOrder(drawn, size * 1000 + index).slice(0, size);
  const { result } = await runWith(chosen);
  const causes = causesOf(result).map((cause) => cause.requirements.map(({ id }) => id));
  return { defects: chosen, causes };
}

/**
 * Measures the combinations that a file of earlier results lacks, appends each as a line of JSON, and prints a table.
 * Takes about a quarter of an hour with an empty file.
 */
async function measure(file: string): Promise<void> {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const earlier = lines.map((line): Combination => JSON.parse(line));
  for (const { size, count } of wanted) {
    const all = earlier.filter((one) => one.defects.length === size).slice(0, count);
    while (all.length < count) {
      const combination = await combinationOf(size, all.length);
      appendFileSync(file, `${JSON.stringify(combination)}\n`);
      all.push(combination);
    }
    const share = (test: (one: Combination) => boolean) => `${((100 * all.filter(test).length) / count).toFixed(0)} %`;
    console.table({
      Defects: size,
      Runs: count,
      'As many causes': share(({ causes }) => causes.length === size),
      Fewer: share(({ causes }) => causes.length < size),
      More: share(({ causes }) => causes.length > size),
      'Worst defect first': share(isWorstFirst),
    });
  }
}

/** Returns whether the first cause shows one of the worst defects. */
function isWorstFirst({ defects: ids, causes: [first = []] }: Combination): boolean {
  const worst = Math.min(...ids.map(rankOf));
  return ids.some((id) => rankOf(id) === worst && defects[id].breaks.some((each) => first.includes(each)));
}

/** Ranks violations of `must` before violations of `should`, then by severity. */
function rankOf(id: DefectId): number {
  const about = requirements.find((requirement) => requirement.id === defects[id].breaks[0]);
  if (about === undefined) return Number.POSITIVE_INFINITY;
  return severityRank(about.severity) + (about.level === 'should' ? 100 : 0);
}

if (import.meta.main) {
  const [file] = process.argv.slice(2);
  if (file === undefined) throw new Error('Name the file that holds the results');
  await measure(file);
}
