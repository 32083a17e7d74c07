import type { Defect, Deviation } from '../../../stub/variants/defect.ts';
import { combineDefects as combine, defects as known } from '../../../stub/variants/defects.ts';
import { bodyDefects } from './boundary/bodies.ts';
import { credentialDefects } from './boundary/credentials.ts';
import { envelopeDefects } from './boundary/envelopes.ts';
import { rateLimitDefects } from './boundary/rate-limit.ts';
import { rowDefects } from './boundary/rows.ts';
import { surfaceDefects } from './boundary/tools.ts';
import { isolationDefects } from './content/isolation.ts';
import { readingDefects } from './content/readings.ts';
import { requestDefects } from './content/requests.ts';
import { declaredToolDefects } from './declared-tools.ts';
import { dispatchDefects } from './images/dispatches.ts';
import { expiryAndRaceDefects } from './images/expiry-and-races.ts';
import { invalidIdDefects } from './images/invalid-ids.ts';
import { proposalDefects } from './images/proposals.ts';
import { workspaceDefects } from './workspaces.ts';

export type { Defect } from '../../../stub/variants/defect.ts';

/** The defects of `tck stub`, and those that only test the kit, by ID. IDs are permanent and never reused. */
export const defects = {
  ...known,
  ...envelopeDefects,
  ...rowDefects,
  ...credentialDefects,
  ...surfaceDefects,
  ...bodyDefects,
  ...workspaceDefects,
  ...requestDefects,
  ...readingDefects,
  ...isolationDefects,
  ...proposalDefects,
  ...dispatchDefects,
  ...invalidIdDefects,
  ...expiryAndRaceDefects,
  ...rateLimitDefects,
  ...declaredToolDefects,
} satisfies Readonly<Record<string, Defect>>;

export type DefectId = keyof typeof defects;

/** Combines defects. They are applied in order. Throws a UsageError for an unknown ID. */
export const combineDefects = (ids: readonly string[]): Deviation => combine(ids, defects);
