import { type DefectId, defects, isDefect } from '../../fixtures/defects.ts';
import { didYouMean } from '../../fixtures/nearest.ts';
import { UsageError } from '../../fixtures/usage-error.ts';
import { argumentDefects } from './arguments.ts';
import { choiceDefects } from './choices.ts';
import { confirmationDefects } from './confirmations.ts';
import { envelopeDefects } from './envelopes.ts';
import { headerDefects } from './headers.ts';
import { keyDefects } from './keys.ts';
import { nameAndBodyDefects } from './names-and-bodies.ts';
import { oddValueDefects } from './odd-values.ts';
import { type Deviation, together } from './patches.ts';
import { proposalDefects } from './proposals.ts';
import { rateLimitDefects } from './rate-limit.ts';
import { readingDefects } from './reading.ts';
import { requestDefects } from './requests.ts';
import { workspaceDefects } from './workspaces.ts';

/** What each defect changes. That none is missing, and none unknown, the compiler sees. */
export const deviations: Readonly<Record<DefectId, Deviation>> = {
  ...envelopeDefects,
  ...headerDefects,
  ...keyDefects,
  ...nameAndBodyDefects,
  ...argumentDefects,
  ...oddValueDefects,
  ...workspaceDefects,
  ...choiceDefects,
  ...requestDefects,
  ...readingDefects,
  ...proposalDefects,
  ...confirmationDefects,
  ...rateLimitDefects,
};

/** One deviation out of several, the first applied first. Throws a UsageError for an id that is no defect. */
export function combineDefects(ids: readonly string[]): Deviation {
  const chosen = ids.map((id) => {
    if (!isDefect(id)) throw new UsageError(`there is no defect '${id}'${didYouMean(id, Object.keys(defects))}`);
    return deviations[id];
  });
  return together(...chosen);
}
