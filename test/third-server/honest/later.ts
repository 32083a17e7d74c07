import { boundaryCodes, quoted } from '../../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../../fixtures/contract/headers.ts';
import { limits } from '../../../fixtures/contract/limits.ts';
import { boundary, refusal } from '../answers.ts';
import { all, type Change, declines, onSuccess } from '../changes.ts';
import type { Deployment } from '../deployment.ts';
import type { Answer, Call, Fields, World } from '../model.ts';
import { around, step, unauthorized } from '../steps.ts';

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

/** These deployments test for false findings only, so any requirement may stay untested. */
const _anything = ['*'];

/** Deployments written after all rules. */
export const laterDeployments: Deployment[] = [
  {
    id: 'titles-of-robots',
    sentence: 'Titles that begin with a word of three letters and digits are declined as spam.',
    steps: declines('spam', (c) => creates(c) && /^tck /.test(titleOf(c))),
  },
  {
    id: 'quota-of-five-pieces',
    sentence: 'The plan has five pieces a month.',
    steps: declinesAfter(5, 'quota_reached', creates),
  },
  {
    id: 'creating-after-maintenance',
    sentence: 'The first three content requests are declined, since the planner is starting.',
    steps: declinesFirst(3, 'starting', creates),
  },
  {
    id: 'second-workspace-archived',
    sentence: 'Nothing is created in the workspace `pier`, which is archived.',
    steps: declines('archived', (c) => creates(c) && c.at.slug === 'pier'),
  },
  {
    id: 'images-in-one-workspace',
    sentence: 'The workspace `pier` has no images in its plan.',
    steps: declines('feature_off', (c) => c.tool === 'images.generate' && c.at.slug === 'pier'),
  },
  {
    id: 'second-account-on-trial',
    sentence: 'The second account may read and nothing else.',
    steps: declines('trial', (c) => (creates(c) || c.tool === 'images.generate') && c.key.account === 'meadow'),
  },
  {
    id: 'sole-key-reads',
    sentence: 'The holder of the key `sole` may read and nothing else.',
    steps: declines('not_permitted', (c) => (creates(c) || c.tool === 'images.generate') && c.key.role === 'sole'),
  },
  {
    id: 'knowledge-in-one-workspace',
    sentence: 'The workspace `pier` has no knowledge base.',
    steps: declines('no_knowledge', (c) => c.tool === 'knowledge.search' && c.at.slug === 'pier'),
  },
  {
    id: 'searches-of-words',
    sentence: 'Searches with signs or with more than 60 characters are declined.',
    steps: declines(
      'search_rejected',
      (c) => c.tool.endsWith('.search') && (/[^\w ?]/.test(String(c.args.query)) || String(c.args.query).length > 60),
    ),
  },
  {
    id: 'two-searches-of-knowledge',
    sentence: 'The knowledge base answers eight questions a day.',
    steps: declinesAfter(8, 'quota_reached', (c) => c.tool === 'knowledge.search'),
  },
  {
    id: 'fifteen-images-a-day',
    sentence: 'An account has 40 proposals a day.',
    steps: declinesAfter(40, 'daily_limit', proposes),
  },
  {
    id: 'this-month-only',
    sentence: 'Only the days of this month are open.',
    steps: declines('not_open_yet', (c) => creates(c) && dateOf(c).getUTCMonth() !== new Date(c.now).getUTCMonth()),
  },
  {
    id: 'open-on-even-days',
    sentence: 'Even days of a month are open.',
    steps: declines('day_closed', (c) => creates(c) && dateOf(c).getUTCDate() % 2 === 1),
  },
  {
    id: 'no-day-is-open',
    sentence: 'No day is open.',
    steps: declines('closed', creates),
  },
  {
    id: 'brief-of-60-to-80',
    sentence: 'Briefs have 60 to 80 characters.',
    settings: { brief: [60, 80] },
  },
  {
    id: 'brief-of-500',
    sentence: 'Briefs have 500 characters or more.',
    settings: { brief: [500, 4000] },
  },
  {
    id: 'short-lives',
    sentence: 'A confirmation lives for a short time.',
    settings: { lifetimeMinutes: limits.confirmation.surelyAlive + 2 },
  },
  {
    id: 'long-lives',
    sentence: 'A confirmation lives for a long time.',
    settings: { lifetimeMinutes: limits.confirmation.surelyDead - 1 },
  },
  {
    id: 'failed-keys-limited',
    sentence: 'An address has 40 bad credentials in two seconds of real time.',
    steps: (s) => {
      const over = inRealTime(40, 2000, () => 'address');
      around(
        s,
        'handle',
        (next) => async (c) => (s.credential(c) === undefined ? (over(c) ?? unauthorized()) : next(c)),
      );
    },
  },
  {
    id: 'proposals-limited-in-real-time',
    sentence: 'A key has ten calls for images in a second and a half of real time.',
    steps: (s) => {
      const over = inRealTime(10, 1500, (c) => (c.tool === 'images.generate' ? c.key.secret : undefined));
      around(s, 'parse', (next) => (c) => over(c) ?? next(c));
    },
  },
  {
    id: 'unknown-names-limited',
    sentence: 'Names that are no tool have a limit of 30 in a second of real time.',
    steps: (s) => {
      const over = inRealTime(30, 1000, () => 'names');
      around(s, 'handle', (next) => async (c) => {
        const known = s.credential(c) === undefined || s.recognise(c) !== undefined;
        return known ? next(c) : (over(c) ?? next(c));
      });
    },
  },
  {
    id: 'boards-of-the-same-id',
    sentence: 'Boards of both workspaces have the same ids.',
    world: ({ workspaces }) => {
      for (const slug of ['pier', 'barn']) workspaces.get(slug)?.boards.splice(0, 9, 'brd-11', 'brd-12');
    },
  },
  {
    id: 'sole-with-a-slug-of-primary',
    sentence: 'The key `sole` is of the second account, which has a workspace of the same slug as the first.',
    world: (world) => {
      const barn = world.workspaces.get('barn');
      if (barn === undefined) return;
      world.workspaces.set('dock', { ...barn, slug: 'dock', boards: ['brd-11', 'brd-91'], pieces: [] });
      change('sole', { account: 'meadow', reach: ['dock'] })(world);
    },
  },
  {
    id: 'no-credits-anywhere',
    sentence: 'Both accounts have no credits.',
    world: ({ credits }) => {
      credits.set('harbour', 0);
      credits.set('meadow', 0);
    },
  },
  {
    id: 'changed-requests-refused',
    sentence: `A second call with another board is ${quoted.boardNotFound}, and one with another brief is refused.`,
    steps: step(
      'dispatch',
      (next) => async (c, proposal) =>
        c.args.brief === proposal.brief ? next(c, proposal) : refusal('brief_changed', 'Confirm what was shown.'),
    ),
  },
  {
    id: 'one-proposal-of-a-brief',
    sentence: 'The same request, told again by the same key, gets a fresh id, and both are good.',
    steps: onSuccess('images.generate', (body) => {
      if (body.status === 'confirmation_required') Object.assign(body, { repeated: true });
    }),
  },
  {
    id: 'messages-that-differ',
    sentence: 'Every message ends with a number of its own, 401 and 404 apart.',
    steps: (s) => {
      let number = 0;
      around(s, 'finish', (next) => async (c, answer) => {
        const done = await next(c, answer);
        const body = done.body as Fields;
        number += 1;
        return done.status === 200 && body.ok === false
          ? { ...done, body: { ...body, message: `${body.message} (${number})` } }
          : done;
      });
    },
  },
  {
    id: 'refused-by-proposals-only',
    sentence: 'Shapes are wide only, counts are one to ten, and briefs end with a full stop or are declined.',
    settings: { shapes: ['16:9', '21:9'], counts: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] },
    steps: all(declines('brief_unfinished', (c) => proposes(c) && !String(c.args.brief).trimEnd().endsWith('.'))),
    target: () => ({ shape: '16:9' }),
  },
];
