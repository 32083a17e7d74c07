import { type Catalogue, kitCatalogue } from '../suites/catalogue.ts';
import { coverageOf } from '../suites/coverage.ts';
import type { AuditOptions } from '../suites/engine/options.ts';
import { requiredIds, requirementsAsOf, selectRequirements, splitPatterns } from '../suites/selection.ts';
import { parseShard, requirementsOfShard, type Shard } from '../suites/shard.ts';
import { withoutUndefined } from '../suites/without-undefined.ts';

/** The options that select what `tck run` tests. */
export interface SelectionOptions {
  only?: readonly string[] | undefined;
  skip?: readonly string[] | undefined;
  /** A version of the kit. */
  asOf?: string | undefined;
  require?: readonly string[] | undefined;
  /** `1/3`: the first of three parts. */
  shard?: string | undefined;
  /** Whether the run sends requests for open questions. */
  observe: boolean;
  /** Number of generated requests. */
  explore: number;
}

/**
 * The selection as options of the engine. Throws a UsageError for a pattern that selects nothing. Only the first shard
 * sends requests for open questions.
 */
export function selectionOf(
  options: SelectionOptions,
  catalogue: Catalogue = kitCatalogue,
): Pick<
  AuditOptions,
  'catalogue' | 'only' | 'skip' | 'asOf' | 'require' | 'observe' | 'questions' | 'explore' | 'exploreShard'
> {
  const only = splitPatterns(options.only, '--only');
  const skip = splitPatterns(options.skip, '--skip');
  const require = splitPatterns(options.require, '--require');
  const { observe, explore, asOf } = options;
  const known = requirementsAsOf(catalogue.requirements, asOf);
  const selected = selectRequirements(known, only, skip);
  const required = requiredIds(known, require);
  if (options.shard === undefined) {
    return { catalogue, ...withoutUndefined({ asOf, only, skip, require }), observe, explore };
  }
  const shard = parseShard(options.shard);
  const ids = requirementsOfShard(selected, shard, coverageOf(catalogue.stories)).map(({ id }) => id);
  // Requirements of other shards are not required here. `tck merge --require` checks all of them.
  const here = ids.filter((id) => required.has(id));
  return {
    catalogue,
    ...withoutUndefined({ asOf }),
    only: ids,
    ...(here.length === 0 ? {} : { require: here }),
    observe: observe && (shard.index === 1 || 'recorded'),
    questions: new Set(selected.map(({ topic }) => topic)),
    explore,
    exploreShard: { shard, only: selected.map(({ id }) => id) },
  };
}

/** The shard, as a member of the report. Empty for a run without shards. */
export function shardOf({ shard }: Pick<SelectionOptions, 'shard'>): { shard?: Shard } {
  return shard === undefined ? {} : { shard: parseShard(shard) };
}
