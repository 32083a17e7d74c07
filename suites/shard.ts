import type { Requirement } from '../fixtures/requirements/model.ts';
import { type Coverage, coverage } from './coverage.ts';
import { UsageError } from './usage/usage-error.ts';

/** One of several runs that share the requirements. */
export interface Shard {
  /** Starts at 1. */
  index: number;
  of: number;
}

/** Parses `2/3` as the second of three shards; throws a UsageError for anything else. */
export function parseShard(text: string): Shard {
  const [, index = '', of = ''] = /^(\d{1,3})\/(\d{1,3})$/.exec(text) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  if (shard.index >= 1 && shard.index <= shard.of) return shard;
  throw new UsageError(`--shard: expected a part such as 1/3, got '${text}'`);
}

type Placed = Pick<Coverage, 'turn'> & { needs: Pick<Coverage['needs'], 'effects' | 'time'> };

/**
 * Returns the group that must stay in one shard: stories that disturb each other across machines, or stories that
 * create content. Stories disturb each other through balances, the clock, a rate limit or spending. The shards together
 * thus have no more side effects than one run.
 */
function bondOf({ turn, needs: { effects, time } }: Placed): string | undefined {
  if (turn !== undefined || time) return 'apart';
  if (effects.includes('spending') || effects.includes('throttling')) return 'apart';
  return effects.includes('writes') ? 'writes' : undefined;
}

/**
 * Returns the requirements of one shard. The result is identical on every machine. Places groups first, from large to
 * small, each in the smallest shard. The other requirements then even out the sizes. Throws a UsageError if the shard
 * is empty.
 */
export function requirementsOfShard<One extends Pick<Requirement, 'id'>>(
  requirements: readonly One[],
  shard: Shard,
  all: readonly ({ requirement: string } & Placed)[] = coverage,
): One[] {
  const bonds = new Map<string, string | undefined>();
  for (const one of all) bonds.set(one.requirement, bondOf(one) ?? bonds.get(one.requirement));
  const free = requirements.filter(({ id }) => bonds.get(id) === undefined);
  const groups = Map.groupBy(
    requirements.filter((one) => !free.includes(one)),
    ({ id }) => bonds.get(id),
  );
  const shards = Array.from({ length: shard.of }, () => ({ bound: [] as One[], free: 0 }));
  const least = () => shards.reduce((a, b) => (b.bound.length + b.free < a.bound.length + a.free ? b : a));
  for (const group of [...groups.values()].sort((a, b) => b.length - a.length)) least().bound.push(...group);
  for (const _ of free) least().free += 1;
  const before = shards.slice(0, shard.index - 1).reduce((sum, previous) => sum + previous.free, 0);
  const own = shards[shard.index - 1] ?? { bound: [], free: 0 };
  const mine = new Set([...own.bound, ...free.slice(before, before + own.free)]);
  if (mine.size > 0) return requirements.filter((one) => mine.has(one));
  throw new UsageError(`--shard: nothing is left for part ${shard.index} of ${shard.of}`);
}
