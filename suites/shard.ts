import type { Requirement } from '../fixtures/requirements/model.ts';
import { UsageError } from '../fixtures/usage-error.ts';

/** One of several runs that share the work. */
export interface Shard {
  /** From 1. */
  index: number;
  of: number;
}

/** `2/3` as the second of three; throws a UsageError for anything else. */
export function parseShard(text: string): Shard {
  const [, index = '', of = ''] = /^(\d{1,3})\/(\d{1,3})$/.exec(text) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  if (shard.index >= 1 && shard.index <= shard.of) return shard;
  throw new UsageError(`--shard: expected a part such as 1/3, found '${text}'`);
}

/** The requirements of one shard: every n-th, so that topics, and with them waits, are spread over all. */
export function requirementsOfShard<One extends Pick<Requirement, 'id'>>(
  requirements: readonly One[],
  shard: Shard,
): One[] {
  const mine = requirements.filter((_, index) => index % shard.of === shard.index - 1);
  if (mine.length > 0) return mine;
  throw new UsageError(`--shard: nothing is left for part ${shard.index} of ${shard.of}`);
}
