import { requirements } from '../fixtures/requirements/index.ts';
import type { AuditOptions } from '../suites/engine/options.ts';
import { requiredIds, requirementsAsOf, selectRequirements, splitPatterns } from '../suites/selection.ts';
import { parseShard, requirementsOfShard, type Shard } from '../suites/shard.ts';

/** What `tck run` is to check, as the command line says it. */
export interface SelectionOptions {
  only?: readonly string[] | undefined;
  skip?: readonly string[] | undefined;
  /** A version of the kit. */
  asOf?: string | undefined;
  require?: readonly string[] | undefined;
  /** `1/3`: the first of three parts. */
  shard?: string | undefined;
  /** Whether open questions are answered too. */
  observe: boolean;
  /** How many generated requests are sent. */
  explore: number;
}

/**
 * The same for the engine; throws a UsageError for a pattern that selects nothing. Of several shards only the first
 * sends requests to answer open questions.
 */
export function selectionOf(
  options: SelectionOptions,
): Pick<AuditOptions, 'only' | 'skip' | 'asOf' | 'require' | 'observe' | 'questions' | 'explore' | 'exploreShard'> {
  const only = splitPatterns(options.only, '--only');
  const skip = splitPatterns(options.skip, '--skip');
  const require = splitPatterns(options.require, '--require');
  const { observe, explore, asOf } = options;
  const known = requirementsAsOf(requirements, asOf);
  const selected = selectRequirements(known, only, skip);
  const required = requiredIds(known, require);
  const version = asOf === undefined ? {} : { asOf };
  if (options.shard === undefined) {
    return {
      ...version,
      ...(only === undefined ? {} : { only }),
      ...(skip === undefined ? {} : { skip }),
      ...(require === undefined ? {} : { require }),
      observe,
      explore,
    };
  }
  const shard = parseShard(options.shard);
  const ids = requirementsOfShard(selected, shard).map(({ id }) => id);
  // What another shard tests is not missing here; `tck merge --require` looks at the whole.
  const here = ids.filter((id) => required.has(id));
  return {
    ...version,
    only: ids,
    ...(here.length === 0 ? {} : { require: here }),
    observe: observe && (shard.index === 1 || 'recorded'),
    questions: new Set(selected.map(({ topic }) => topic)),
    explore,
    exploreShard: { shard, only: selected.map(({ id }) => id) },
  };
}

/** The part of the work that was asked for, as a report has it; nothing where that is all of it. */
export function shardOf({ shard }: Pick<SelectionOptions, 'shard'>): { shard?: Shard } {
  return shard === undefined ? {} : { shard: parseShard(shard) };
}
