import { UsageError } from '../../fixtures/usage-error.ts';
import type { Deviation } from './deviation.ts';

/** Every defect by its id. */
export const defects: ReadonlyMap<string, Deviation> = new Map();

/** One deviation out of several, the first applied first. Throws a UsageError for an id that is no defect. */
export function combineDefects(ids: readonly string[]): Deviation {
  const chosen = ids.map((id) => {
    const defect = defects.get(id);
    if (defect === undefined) throw new UsageError(`There is no defect '${id}'.`);
    return defect;
  });
  return (rules) => chosen.reduce((changed, defect) => defect(changed), rules);
}
