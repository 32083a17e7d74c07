import type { RunResult } from '../../suites/result.ts';

/** A deployment with its runs. */
export interface Deployment {
  /** Base URL, or a placeholder for an image. */
  name: string;
  runs: RunResult[];
}

/**
 * Groups runs by base URL. All runs against images count as one deployment, because containers have a different port on
 * each machine.
 */
export function deploymentsOf(runs: readonly RunResult[]): Deployment[] {
  const byName = Map.groupBy(runs, ({ target }) => (target.kind === 'image' ? 'the image' : target.baseUrl));
  return [...byName].map(([name, its]) => ({ name, runs: its }));
}

/** Missing shards of a deployment, one sentence for each number of shards. */
export function missingShards({ name, runs }: Deployment): string[] {
  const byCount = Map.groupBy(
    runs.flatMap(({ shard }) => shard ?? []),
    (shard) => shard.of,
  );
  return [...byCount].flatMap(([of, shards]) => {
    const there = new Set(shards.map(({ index }) => index));
    const missing = Array.from({ length: of }, (_, index) => index + 1).filter((index) => !there.has(index));
    return missing.map((index) => `the report of shard ${index}/${of} is missing (${name})`);
  });
}
