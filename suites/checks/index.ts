import type { Check } from '../check.ts';
import { fuzzing } from '../fuzz/index.ts';
import { argumentErrors } from './arguments.ts';
import { choices } from './choices.ts';
import { connections } from './connections.ts';
import { contentRequestArguments } from './content-request-arguments.ts';
import { contentRequests } from './content-requests.ts';
import { contentStatus } from './content-status.ts';
import { knowledge } from './knowledge.ts';
import { library } from './library.ts';
import { oddValues } from './odd-values.ts';
import { outOfReach } from './out-of-reach.ts';
import { rateLimit } from './rate-limit.ts';
import { rungs } from './rungs.ts';
import { schedule } from './schedule.ts';
import { unresolved } from './unresolved.ts';
import { withinAccount } from './within-account.ts';
import { workspaces } from './workspaces.ts';

/** Every check, in the order in which a reader wants to meet them. */
export const checks: readonly Check[] = [
  ...argumentErrors,
  ...fuzzing,
  ...oddValues,
  ...workspaces,
  ...withinAccount,
  ...rungs,
  ...unresolved,
  ...choices,
  ...outOfReach,
  ...contentRequests,
  ...contentRequestArguments,
  ...schedule,
  ...contentStatus,
  ...library,
  ...knowledge,
  ...connections,
  ...rateLimit,
];
