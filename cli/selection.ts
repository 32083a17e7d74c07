import type { AuditOptions } from '../suites/engine/options.ts';
import { requiredIds, selectRequirements, splitPatterns } from '../suites/engine/selection.ts';
import { withoutUndefined } from '../suites/json.ts';
import { requirements } from '../suites/requirements.ts';
import type { Given } from './command-line/declaration.ts';
import type { selection } from './options.ts';

/** The options that select what `tck run` tests. */
export type SelectionOptions = Omit<Given<typeof selection>, 'seed' | 'program'> & {
  readonly require?: readonly string[] | undefined;
};

/** The patterns of each option. Throws a UsageError for an empty pattern. */
export const patternsOf = ({ only, skip, require }: Pick<SelectionOptions, 'only' | 'skip' | 'require'>) => ({
  only: splitPatterns(only, '--only'),
  skip: splitPatterns(skip, '--skip'),
  require: splitPatterns(require, '--require'),
});

/** The selection as options of the engine. Throws a UsageError for a pattern that selects nothing. */
export function selectionOf({
  observe,
  explore,
  ...given
}: SelectionOptions): Pick<AuditOptions, 'only' | 'skip' | 'require' | 'observe' | 'explore'> {
  const { only, skip, require } = patternsOf(given);
  selectRequirements(requirements, only, skip);
  requiredIds(requirements, require);
  return { ...withoutUndefined({ only, skip, require }), observe, explore };
}
