import { fixedCodeOr } from '../../../fixtures/contract/codes.ts';
import { seededRandom } from '../../seeded/random.ts';
import type { Behavior } from '../../server/behavior.ts';
import { type Body, body, changing, headers, status, type When } from '../changes/responses.ts';
import { around } from '../changes/steps.ts';
import { type Deviation, together, type Variant } from '../defect.ts';

const everything: When = () => true;

/** Adds members to every object in a value. */
function extended(value: unknown, extra: () => Body): unknown {
  if (Array.isArray(value)) return value.map((member) => extended(member, extra));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, extended(member, extra)] as const);
  return { ...Object.fromEntries(members), ...extra() };
}

const changingExtras: Deviation = (behavior) => {
  const random = seededRandom(1);
  const some = () => random().toString(36).slice(2, 10);
  const extra = () => ({ x_seen: some() });
  return together(
    // The cast is safe because the body is an object.
    changing(
      status(200),
      body((given) => extended(given, extra) as Body),
    ),
    changing(everything, (response, call) =>
      headers({
        'x-request-id': some(),
        'x-response': some(),
        'set-cookie': `node=${some()}; HttpOnly`,
        'ratelimit-remaining': String(Math.floor(random() * 500)),
        'server-timing': `app;dur=${(random() * 20).toFixed(1)}`,
      })(response, call),
    ),
  )(behavior);
};

const optional = ['title', 'workspace', 'query', 'confirmation_id'];

const nullsAreAbsent = around('readBody', (read) => (call) => {
  const response = read(call);
  const given = Object.entries(call.body).filter(([name, value]) => value !== null || !optional.includes(name));
  call.body = Object.fromEntries(given);
  return response;
});

const jitter: Deviation = (behavior) => {
  const random = seededRandom(4);
  return changing(everything, (response) => ({ ...response, delivery: { delayMs: 1 + 39 * random() } }))(behavior);
};

export const rated =
  (rate: Partial<Behavior['rate']>): Deviation =>
  (behavior) => ({ ...behavior, rate: { ...behavior.rate, ...rate } });

/** Variants of the steps before a tool runs. */
export const boundaryVariants = {
  'changing-extras': {
    what: 'adds undocumented fields and headers that are new in every response',
    room: 'only the boundary error forbids other keys',
    deviation: changingExtras,
  },
  'other-codes': {
    what: 'has other codes for 401, 403, 404, unreachable workspaces and unknown items',
    room: 'Boundary errors: codes of 401 and 404 and the other ones of 403 are not shown',
    deviation: (behavior) => ({
      ...behavior,
      codes: {
        ...behavior.codes,
        unauthenticated: fixedCodeOr('unauthenticated', 'edge.who_are_you'),
        platformSwitchOff: fixedCodeOr('platformSwitchOff', 'edge.closed_everywhere'),
        withoutAccess: fixedCodeOr('withoutAccess', 'edge.not_for_you'),
        noSuchTool: fixedCodeOr('noSuchTool', 'edge.nothing_here'),
        workspaceUnreachable: 'desk_out_of_reach',
        itemNotFound: 'item_gone',
        insufficientCredits: 'purse_empty',
      },
    }),
  },
  'nulls-are-absent': {
    what: 'treats null for an optional argument as omitted',
    room: 'Endpoints: null is not mentioned',
    deviation: nullsAreAbsent,
  },
} satisfies Readonly<Record<string, Variant>>;

/** Variants of rate limits, JSON, connections and keys. */
export const transportVariants = {
  'small-cap': {
    what: 'allows a key 25 requests in two seconds',
    room: 'Limits: the number is not shown',
    decides: 'rate limit',
    deviation: rated({
      windowSeconds: 2,
      limit: ({ role, rateLimit }) => Math.min(rateLimit, role === 'throttled' ? 10 : 25),
    }),
  },
  'pretty-printed': {
    what: 'indents its JSON and ends it with a line feed',
    room: 'Endpoints: application/json',
    deviation: (behavior) => ({
      ...behavior,
      write: (body, call) => `${JSON.stringify(JSON.parse(behavior.write(body, call)), null, 2)}\n`,
    }),
  },
  'with-charset': {
    what: 'adds a charset to the content type',
    room: 'Endpoints: application/json may have parameters',
    deviation: changing(everything, headers({ 'content-type': 'application/json; charset=utf-8' })),
  },
  'path-prefix': {
    what: 'has a base URL with a path: /edge/v9',
    room: 'Base address: {base_url}',
    deviation: (behavior) => ({ ...behavior, basePath: '/edge/v9' }),
  },
  jitter: {
    what: 'responds after 1 to 40 ms, at random',
    room: 'the transport is not mentioned',
    deviation: jitter,
  },
  'few-keys': {
    what: 'hands out keys for primary, ambiguous and revoked only',
    room: 'Authentication: which keys there are is for the account',
    decides: 'keys',
    random: false,
    deviation: (behavior) => ({ ...behavior, roles: ['primary', 'ambiguous', 'revoked'] }),
  },
} satisfies Readonly<Record<string, Variant>>;
