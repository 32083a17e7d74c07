import { type DefectId, defects, isDefect } from '../../fixtures/defects.ts';
import { didYouMean } from '../../fixtures/nearest.ts';
import { UsageError } from '../../fixtures/usage-error.ts';
import { boundaryDefects } from './boundary.ts';
import { imageDefects } from './images.ts';
import type { Deviation } from './patches.ts';
import { contentDefects } from './workspaces-and-content.ts';

/** What each defect changes. That none is missing, and none unknown, the compiler sees. */
export const deviations: Readonly<Record<DefectId, Deviation>> = {
  ...boundaryDefects,
  ...contentDefects,
  ...imageDefects,
};

/** One deviation out of several, the first applied first. Throws a UsageError for an id that is no defect. */
export function combineDefects(ids: readonly string[]): Deviation {
  const chosen = ids.map((id) => {
    if (!isDefect(id)) throw new UsageError(`there is no defect '${id}'${didYouMean(id, Object.keys(defects))}`);
    return deviations[id];
  });
  return (rules) => chosen.reduce((changed, deviate) => deviate(changed), rules);
}
