import type { Role } from '../../../fixtures/roles.ts';
import type { Target } from '../../../suites/target/target.ts';
import { invalidArguments, refusal, success } from '../answers.ts';
import { declines } from '../changes.ts';
import type { Deployments } from '../deployment.ts';
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

/** Deployments with unusual keys, workspaces, libraries and searches. */
export const reachDeployments: Deployments = {
  'primary-is-pinned': { world: primaryLike('pinned') },
  'primary-is-ambiguous': { world: primaryLike('ambiguous') },
  'primary-reaches-one': {
    world: primaryLike('sole'),
    target: () => ({ workspaces: [{ slug: 'dock', board: 'brd-11' }] }),
  },
  'primary-only': { target: keysOf('primary') },
  'primary-and-other-account': { target: keysOf('primary', 'otherAccount') },
  'nothing-but-keys': { target: () => ({ workspaces: [] }) },
  'no-other-account': {
    target: (server) => {
      const { otherAccount: _, ...keys } = thirdTarget(server).keys;
      return { keys };
    },
  },
  'no-clock': { target: (server) => ({ ...withoutClock(server) }) },
  'same-slugs-in-both-accounts': {
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
  'slugs-in-any-case': {
    steps: step('resolve', (next) => (c) => {
      const named = c.args.workspace;
      const found = typeof named === 'string' ? c.key.reach.find((one) => one === named.toLowerCase()) : undefined;
      return found === undefined ? next(c) : { slug: found, source: 'call-override' };
    }),
  },
  'pinned-keeps-to-its-pin': {
    steps: step('resolve', (next) => (c) => {
      const { pin } = c.key;
      const away = pin !== undefined && c.args.workspace !== undefined && c.args.workspace !== pin;
      return away ? refusal('key_is_pinned', 'This key is pinned.', { workspaces: [pin] }, true) : next(c);
    }),
  },
  'unknown-workspace-is-invalid': {
    steps: step('resolve', (next) => (c) => {
      const found = next(c);
      const unreachable = isAnswer(found) && c.args.workspace !== undefined;
      return unreachable ? invalidArguments([{ path: 'workspace', message: 'is not within reach' }]) : found;
    }),
  },
  'unreachable-without-choices': {
    steps: step('resolve', (next) => (c) => {
      const found = next(c);
      const unreachable = isAnswer(found) && c.args.workspace !== undefined;
      return unreachable ? refusal('E-1042', 'No.', {}, true) : found;
    }),
  },
  'sources-hidden': {
    steps: step('handle', (next) => async (c) => {
      const answer = await next(c);
      const { working_in: working } = answer.body as Fields;
      const shown = c.tool === 'content.create_request' || c.tool === 'images.generate';
      if (shown || typeof working !== 'object' || working === null || Array.isArray(working)) return answer;
      const { label, note } = working as { label: string; note: string };
      return { ...answer, body: { ...(answer.body as Fields), working_in: { label, note } } };
    }),
  },
  'library-shuffled': {
    settings: { pageSize: 1 },
    steps: step('run', (next) => (c) => {
      const items = c.tool === 'library.search' ? c.world.workspaces.get(c.at.slug)?.items : undefined;
      items?.push(...items.splice(0, 1));
      return next(c);
    }),
  },
  'library-of-all-pages': {
    settings: { pageSize: 1000 },
    world: (world) => {
      for (const { items } of world.workspaces.values()) for (const item of items) item.kind = `${item.kind} ✂`;
    },
  },
  'short-searches-declined': {
    steps: declines('query_too_short', ({ tool, args }) => {
      const length = String(args.query ?? '').length;
      return tool === 'library.search' && length > 0 && length < 4;
    }),
  },
  'searches-find-nothing': {
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
  'knowledge-off': { steps: declines('feature_off', ({ tool }) => tool === 'knowledge.search') },
  'balance-never-changes': { settings: { price: 0 } },
  'balance-tells-more': {
    steps: step(
      'run',
      (next) => async (c) =>
        c.tool === 'credits.balance'
          ? success({ balance: c.world.credits.get(c.key.account) ?? 0, workspace: null, plan: 'large' })
          : next(c),
    ),
  },
};

function withoutClock(server: ThirdServer): Partial<Target> {
  const { clock: _, ...target } = thirdTarget(server);
  return { ...target, allow: target.allow.filter((effect) => effect !== 'waiting') };
}
