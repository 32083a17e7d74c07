import { type Role, roles } from '../../../fixtures/roles.ts';
import { effects } from '../../../fixtures/side-effects.ts';
import type { Target } from '../../../suites/target/target.ts';
import { invalidArguments, refusal } from '../answers.ts';
import { all, type Change, creates, declines, generates, onAnswer, onSuccess } from '../changes.ts';
import type { Deployments } from '../deployment.ts';
import type { Answer, Call, World } from '../model.ts';
import type { ThirdServer } from '../server.ts';
import { isAnswer, step } from '../steps.ts';
import { boardOf, thirdKeys } from '../target.ts';
import { workspace } from '../world.ts';

/** Configures only some keys. */
function keysOf(...chosen: Role[]): (server: ThirdServer) => Partial<Target> {
  return (server) => ({ keys: Object.fromEntries(chosen.map((role) => [role, thirdKeys(server)[role]])) });
}

/** Gives the key of `primary` the properties of another role. */
const primaryLike = (role: Role) => (world: World) => {
  const { secret, perMinute } = world.keys.primary;
  world.keys.primary = { ...world.keys[role], role: 'primary', secret, perMinute };
};

/** Configures the other account's key with a workspace and its board. */
function otherAccountIn(slug: string): (server: ThirdServer) => Partial<Target> {
  return (server) => {
    const keys = thirdKeys(server);
    const place = { workspace: slug, board: boardOf(server, slug) };
    return { keys: { ...keys, otherAccount: { ...keys.otherAccount, ...place } } };
  };
}

/** Refuses workspaces out of reach in another way. */
function unreachableIs(answer: () => Answer): Change {
  return step('resolve', (next) => (c) => {
    const found = next(c);
    return isAnswer(found) && c.args.workspace !== undefined ? answer() : found;
  });
}

const writes = (c: Call): boolean => creates(c) || generates(c);

const oddSlug = (name: string): string => `${name} & Söhne/№ 1 100%`;
const oddBoard = (id: string): string => `board:${id}?x=1&y="2"`;

/** Renames slugs and boards everywhere. */
function oddlyNamed({ workspaces, keys }: World): void {
  for (const [name, one] of [...workspaces]) {
    workspaces.delete(name);
    workspaces.set(oddSlug(name), { ...one, slug: oddSlug(name), boards: one.boards.map(oddBoard) });
  }
  for (const key of Object.values(keys)) {
    key.reach = key.reach.map(oddSlug);
    if (key.pin !== undefined) key.pin = oddSlug(key.pin);
    if (key.fallback !== undefined) key.fallback = oddSlug(key.fallback);
  }
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
  'no-other-account': { target: keysOf(...roles.filter((role) => role !== 'otherAccount')) },
  'no-clock': { target: () => ({ clock: undefined, allow: effects.filter((effect) => effect !== 'waiting') }) },
  'one-key-for-two-roles': {
    target: (server) => {
      const keys = thirdKeys(server);
      return { keys: { ...keys, primary: { ...keys.primary, key: keys.defaulted.key } } };
    },
  },
  'same-slugs-in-both-accounts': {
    world: (world) => {
      world.keys.otherAccount.reach = ['dock'];
      world.credits.meadow = world.credits.harbour;
    },
    target: otherAccountIn('dock'),
  },
  'sole-of-another-account': { world: ({ keys }) => Object.assign(keys.sole, { account: 'meadow', reach: ['barn'] }) },
  'sole-with-a-slug-of-primary': {
    world: (world) => {
      world.workspaces.set(...workspace('dock', ['brd-11', 'brd-91'], 5));
      Object.assign(world.keys.sole, { account: 'meadow', reach: ['dock'] });
    },
    target: otherAccountIn('dock'),
  },
  'sole-key-reads': { steps: declines('not_permitted', (c) => writes(c) && c.key.role === 'sole') },
  'second-account-on-trial': { steps: declines('trial', (c) => writes(c) && c.key.account === 'meadow') },
  'second-workspace-archived': { steps: declines('archived', (c) => creates(c) && c.at.slug === 'pier') },
  'pinned-of-another-account': {
    world: ({ workspaces, keys, credits }) => {
      for (const slug of ['east', 'west']) workspaces.set(...workspace(slug, [`b-${slug}`]));
      Object.assign(keys.pinned, { account: 'third', reach: ['east', 'west'], pin: 'east' });
      credits.third = 5;
    },
  },
  'pinned-ignores-the-argument': {
    steps: step('resolve', (next) => (c) => {
      const { pin } = c.key;
      return pin === undefined || c.args.workspace === '' ? next(c) : { slug: pin, source: 'key-pin' };
    }),
  },
  'pinned-keeps-to-its-pin': {
    steps: step('resolve', (next) => (c) => {
      const { pin } = c.key;
      const away = pin !== undefined && c.args.workspace !== undefined && c.args.workspace !== pin;
      return away ? refusal('key_is_pinned', 'This key is pinned.', { workspaces: [pin] }, true) : next(c);
    }),
  },
  'thirty-workspaces': {
    world: ({ workspaces, keys }) => {
      for (let number = 1; number <= 28; number += 1) {
        workspaces.set(...workspace(`ws-${number}`, [`brd-x${number}`]));
        for (const role of ['ambiguous', 'primary', 'pinned', 'defaulted', 'throttled'] as const) {
          keys[role].reach.push(`ws-${number}`);
        }
      }
    },
  },
  'odd-slugs-and-boards': {
    world: oddlyNamed,
    target: (server) => ({
      workspaces: ['dock', 'pier'].map(oddSlug).map((slug) => ({ slug, board: boardOf(server, slug) })),
      ...otherAccountIn(oddSlug('barn'))(server),
    }),
  },
  'boards-of-the-same-id': {
    world: ({ workspaces }) => {
      for (const slug of ['pier', 'barn']) workspaces.get(slug)?.boards.splice(0, 9, 'brd-11', 'brd-12');
    },
  },
  'slugs-in-any-case': {
    steps: step('resolve', (next) => (c) => {
      const named = c.args.workspace;
      const found = typeof named === 'string' ? c.key.reach.find((one) => one === named.toLowerCase()) : undefined;
      return found === undefined ? next(c) : { slug: found, source: 'call-override' };
    }),
  },
  'unknown-workspace-is-invalid': {
    steps: unreachableIs(() => invalidArguments([{ path: 'workspace', message: 'is not within reach' }])),
  },
  'unreachable-without-choices': { steps: unreachableIs(() => refusal('E-1042', 'No.', {}, true)) },
  'sources-hidden': {
    steps: onAnswer('handle', ({ body }, c) => {
      if (body.working_in === undefined || writes(c)) return;
      const { label, note } = body.working_in as { label: string; note: string };
      body.working_in = { label, note };
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
    world: ({ workspaces }) => {
      for (const { items } of workspaces.values()) for (const item of items) item.kind = `${item.kind} ✂`;
    },
  },
  'short-searches-declined': {
    steps: declines('query_too_short', ({ tool, args }) => {
      const { length } = String(args.query ?? '');
      return tool === 'library.search' && length > 0 && length < 4;
    }),
  },
  'searches-of-words': {
    steps: declines(
      'search_rejected',
      (c) => c.tool.endsWith('.search') && (/[^\w ?]/.test(String(c.args.query)) || String(c.args.query).length > 60),
    ),
  },
  'searches-find-nothing': {
    steps: onSuccess('library.search', (body, { args }) => {
      if (String(args.query ?? '') !== '') Object.assign(body, { items: [], total: 0, truncated: false });
    }),
  },
  'knowledge-off': { steps: declines('feature_off', ({ tool }) => tool === 'knowledge.search') },
  'relevance-of-all-kinds': {
    steps: all(
      onSuccess('knowledge.search', (body) => {
        body.hits = [-3.5, 12, 1e-9, 0].map((relevance) => ({ source: '', excerpt: '', relevance }));
      }),
      onSuccess('connections.status', (body) =>
        Object.assign(body, { connected: [], needs_attention: [], available: ['quill', 7] }),
      ),
    ),
  },
};
