import { authentication } from './authentication.ts';
import { bodies } from './bodies.ts';
import { confirmations } from './confirmations.ts';
import { credits } from './credits.ts';
import { envelopes } from './envelopes.ts';
import { expiry } from './expiry.ts';
import { headers } from './headers.ts';
import { imageArguments } from './image-arguments.ts';
import { imageProposals } from './image-proposals.ts';
import { race } from './race.ts';
import type { Rule } from './rule.ts';
import { surface } from './surface.ts';
import { twoCalls } from './two-calls.ts';
import { unknownTools } from './unknown-tools.ts';
import { worthlessIds } from './worthless-ids.ts';

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
  ...confirmations,
  ...worthlessIds,
  ...expiry,
  ...race,
];
