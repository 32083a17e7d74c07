import { boundaryCodes } from '../../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../../fixtures/contract/headers.ts';
import { limits } from '../../../fixtures/contract/limits.ts';
import { boundary } from '../answers.ts';
import { all, type Change, declines } from '../changes.ts';
import type { Deployments } from '../deployment.ts';
import type { Answer, Call, World } from '../model.ts';
import { around, unauthorized } from '../steps.ts';

const creates = ({ tool }: Call): boolean => tool === 'content.create_request';
const proposes = ({ tool, args }: Call): boolean => tool === 'images.generate' && args.confirmation_id === undefined;
const titleOf = ({ args }: Call): string => String(args.title ?? '');
const dateOf = ({ args }: Call): Date => new Date(`${args.day}T00:00:00Z`);

/** Declines all requests after the first `most`. */
function declinesAfter(most: number, code: string, applies: (call: Call) => boolean): Change {
  let met = 0;
  return declines(code, (c) => applies(c) && ++met > most);
}

/** Declines the first `most` requests. */
function declinesFirst(most: number, code: string, applies: (call: Call) => boolean): Change {
  let met = 0;
  return declines(code, (c) => applies(c) && ++met <= most);
}

function limited(seconds: number): Answer {
  const answer = boundary(429, boundaryCodes.rateLimited, 'Too many requests.', { retry_after_seconds: seconds });
  return { ...answer, headers: { [responseHeaders.retryAfter]: String(seconds) } };
}

/** Limits the requests of each group to `most` in a period of real time. */
function inRealTime(most: number, milliseconds: number, group: (call: Call) => string | undefined) {
  const met = new Map<string, number[]>();
  return (c: Call): Answer | undefined => {
    const name = group(c);
    if (name === undefined) return undefined;
    const now = Date.now();
    const recent = (met.get(name) ?? []).filter((time) => time > now - milliseconds);
    if (recent.length >= most) return limited(Math.max(1, Math.ceil(((recent[0] ?? now) + milliseconds - now) / 1000)));
    met.set(name, [...recent, now]);
    return undefined;
  };
}

const change = (role: string, how: object) => (world: World) => void Object.assign(world.keys.get(role) ?? {}, how);

/** Deployments written after all rules. */
export const laterDeployments: Deployments = {
  'titles-of-robots': { steps: declines('spam', (c) => creates(c) && /^tck /.test(titleOf(c))) },
  'quota-of-five-pieces': { steps: declinesAfter(5, 'quota_reached', creates) },
  'creating-after-maintenance': { steps: declinesFirst(3, 'starting', creates) },
  'second-workspace-archived': { steps: declines('archived', (c) => creates(c) && c.at.slug === 'pier') },
  'images-in-one-workspace': {
    steps: declines('feature_off', (c) => c.tool === 'images.generate' && c.at.slug === 'pier'),
  },
  'second-account-on-trial': {
    steps: declines('trial', (c) => (creates(c) || c.tool === 'images.generate') && c.key.account === 'meadow'),
  },
  'sole-key-reads': {
    steps: declines('not_permitted', (c) => (creates(c) || c.tool === 'images.generate') && c.key.role === 'sole'),
  },
  'searches-of-words': {
    steps: declines(
      'search_rejected',
      (c) => c.tool.endsWith('.search') && (/[^\w ?]/.test(String(c.args.query)) || String(c.args.query).length > 60),
    ),
  },
  'fifteen-images-a-day': { steps: declinesAfter(40, 'daily_limit', proposes) },
  'this-month-only': {
    steps: declines('not_open_yet', (c) => creates(c) && dateOf(c).getUTCMonth() !== new Date(c.now).getUTCMonth()),
  },
  'short-lives': { settings: { lifetimeMinutes: limits.confirmation.surelyAlive + 2 } },
  'long-lives': { settings: { lifetimeMinutes: limits.confirmation.surelyDead - 1 } },
  'failed-keys-limited': {
    steps: (s) => {
      const over = inRealTime(40, 2000, () => 'address');
      around(
        s,
        'handle',
        (next) => async (c) => (s.credential(c) === undefined ? (over(c) ?? unauthorized()) : next(c)),
      );
    },
  },
  'proposals-limited-in-real-time': {
    steps: (s) => {
      const over = inRealTime(10, 1500, (c) => (c.tool === 'images.generate' ? c.key.secret : undefined));
      around(s, 'parse', (next) => (c) => over(c) ?? next(c));
    },
  },
  'unknown-names-limited': {
    steps: (s) => {
      const over = inRealTime(30, 1000, () => 'names');
      around(s, 'handle', (next) => async (c) => {
        const known = s.credential(c) === undefined || s.recognise(c) !== undefined;
        return known ? next(c) : (over(c) ?? next(c));
      });
    },
  },
  'boards-of-the-same-id': {
    world: ({ workspaces }) => {
      for (const slug of ['pier', 'barn']) workspaces.get(slug)?.boards.splice(0, 9, 'brd-11', 'brd-12');
    },
  },
  'sole-with-a-slug-of-primary': {
    world: (world) => {
      const barn = world.workspaces.get('barn');
      if (barn === undefined) return;
      world.workspaces.set('dock', { ...barn, slug: 'dock', boards: ['brd-11', 'brd-91'], pieces: [] });
      change('sole', { account: 'meadow', reach: ['dock'] })(world);
    },
  },
  'no-credits-anywhere': {
    world: ({ credits }) => {
      credits.set('harbour', 0);
      credits.set('meadow', 0);
    },
  },
  'refused-by-proposals-only': {
    settings: { shapes: ['16:9', '21:9'], counts: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] },
    steps: all(declines('brief_unfinished', (c) => proposes(c) && !String(c.args.brief).trimEnd().endsWith('.'))),
    target: () => ({ shape: '16:9' }),
  },
};
