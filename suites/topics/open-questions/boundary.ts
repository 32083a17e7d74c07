import { toolPath, toolsPath } from '../../../fixtures/contract/tools.ts';
import { closedRoles, type Role } from '../../../fixtures/roles.ts';
import { lowerCaseScheme, noCredential } from '../../session/credentials.ts';
import { resolvingRoles } from '../../situations/plain.ts';
import type { Steps } from '../steps.ts';
import { observing } from '../story.ts';

const malformed = '{"workspace": ';

const unknownTool = (t: Steps) => `tck.${t.text('unknown tool')}`;

/** HTTP methods that the specification does not mention. */
export const otherMethods = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'] as const;

/** Observes which of two errors takes precedence, and the responses to other methods and paths. */
export const boundary = observing('observing the boundary', {
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
  steps: async (t) => {
    if (t.has('primary')) {
      const as = lowerCaseScheme(t.key('primary'));
      await t.observe('authentication.scheme-case', '', { tool: 'credits.balance', args: {}, as });
    }
    await t.observe('order.body-or-credential', '', { tool: 'schedule.read', body: malformed, as: noCredential });
    await t.observe('order.credential-or-tool', '', { tool: unknownTool(t), args: {}, as: noCredential });
    const [as] = t.present(closedRoles);
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
});

/** Returns a role whose key resolves to a workspace without the argument, or else `primary`. */
export function roleThatResolves(t: Steps): Role {
  return t.present(resolvingRoles)[0] ?? 'primary';
}

/** Observes bodies that the specification leaves open. */
export const bodies = observing('observing bodies', {
  observes: [
    'bodies.content-type',
    'bodies.duplicate-keys',
    'bodies.invalid-utf-8',
    'bodies.omitted',
    'bodies.white-space',
  ],
  steps: async (t) => {
    const { workspace } = t.deployment;
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
    for (const name of ['library.search', 'library.get', tool])
      await t.observe('bodies.omitted', name, { tool: name, as });
    await t.observe('bodies.white-space', '', { tool: 'credits.balance', body: ' \n\t', odd: true });
  },
});
