import { toolNames } from '../../fixtures/contract/tools.ts';
import { closedRoles } from '../../fixtures/roles.ts';
import { effectOf } from '../session/call.ts';
import { bearer } from '../session/credentials.ts';
import { flow } from './flow.ts';
import { witnessesOf } from './row-witnesses.ts';

/** Keys whose API is closed ask every tool, apart from those that could change something where that is not allowed. */
export const closedSurfaces = flow(
  'closed surfaces',
  {
    lane: 'reading',
    needs: { roles: [] },
    witnesses: [
      'surface.without-access-refused',
      'surface.account-switch-refused',
      'surface.platform-switch-refused',
      'surface.codes-tell-causes-apart',
      ...witnessesOf(403),
    ],
  },
  async (t) => {
    for (const as of closedRoles) {
      await t.part(async () => {
        const credential = bearer(t.key(as));
        const tools = toolNames.filter((tool) => {
          const effect = effectOf({ tool, credential });
          return effect === undefined || t.target.allow.includes(effect);
        });
        const requests = tools.map((tool) => ({ tool, args: {}, as }));
        await t.sendAll('ask every tool', requests);
      });
    }
  },
);
