import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import type { Source } from '../../../fixtures/contract/enums.ts';
import { byOthers } from '../../expectations/finding.ts';
import { sameRequest } from '../../expectations/promises.ts';
import { type Completed, isRefusal, isSuccess } from '../../history/exchange.ts';
import { is, success } from '../../model/answers.ts';
import { differing, row } from '../../model/row.ts';
import { declinedWith } from '../../situations/declined.ts';
import { resolvingRoles } from '../../situations/plain.ts';
import { isValid } from '../../situations/violations.ts';
import { creating, needs, nowhere, titled } from '../requests/content.ts';
import { story } from '../story.ts';
import { isRequest, tool } from './accepted.ts';

const rungs: Readonly<Record<string, Source>> = {
  pinned: 'key-pin',
  defaulted: 'stored-default',
  sole: 'sole-reachable',
};

export const unnamedRequests = story('content requests without a workspace', {
  needs: { ...needs, roles: [] },
  steps: async (t) => {
    const roles = t.present(resolvingRoles);
    const missing = resolvingRoles.map((role) => ({ kind: 'role' as const, role }));
    if (roles.length === 0) t.cannot('no key that resolves to a workspace without the argument', ...missing);
    for (const as of roles) {
      const own = await t.sendOnce('read in the default workspace of the key', { tool: 'schedule.read', args: {}, as });
      // A repeated refusal cannot come from a rule that declines occasional requests.
      const ways = [undefined, undefined, undefined, workspaceIn(own)].map((workspace) =>
        creating(t, { workspace, title: titled(t, `as ${as}`) }, { as }),
      );
      await t.firstAccepted('create with or without naming a workspace', ways, isSuccess);
      const unknown = creating(t, { workspace: undefined, tck_unknown: 'x' }, { as });
      await t.send('create with an unknown property and no workspace', unknown);
      if (as !== 'pinned') await t.send('create in a workspace that does not exist', nowhere(t, { as }));
    }
  },
  requirements: [
    row('content-requests.source-of-each-rung', {
      must:
        'The server MUST say in `source` how the workspace was selected: pin, stored default or ' +
        'only reachable one.',
      source: 'working_in object; Authentication, 6',
      applies: (exchange) =>
        isRequest(exchange) &&
        isValid(exchange) &&
        exchange.sender.role !== null &&
        Object.hasOwn(rungs, exchange.sender.role) &&
        exchange.request.args?.workspace === undefined,
      // The permissions of the key's holder are unknown: a refusal counts only if the request succeeds with a
      // workspace.
      twin: (exchange, seen) => {
        const resolved = isSuccess(exchange) || isRefusal(exchange, refusalCodes.workspaceAmbiguous);
        return resolved
          ? { succeeded: true, promisedBy: 'content-requests.created' }
          : sameRequest(exchange, seen, { except: ['workspace'] });
      },
      expect: (exchange) => {
        const source = rungs[String(exchange.sender.role)];
        const hint = `Check how ${tool} resolves the workspace of the key in the role '${exchange.sender.role}'.`;
        const finding = differing(exchange, [success, is('working_in.source', source)], hint);
        // A service may decline occasional requests by its own rule, such as every twentieth.
        return finding && declinedWith(exchange) !== undefined ? { ...finding, refutable: byOthers } : finding;
      },
    }),
  ],
});

const workspaceIn = ({ response }: Completed): unknown =>
  response.json !== null && typeof response.json === 'object' && 'workspace' in response.json
    ? response.json.workspace
    : undefined;
