import type { Deviations } from '../deployment.ts';
import { argumentDeviations } from './arguments.ts';
import { confirmations } from './confirmations.ts';
import { parallel } from './parallel.ts';
import { repetition } from './repetition.ts';
import { requests } from './requests.ts';
import { roles } from './roles.ts';
import { workspaces } from './workspaces.ts';

/**
 * All deviations: those that are hardest to find. Many show only after an event.
 */
export const deviations: Deviations = {
  ...roles,
  ...workspaces,
  ...repetition,
  ...confirmations,
  ...parallel,
  ...requests,
  ...argumentDeviations,
};
