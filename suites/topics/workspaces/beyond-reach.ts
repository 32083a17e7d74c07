import { sameRequest } from '../../expectations/promises.ts';
import { isRefusal, isSuccess } from '../../history/exchange.ts';
import { row } from '../../model/row.ts';
import { isValid } from '../../situations/violations.ts';
import { creating, titled } from '../requests/content.ts';
import { proposing } from '../requests/proposals.ts';
import { elsewhere, readAll } from '../requests/read-all.ts';
import { story } from '../story.ts';
import { beyond } from './slugs.ts';

const withinAccount = row('workspaces.unreachable-within-account', {
  must: 'If a key reaches only one workspace, the server MUST refuse every other workspace.',
  source: 'Authentication, 3 and 6; What the service does, rule 2',
  severity: 'data-isolation',
  applies: (exchange, seen) => {
    const { sender, request, invented } = exchange;
    const [own, workspace] = [seen.places.own(sender.role), request.args?.workspace];
    if (sender.role !== 'sole' || sender.kind !== 'key' || own === undefined || typeof workspace !== 'string')
      return false;
    const isOther = workspace.toLowerCase() !== own.toLowerCase() && !seen.places.isTold(sender.role, workspace);
    if (!seen.knowledge.complete) return false;
    const judgeable = invented.length === 0 && (isSuccess(exchange) || isRefusal(exchange));
    return isOther && judgeable && isValid(exchange) && request.args?.confirmation_id === undefined;
  },
  // The twin is the same request with a key that reaches the workspace.
  twin: (exchange, seen) => {
    const { tool, args } = exchange.request;
    const isThere = seen.places.reaches('primary', String(args?.workspace));
    const except = tool === 'content.create_request' ? ['workspace'] : [];
    const twin = sameRequest(exchange, seen, { role: 'primary', except });
    return { ...twin, succeeded: isSuccess(exchange) || (isThere && twin.succeeded) };
  },
  expect: (exchange) => {
    if (!isSuccess(exchange)) return undefined;
    return {
      expected: `${exchange.request.tool} to refuse a workspace that the key in the role 'sole' does not reach`,
      hint: 'Check in every tool whether the holder of the key is a member of the requested workspace.',
    };
  },
});

export const beyondReach = story('the sole key in another workspace', {
  needs: { roles: ['primary', 'sole'], settings: ['workspace', 'otherWorkspace'] },
  steps: async (t) => {
    const workspace = await beyond(t);
    // Uses items that exist in the other workspace, as `primary` has read them.
    const readings = await readAll(t, 'read as primary', { workspace }, { once: true });
    for (const asked of elsewhere(readings, () => workspace)) {
      await t.send('send the same request as sole', { ...asked, as: 'sole' });
    }
  },
  requirements: [withinAccount],
});

export const creatingBeyondReach = story('content requests of the sole key in another workspace', {
  needs: { roles: ['primary', 'sole'], effects: ['writes'], settings: ['workspace', 'otherWorkspace'] },
  steps: async (t) => {
    const workspace = await beyond(t);
    await t.send('read in that workspace as primary', { tool: 'schedule.read', args: { workspace } });
    const title = titled(t, 'beyond reach');
    await t.send('create in that workspace as sole', creating(t, { workspace, title }, { as: 'sole' }));
  },
  alsoTests: [withinAccount.id],
});

export const proposingBeyondReach = story('proposals of the sole key in another workspace', {
  needs: {
    roles: ['primary', 'sole'],
    effects: ['proposals'],
    settings: ['board', 'workspace', 'otherWorkspace', 'otherBoard'],
  },
  steps: async (t) => {
    const workspace = await beyond(t);
    const board = workspace === t.deployment.workspace ? t.setting('board') : t.setting('otherBoard');
    const there = proposing(t, { workspace, board });
    await t.send('propose in that workspace as primary', there);
    await t.send('propose in that workspace as sole', { ...there, as: 'sole' });
  },
  alsoTests: [withinAccount.id],
});
