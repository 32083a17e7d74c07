import type { RunResult } from '../../suites/result.ts';

/** Runs of one deployment. */
export interface Deployment {
  /** Its base URL, or what stands for it. */
  name: string;
  runs: RunResult[];
}

/**
 * The deployments behind several runs, told apart by base URL. Containers of an image get another port on each machine,
 * so all runs against images count as one.
 */
export function deploymentsOf(runs: readonly RunResult[]): Deployment[] {
  const byName = Map.groupBy(runs, ({ target }) => (target.kind === 'image' ? 'the image' : target.baseUrl));
  return [...byName].map(([name, its]) => ({ name, runs: its }));
}

/** What one deployment lacks for its shards to be a whole, one sentence each. */
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
