import { argumentErrors } from './arguments.ts';
import { authentication } from './authentication.ts';
import { bodies } from './bodies.ts';
import { choices } from './choices.ts';
import { confirmations } from './confirmations.ts';
import { contentRequestArguments } from './content-request-arguments.ts';
import { contentRequests } from './content-requests.ts';
import { credits } from './credits.ts';
import { envelopes } from './envelopes.ts';
import { expiry } from './expiry.ts';
import { fixedCodes } from './fixed-codes.ts';
import { headers } from './headers.ts';
import { imageArguments } from './image-arguments.ts';
import { imageProposals } from './image-proposals.ts';
import { invalidIds } from './invalid-ids.ts';
import { knowledge } from './knowledge.ts';
import { library } from './library.ts';
import { race } from './race.ts';
import { rateLimit } from './rate-limit.ts';
import { outOfReach } from './reach.ts';
import type { Rule } from './rule.ts';
import { contentStatus, schedule } from './schedule.ts';
import { surface } from './surface.ts';
import { toolResults } from './tool-results.ts';
import { twoCalls } from './two-calls.ts';
import { unknownTools } from './unknown-tools.ts';
import { workspaces } from './workspaces.ts';

/** Every rule, by topic. */
export const rules: readonly Rule[] = [
  ...envelopes,
  ...headers,
  ...authentication,
  ...surface,
  ...unknownTools,
  ...bodies,
  ...credits,
  ...imageProposals,
  ...imageArguments,
  ...twoCalls,
  ...argumentErrors,
  ...workspaces,
  ...choices,
  ...outOfReach,
  ...contentRequests,
  ...contentRequestArguments,
  ...schedule,
  ...contentStatus,
  ...library,
  ...knowledge,
  ...toolResults,
  ...confirmations,
  ...invalidIds,
  ...expiry,
  ...race,
  ...rateLimit,
  ...fixedCodes,
];
