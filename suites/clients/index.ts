import { confirmations } from './confirmations.ts';
import { keys } from './keys.ts';
import { limits } from './limits.ts';
import { otherServers } from './other-servers.ts';
import { outcomes } from './outcomes.ts';
import { requests } from './requests.ts';
import { retries } from './retries.ts';
import type { ClientRule } from './rule.ts';
import { workspaces } from './workspaces.ts';

/** All rules for clients, by topic. */
export const clientRules: readonly ClientRule[] = [
  ...keys,
  ...requests,
  ...outcomes,
  ...otherServers,
  ...workspaces,
  ...confirmations,
  ...limits,
  ...retries,
];
