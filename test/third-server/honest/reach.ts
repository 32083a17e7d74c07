import type { Role } from '../../../fixtures/roles.ts';
import type { Target } from '../../../suites/target/target.ts';
import { invalidArguments, refusal, success } from '../answers.ts';
import { declines, onSuccess } from '../changes.ts';
import type { Deployment } from '../deployment.ts';
import type { Fields, World } from '../model.ts';
import type { ThirdServer } from '../server.ts';
import { around, isAnswer, step } from '../steps.ts';
import { thirdTarget } from '../target.ts';

/** Configures only some keys. */
function keysOf(...roles: Role[]): (server: ThirdServer) => Partial<Target> {
  return (server) => {
    const keys = Object.entries(thirdTarget(server).keys).filter(([role]) => roles.includes(role as Role));
    return { keys: Object.fromEntries(keys) };
  };
}

/** Gives the key of `primary` the properties of another role. */
function primaryLike(role: Role): (world: World) => void {
  return (world) => {
    const [primary, other] = [world.keys.get('primary'), world.keys.get(role)];
    if (primary === undefined || other === undefined) return;
    const { secret, perMinute } = primary;
    world.keys.set('primary', { ...other, role: 'primary', secret, perMinute });
    const own = world.keys.get('primary');
    if (role !== 'defaulted') delete own?.fallback;
  };
}

/** Requirements that may stay untested without keys of other roles. */
const _oneKey = [
  'authentication.*',
  'surface.*',
  'workspaces.*',
  'rate-limit.*',
  'headers.*',
  'credits.*',
  'content-requests.*',
  'image-proposals.*',
  'confirmations.*',
] as const;

const _noOther = ['confirmations.other-account-*', '*.workspace-unreachable-refused', 'workspaces.unreachable-refused'];

/** Deployments with unusual keys, workspaces, libraries and searches. */
export const reachDeployments: Deployment[] = [
  { id: 'primary-is-pinned', sentence: 'The key of `primary` is pinned.', world: primaryLike('pinned') },
  { id: 'primary-is-ambiguous', sentence: 'The key of `primary` has no default.', world: primaryLike('ambiguous') },
  {
    id: 'primary-reaches-one',
    sentence: 'The key of `primary` reaches one workspace, and one is configured.',
    world: primaryLike('sole'),
    target: () => ({ workspaces: [{ slug: 'dock', board: 'brd-11' }] }),
  },
  {
    id: 'primary-only',
    sentence: 'Only the key of `primary` is configured.',
    target: keysOf('primary'),
  },
  {
    id: 'primary-and-other-account',
    sentence: 'Two keys are configured, of two accounts.',
    target: keysOf('primary', 'otherAccount'),
  },
  {
    id: 'nothing-but-keys',
    sentence: 'Neither workspaces nor boards are configured.',
    target: () => ({ workspaces: [] }),
  },
  {
    id: 'no-other-account',
    sentence: 'There is no key of another account.',
    target: (server) => {
      const { otherAccount: _, ...keys } = thirdTarget(server).keys;
      return { keys };
    },
  },
  {
    id: 'no-clock',
    sentence: 'The clock cannot be moved, and waiting is not allowed.',
    target: (server) => ({ ...withoutClock(server) }),
  },
  {
    id: 'same-slugs-in-both-accounts',
    sentence: 'The second account has a workspace, a board, items and a balance just like the first.',
    world: (world) => {
      const other = world.keys.get('otherAccount');
      if (other !== undefined) other.reach = ['dock'];
      world.credits.set('meadow', world.credits.get('harbour') ?? 0);
    },
    target: (server) => {
      const { keys } = thirdTarget(server);
      const { otherAccount } = keys;
      if (otherAccount === undefined) return {};
      return { keys: { ...keys, otherAccount: { ...otherAccount, workspace: 'dock', board: 'brd-11' } } };
    },
  },
  {
    id: 'slugs-in-any-case',
    sentence: 'Slugs are found in any case, and results name the canonical one.',
    steps: step('resolve', (next) => (c) => {
      const named = c.args.workspace;
      const found = typeof named === 'string' ? c.key.reach.find((one) => one === named.toLowerCase()) : undefined;
      return found === undefined ? next(c) : { slug: found, source: 'call-override' };
    }),
  },
  {
    id: 'pinned-keeps-to-its-pin',
    sentence: 'A pinned key is refused other workspaces.',
    steps: step('resolve', (next) => (c) => {
      const { pin } = c.key;
      const away = pin !== undefined && c.args.workspace !== undefined && c.args.workspace !== pin;
      return away ? refusal('key_is_pinned', 'This key is pinned.', { workspaces: [pin] }, true) : next(c);
    }),
  },
  {
    id: 'unknown-workspace-is-invalid',
    sentence: 'A workspace out of reach is an invalid argument.',
    steps: step('resolve', (next) => (c) => {
      const found = next(c);
      const unreachable = isAnswer(found) && c.args.workspace !== undefined;
      return unreachable ? invalidArguments([{ path: 'workspace', message: 'is not within reach' }]) : found;
    }),
  },
  {
    id: 'unreachable-without-choices',
    sentence: 'The refusal of a workspace out of reach lists no choices, under an unusual code.',
    steps: step('resolve', (next) => (c) => {
      const found = next(c);
      const unreachable = isAnswer(found) && c.args.workspace !== undefined;
      return unreachable ? refusal('E-1042', 'No.', {}, true) : found;
    }),
  },
  {
    id: 'sources-hidden',
    sentence: 'Results tell workspace and source only where they have to.',
    steps: step('handle', (next) => async (c) => {
      const answer = await next(c);
      const { working_in: working } = answer.body as Fields;
      const shown = c.tool === 'content.create_request' || c.tool === 'images.generate';
      if (shown || typeof working !== 'object' || working === null || Array.isArray(working)) return answer;
      const { label, note } = working as { label: string; note: string };
      return { ...answer, body: { ...(answer.body as Fields), working_in: { label, note } } };
    }),
  },
  {
    id: 'empty-library',
    sentence: 'The libraries are empty.',
    world: (world) => {
      for (const one of world.workspaces.values()) one.items = [];
    },
  },
  {
    id: 'library-shuffled',
    sentence: 'Items come in another order each time, one on a page.',
    settings: { pageSize: 1 },
    steps: step('run', (next) => (c) => {
      const items = c.tool === 'library.search' ? c.world.workspaces.get(c.at.slug)?.items : undefined;
      items?.push(...items.splice(0, 1));
      return next(c);
    }),
  },
  {
    id: 'library-of-all-pages',
    sentence: 'All items come on one page, with unusual kinds and rolls.',
    settings: { pageSize: 1000 },
    world: (world) => {
      for (const { items } of world.workspaces.values()) for (const item of items) item.kind = `${item.kind} ✂`;
    },
  },
  {
    id: 'short-searches-declined',
    sentence: 'Searches of one to three characters are declined.',
    steps: declines('query_too_short', ({ tool, args }) => {
      const length = String(args.query ?? '').length;
      return tool === 'library.search' && length > 0 && length < 4;
    }),
  },
  {
    id: 'searches-find-nothing',
    sentence: 'Only an empty query finds items.',
    steps: (s) => {
      around(s, 'run', (next) => async (c) => {
        const words = c.tool === 'library.search' && String(c.args.query ?? '') !== '';
        const answer = await next(c);
        return words
          ? { ...answer, body: { ...(answer.body as Fields), items: [], total: 0, truncated: false } }
          : answer;
      });
    },
  },
  {
    id: 'no-hits',
    sentence: 'The knowledge base is empty.',
    steps: onSuccess('knowledge.search', (body) => {
      body.hits = [];
    }),
  },
  {
    id: 'short-questions-declined',
    sentence: 'Questions of fewer than 12 characters are declined.',
    steps: declines('question_too_short', ({ tool, args }) => {
      return tool === 'knowledge.search' && String(args.query ?? '').length < 12;
    }),
  },
  {
    id: 'knowledge-off',
    sentence: 'The knowledge base is not part of the plan.',
    steps: declines('feature_off', ({ tool }) => tool === 'knowledge.search'),
  },
  {
    id: 'balance-of-zero',
    sentence: 'The second account has no credits, and balances are written with a fraction.',
    world: (world) => {
      world.credits.set('meadow', 0);
      world.credits.set('harbour', 611.25);
    },
  },
  {
    id: 'balance-never-changes',
    sentence: 'Images are free.',
    settings: { price: 0 },
  },
  {
    id: 'balance-tells-more',
    sentence: '`credits.balance` tells a workspace too.',
    steps: step(
      'run',
      (next) => async (c) =>
        c.tool === 'credits.balance'
          ? success({ balance: c.world.credits.get(c.key.account) ?? 0, workspace: null, plan: 'large' })
          : next(c),
    ),
  },
];

function withoutClock(server: ThirdServer): Partial<Target> {
  const { clock: _, ...target } = thirdTarget(server);
  return { ...target, allow: target.allow.filter((effect) => effect !== 'waiting') };
}
