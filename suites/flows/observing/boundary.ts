import { toolPath, toolsPath } from '../../../fixtures/contract/tools.ts';
import { type Role, roles } from '../../../fixtures/roles.ts';
import { lowerCaseScheme, noCredential } from '../../session/credentials.ts';
import { observing } from '../flow.ts';
import type { Steps } from '../steps.ts';

const malformed = '{"workspace": ';
const unknownTool = (t: Steps) => `tck.${t.text('unknown tool')}`;

/** Methods that the specification does not mention. */
export const otherMethods = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'] as const;

/** Roles whose keys are good but whose surface is closed. */
const closed: readonly Role[] = ['withoutAccess', 'accountSwitchOff', 'platformSwitchOff'];

/** What wins where two things are wrong at the boundary, and other methods and paths. */
export const boundary = observing(
  'observing the boundary',
  {
    lane: 'reading',
    needs: { roles: [] },
    observes: [
      'authentication.scheme-case',
      'order.body-or-credential',
      'order.credential-or-tool',
      'order.surface-or-body',
      'order.surface-or-tool',
      'paths.other-methods',
      'paths.other-paths',
    ],
  },
  async (t) => {
    if (t.has('primary')) {
      const as = lowerCaseScheme(t.key('primary'));
      await t.observe('authentication.scheme-case', '', { tool: 'credits.balance', args: {}, as });
    }
    await t.observe('order.body-or-credential', '', { tool: 'schedule.read', body: malformed, as: noCredential });
    await t.observe('order.credential-or-tool', '', { tool: unknownTool(t), args: {}, as: noCredential });
    const as = closed.find((role) => t.has(role));
    if (as !== undefined) {
      await t.observe('order.surface-or-body', '', { tool: 'schedule.read', body: malformed, as });
      await t.observe('order.surface-or-tool', '', { tool: unknownTool(t), args: {}, as });
    }
    if (!t.has('primary')) return;
    for (const method of otherMethods) {
      await t.observe('paths.other-methods', method, { tool: 'schedule.read', method, odd: true });
    }
    const path = toolPath('schedule.read');
    for (const other of [toolsPath, toolsPath.slice(0, -1), `${path}/`, `${path}/more`, path.replace('.', '%2E')]) {
      const asked = { tool: 'schedule.read', args: t.here(), path: other, odd: true };
      await t.observe('paths.other-paths', other, asked);
    }
  },
);

/** A role whose key needs no argument to find its workspace, as far as roles tell; otherwise `primary`. */
export function roleThatResolves(t: Steps): Role {
  return roles.find((role) => ['pinned', 'defaulted', 'sole'].includes(role) && t.has(role)) ?? 'primary';
}

/** Bodies of which the specification does not say what becomes of them. */
export const bodies = observing(
  'observing bodies',
  {
    lane: 'reading',
    observes: [
      'bodies.content-type',
      'bodies.duplicate-keys',
      'bodies.invalid-utf-8',
      'bodies.omitted',
      'bodies.white-space',
    ],
  },
  async (t) => {
    const { workspace } = t.known;
    const place = workspace === undefined ? '' : `"workspace": ${JSON.stringify(workspace)}, `;
    const tool = 'knowledge.search';
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const headers = { 'content-type': type };
      await t.observe('bodies.content-type', type, { tool: 'schedule.read', args: t.here(), headers, odd: true });
    }
    const twice = `{${place}"query": "first", "query": "last"}`;
    await t.observe('bodies.duplicate-keys', '', { tool, body: twice, odd: true });
    const latin = Buffer.from(`{${place}"query": "caf\xE9"}`, 'latin1');
    await t.observe('bodies.invalid-utf-8', '', { tool, body: latin, odd: true });
    const as = roleThatResolves(t);
    for (const each of ['library.search', 'library.get', tool])
      await t.observe('bodies.omitted', each, { tool: each, as });
    await t.observe('bodies.white-space', '', { tool: 'credits.balance', body: ' \n\t', odd: true });
  },
);
