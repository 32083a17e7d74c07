import { confirms, onAnswer, onSuccess } from '../changes.ts';
import type { Deviations } from '../deployment.ts';
import type { Fields } from '../model.ts';
import { step } from '../steps.ts';

const create = 'content.create_request';
/** Rules that hold for most keys, but not for one. */
export const roles = {
  'For the second account any format is accepted': {
    breaks: ['content-requests.format-unknown-refused'],
    steps: step('check', (next) => (c) => {
      const issues = next(c);
      return c.tool === create && c.key.role === 'otherAccount'
        ? issues.filter(({ path }) => path !== 'format')
        : issues;
    }),
  },
  'The second account may propose on boards that do not exist': {
    breaks: ['image-proposals.board-unknown-refused'],
    steps: step('board', (next) => (c, id) => c.key.role === 'otherAccount' || next(c, id)),
  },
  'A content request of a key with one workspace lacks week_block_id': {
    breaks: ['content-requests.all-fields-present'],
    steps: onSuccess(create, (body, { key }) => {
      if (key.role === 'sole') delete body.week_block_id;
    }),
  },
  'A key with a default gets its question back without capitals': {
    breaks: ['knowledge.query-echoed'],
    steps: onSuccess('knowledge.search', (body, { key }) => {
      if (key.role === 'defaulted') body.query = String(body.query).toLowerCase();
    }),
  },
  'A key with a default is served in it when it names a workspace that does not exist': {
    breaks: [
      'workspaces.unknown-refused',
      'workspaces.unreachable-refused',
      'workspaces.argument-honoured',
      'workspaces.source-call-override',
    ],
    steps: step('resolve', (next) => (c) => {
      const found = next(c);
      const reads = c.tool.endsWith('.read') || c.tool.startsWith('library.');
      if ('slug' in found || c.key.role !== 'defaulted' || !reads) return found;
      return { slug: 'dock', source: 'stored-default' };
    }),
  },
  'Keys of the second account may propose in workspaces of the first': {
    breaks: ['image-proposals.workspace-unreachable-refused'],
    steps: step('resolve', (next) => (c) => {
      const named = String(c.args.workspace);
      const abroad = c.tool === 'images.generate' && c.key.role === 'otherAccount' && c.world.workspaces.has(named);
      return abroad ? { slug: named, source: 'call-override' } : next(c);
    }),
  },
  'An empty workspace counts as left out for keys that reach one workspace of their account': {
    breaks: ['workspaces.empty-refused', 'image-proposals.workspace-empty-refused'],
    steps: step('check', (next) => (c) => {
      if (c.key.account === 'meadow' && c.args.workspace === '') delete c.args.workspace;
      return next(c);
    }),
  },
  'A content request of a pinned key says that its default was used': {
    breaks: ['content-requests.source-of-each-rung', 'workspaces.source-key-pin'],
    steps: step('create', (next) => (c) => {
      if (c.at.source === 'key-pin') c.at = { ...c.at, source: 'stored-default' };
      return next(c);
    }),
  },
  'A proposal by a key with one workspace does not tell the source': {
    breaks: ['image-proposals.working-in-source'],
    steps: onAnswer('propose', ({ body }, { at }) => {
      if (at.source === 'sole-reachable') delete (body.working_in as Fields).source;
    }),
  },
  'Only ids of the second account are kept from others: it confirms those of the first': {
    breaks: ['confirmations.other-account-invalid'],
    steps: confirms((c, one) => c.key.role === 'otherAccount' && !one.used),
  },
  'A key with one workspace that names another one is served its own by connections.status': {
    breaks: ['workspaces.unreachable-within-account', 'workspaces.argument-honoured', 'workspaces.unknown-refused'],
    steps: step('resolve', (next) => (c) => {
      const own = c.tool === 'connections.status' && c.key.role === 'sole';
      return own ? { slug: 'dock', source: 'sole-reachable' } : next(c);
    }),
  },
} satisfies Deviations;
