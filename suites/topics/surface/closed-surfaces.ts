import { toolNames } from '../../../fixtures/contract/tools.ts';
import { closedRoles } from '../../../fixtures/roles.ts';
import { closedSurfaces as steps, surfaces } from '../../model/rows/surfaces.ts';
import { effectOf } from '../../session/call.ts';
import { bearer, localAddress } from '../../session/credentials.ts';
import { witnessesOf } from '../declared/row-witnesses.ts';
import { story } from '../story.ts';

/**
 * Sends requests to every tool with keys whose API is closed. Leaves out tools with side effects that the run does not
 * allow.
 */
export const closedSurfaces = story('closed surfaces', {
  needs: { roles: [] },
  steps: async (t) => {
    for (const as of closedRoles) {
      await t.part(async () => {
        const credential = bearer(t.key(as));
        const tools = toolNames.filter((tool) => {
          const effect = effectOf({ tool, credential });
          return effect === undefined || t.target.allow.includes(effect);
        });
        const requests = tools.map((tool) => ({ tool, args: {}, as }));
        await t.sendInParallel('call every tool', requests);
        // A server may resolve a named workspace, or trust a local address, on a code path without the check.
        const named = { tool: 'schedule.read', args: t.here(), as };
        await t.send('request a workspace from a local address', { ...named, headers: localAddress });
      });
    }
  },
  alsoTests: [...[...steps, ...surfaces].map(({ id }) => id), ...witnessesOf(403)],
});
