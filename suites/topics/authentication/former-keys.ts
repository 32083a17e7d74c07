import { toolNames } from '../../../fixtures/contract/tools.ts';
import { noCredential } from '../../session/credentials.ts';
import { story } from '../story.ts';
import { aServedRole, emptyRequests } from './empty-requests.ts';
import { likeAbsent, refused, type Which } from './refused.ts';

const revoked: Which = ({ sender }) => sender.kind === 'key' && sender.role === 'revoked';

const expired: Which = ({ sender }) => sender.kind === 'key' && sender.role === 'expired';

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
  requirements: [
    refused('authentication.revoked-refused', 'a revoked key, on every tool', revoked),
    refused('authentication.expired-refused', 'an expired key, on every tool', expired),
    likeAbsent(
      'authentication.revoked-like-absent',
      'The server MUST return the same 401, body and headers, for a revoked key as for an absent credential.',
      revoked,
    ),
    likeAbsent(
      'authentication.expired-like-absent',
      'The server MUST return the same 401, body and headers, for an expired key as for an absent credential.',
      expired,
    ),
  ],
});
