import { toolNames } from '../../../fixtures/contract/tools.ts';
import { noCredential } from '../../session/credentials.ts';
import { story } from '../story.ts';
import { aServedRole, emptyRequests } from './empty-requests.ts';

/** Keys that were valid in the past. */
export const formerKeys = story('revoked and expired keys', {
  needs: { roles: [] },
  steps: async (t) => {
    const bases = new Set<string | undefined>();
    for (const role of ['revoked', 'expired'] as const) {
      await t.part(async () => {
        const { baseUrl } = t.key(role);
        if (bases.size === 0)
          await t.sendOnce('send a valid key', { tool: 'credits.balance', args: {}, as: aServedRole(t) });
        if (!bases.has(baseUrl)) {
          await t.sendInParallel(
            'send no credential',
            emptyRequests(t, ['schedule.read'], () => noCredential, role),
          );
        }
        bases.add(baseUrl);
        await t.sendInParallel(
          `send the ${role} key`,
          emptyRequests(t, toolNames, () => role, role),
        );
        // A server may resolve a named workspace on a code path without the check.
        const [asked] = emptyRequests(t, ['schedule.read'], () => role, role);
        if (asked !== undefined) await t.send(`name a workspace with the ${role} key`, { ...asked, args: t.here() });
      });
    }
  },
  alsoTests: [
    'authentication.revoked-refused',
    'authentication.expired-refused',
    'authentication.revoked-like-absent',
    'authentication.expired-like-absent',
  ],
});
