import { didYouMean } from '../../../suites/usage/nearest.ts';
import { UsageError } from '../../../suites/usage/usage-error.ts';
import { type Deviation, together } from '../deviation.ts';
import { argumentDefects } from './boundary/arguments.ts';
import { bodyDefects } from './boundary/bodies.ts';
import { credentialDefects } from './boundary/credentials.ts';
import { envelopeFieldDefects } from './boundary/envelope-fields.ts';
import { envelopeDefects } from './boundary/envelopes.ts';
import { headerDefects } from './boundary/headers.ts';
import { issueDefects } from './boundary/issues.ts';
import { oddValueDefects } from './boundary/odd-values.ts';
import { rateLimitDefects } from './boundary/rate-limit.ts';
import { rowDefects } from './boundary/rows.ts';
import { surfaceDefects } from './boundary/surface.ts';
import { toolNameDefects } from './boundary/tool-names.ts';
import { accountDefects } from './content/account.ts';
import { isolationDefects } from './content/isolation.ts';
import { knowledgeDefects } from './content/knowledge.ts';
import { libraryDefects } from './content/library.ts';
import { requestArgumentDefects } from './content/request-arguments.ts';
import { requestDefects } from './content/requests.ts';
import { scheduleDefects } from './content/schedule.ts';
import { declaredToolDefects } from './declared-tools.ts';
import type { Defect } from './defect.ts';
import { dispatchDefects } from './images/dispatches.ts';
import { expiryAndRaceDefects } from './images/expiry-and-races.ts';
import { invalidIdDefects } from './images/invalid-ids.ts';
import { proposalArgumentDefects } from './images/proposal-arguments.ts';
import { proposalDefects } from './images/proposals.ts';
import { shortcutDefects } from './images/shortcuts.ts';
import { choiceDefects } from './workspaces/choices.ts';
import { reachDefects } from './workspaces/reach.ts';
import { resolutionDefects } from './workspaces/resolution.ts';
import { resultDefects } from './workspaces/results.ts';

export type { Defect } from './defect.ts';

/** All defects by ID, in topic order. IDs are permanent and never reused. */
export const defects = {
  ...envelopeDefects,
  ...envelopeFieldDefects,
  ...rowDefects,
  ...headerDefects,
  ...credentialDefects,
  ...surfaceDefects,
  ...toolNameDefects,
  ...bodyDefects,
  ...issueDefects,
  ...argumentDefects,
  ...oddValueDefects,
  ...resultDefects,
  ...resolutionDefects,
  ...reachDefects,
  ...choiceDefects,
  ...requestDefects,
  ...requestArgumentDefects,
  ...scheduleDefects,
  ...libraryDefects,
  ...isolationDefects,
  ...knowledgeDefects,
  ...accountDefects,
  ...proposalDefects,
  ...proposalArgumentDefects,
  ...shortcutDefects,
  ...dispatchDefects,
  ...invalidIdDefects,
  ...expiryAndRaceDefects,
  ...rateLimitDefects,
  ...declaredToolDefects,
} satisfies Readonly<Record<string, Defect>>;

export type DefectId = keyof typeof defects;

/** Returns whether a string is the ID of a defect. `Object.hasOwn` excludes names such as `constructor`. */
export function isDefect(id: string): id is DefectId {
  return Object.hasOwn(defects, id);
}

/** Combines defects. They are applied in order. Throws a UsageError for an unknown ID. */
export function combineDefects(ids: readonly string[]): Deviation {
  const chosen = ids.map((id) => {
    if (!isDefect(id)) throw new UsageError(`there is no defect '${id}'${didYouMean(id, Object.keys(defects))}`);
    return defects[id].deviation;
  });
  return together(...chosen);
}
