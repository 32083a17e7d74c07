import type { Role } from '../../fixtures/roles.ts';
import { flow } from './flow.ts';

/** Roles whose keys are good but whose API is closed. */
const closedRoles = ['withoutAccess', 'accountSwitchOff', 'platformSwitchOff'] as const satisfies readonly Role[];

/** Keys whose API is closed ask every tool. */
export const closedSurfaces = flow(
  'closed surfaces',
  { lane: 'reading', needs: { roles: [] }, witnesses: ['headers.beta-on-403'] },
  async (t) => {
    const present = closedRoles.filter((role) => t.has(role));
    for (const as of present) await t.send('read', { tool: 'schedule.read', args: {}, as });
    const missing = closedRoles.map((role) => ({ kind: 'role', role }) as const);
    if (present.length === 0) t.cannot('no key whose API is closed', ...missing);
  },
);
