import { boundary } from '../answers.ts';
import type { Deviation } from '../deviation.ts';
import type { Call } from '../model.ts';
import type { Extra } from '../probe.ts';
import { around, type Steps, unauthorizedCode } from '../steps.ts';

/** Also accepts the key that `find` returns for a request. */
function also(find: (call: Call) => string | null | undefined): (steps: Steps) => void {
  return (steps) =>
    around(steps, 'credential', (next) => (c) => {
      const found = next(c);
      if (found !== undefined) return found;
      const secret = find(c);
      return [...c.world.keys.values()].find((key) => key.secret === secret && !key.dead);
    });
}

/** Returns another 401 for some requests. */
function otherwise(applies: (call: Call) => boolean, message: string, headers: Record<string, string> = {}) {
  return (steps: Steps): void =>
    around(steps, 'handle', (next) => async (c) => {
      const answer = await next(c);
      if (answer.status !== 401 || !applies(c)) return answer;
      return { ...boundary(401, unauthorizedCode, message), headers };
    });
}

const authorization = ({ headers }: Call): string => headers.authorization ?? '';
const bearer = (call: Call): string => authorization(call).replace(/^Bearer /, '');

/** Probes whether the server accepts a request with an unusual credential. */
const served =
  (extra: (key: string) => Extra): Deviation['probe'] =>
  async (p) =>
    (await p.call('primary', 'credits.balance', {}, { authorization: null, ...extra(p.key('primary')) })).status ===
    200;

const unknown = 'authentication.unknown-refused';

/** Deviations of the places, schemes, suffixes and case of keys. */
export const byCredential: Deviation[] = [
  {
    id: 'key-in-header',
    sentence: 'A key in `x-api-key` counts where there is no other.',
    breaks: ['authentication.absent-refused'],
    steps: also(({ headers }) => headers['x-api-key']),
    probe: served((key) => ({ headers: { 'x-api-key': key } })),
  },
  {
    id: 'key-in-query',
    sentence: 'A key in the query parameter `access_token` counts.',
    breaks: ['authentication.absent-refused'],
    steps: also(({ query }) => query.get('access_token')),
    probe: served((key) => ({ query: `?access_token=${key}` })),
  },
  {
    id: 'key-in-cookie',
    sentence: 'A key in a cookie counts.',
    breaks: ['authentication.absent-refused'],
    steps: also(({ headers }) => /api_key=([^;]+)/.exec(headers.cookie ?? '')?.[1]),
    probe: served((key) => ({ headers: { cookie: `theme=dark; api_key=${key}` } })),
  },
  {
    id: 'key-as-basic-user',
    sentence: 'A key is taken as the user of Basic authentication.',
    breaks: ['authentication.other-scheme-refused'],
    steps: also((c) => {
      const encoded = /^Basic (.+)$/i.exec(authorization(c))?.[1] ?? '';
      return Buffer.from(encoded, 'base64').toString().split(':')[0];
    }),
    probe: served((key) => ({ authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` })),
  },
  {
    id: 'key-as-token',
    sentence: 'The schemes Token and ApiKey are taken for Bearer.',
    breaks: ['authentication.other-scheme-refused'],
    steps: also((c) => /^(?:token|apikey) +(.+)$/i.exec(authorization(c))?.[1]),
    probe: served((key) => ({ authorization: `Token ${key}` })),
  },
  {
    id: 'key-without-scheme',
    sentence: 'A key without any scheme counts.',
    breaks: ['authentication.other-scheme-refused', unknown],
    steps: also((c) => authorization(c)),
    probe: served((key) => ({ authorization: key })),
  },
  {
    id: 'key-tail-not-compared',
    sentence: 'The last two letters of a key are a checksum that is not compared.',
    breaks: [unknown, 'authentication.other-case-key-refused'],
    steps: (s) =>
      around(s, 'credential', (next) => (c) => {
        const head = bearer(c).slice(0, -2);
        const alike = [...c.world.keys.values()].find(({ secret, dead }) => secret.slice(0, -2) === head && !dead);
        return next(c) ?? (alike?.secret.length === bearer(c).length ? alike : undefined);
      }),
    probe: served((key) => ({ authorization: `Bearer ${key.slice(0, -2)}00` })),
  },
  {
    id: 'key-prefix-in-any-case',
    sentence: 'The part of a key before the underscore is compared in any case.',
    breaks: ['authentication.other-case-key-refused', unknown],
    steps: (s) =>
      around(s, 'credential', (next) => (c) => {
        const [head = '', tail] = bearer(c).split('_');
        const same = ({ secret, dead }: { secret: string; dead?: boolean }): boolean =>
          !dead && secret.split('_')[0]?.toLowerCase() === head.toLowerCase() && secret.split('_')[1] === tail;
        return next(c) ?? [...c.world.keys.values()].find(same);
      }),
    probe: served((key) => ({ authorization: `Bearer ${key.slice(0, 4).toLowerCase()}${key.slice(4)}` })),
  },
  {
    id: 'key-up-to-comma',
    sentence: 'What follows a comma after the key is ignored.',
    breaks: ['authentication.longer-key-refused', unknown],
    steps: also((c) => bearer(c).split(',')[0]),
    probe: served((key) => ({ authorization: `Bearer ${key},realm=x` })),
  },
  {
    id: 'key-padding-dropped',
    sentence: 'Padding after a key is dropped.',
    breaks: ['authentication.longer-key-refused', unknown],
    steps: also((c) => bearer(c).replace(/=+$/, '')),
    probe: served((key) => ({ authorization: `Bearer ${key}=` })),
  },
  {
    id: 'key-in-quotes',
    sentence: 'Quotation marks around a key are dropped.',
    breaks: ['authentication.longer-key-refused', unknown],
    steps: also((c) => /^"(.+)"$/.exec(bearer(c))?.[1]),
    probe: served((key) => ({ authorization: `Bearer "${key}"` })),
  },
  {
    id: 'revoked-told-by-images',
    sentence: '`images.generate` tells that a key was revoked.',
    breaks: ['authentication.revoked-like-absent', 'authentication.uniform-across-tools'],
    steps: (s) =>
      otherwise((c) => {
        const { secret } = c.world.keys.get('revoked') ?? {};
        return c.segment === 'images.generate' && bearer(c) === secret;
      }, 'This key was revoked.')(s),
    probe: async (p) => (await p.call('revoked', 'images.generate', {})).text.includes('revoked'),
  },
  {
    id: 'expired-challenge-header',
    sentence: 'Only the 401 of an expired key carries `WWW-Authenticate` with an error.',
    breaks: ['authentication.expired-like-absent'],
    steps: (s) =>
      otherwise((c) => bearer(c) === c.world.keys.get('expired')?.secret, 'Send a good key as bearer token.', {
        'www-authenticate': 'Bearer error="invalid_token"',
      })(s),
    probe: async (p) => (await p.call('expired', 'schedule.read', {})).headers['www-authenticate'] !== undefined,
  },
  {
    id: 'expired-reads-balance',
    sentence: 'An expired key may still read the balance.',
    breaks: ['authentication.expired-refused'],
    steps: (s) =>
      around(s, 'credential', (next) => (c) => {
        const expired = c.world.keys.get('expired');
        return c.segment === 'credits.balance' && bearer(c) === expired?.secret ? expired : next(c);
      }),
    probe: async (p) => (await p.call('expired', 'credits.balance', {})).ok,
  },
  {
    id: 'empty-token-is-malformed',
    sentence: 'The scheme without a key is a 400.',
    breaks: ['authentication.absent-refused', unknown, 'authentication.unknown-like-absent'],
    steps: (s) =>
      around(
        s,
        'handle',
        (next) => async (c) =>
          /^Bearer *$/.test(authorization(c))
            ? boundary(400, 'tenant_api.malformed_authorization', 'There is no key in the header.')
            : next(c),
      ),
    probe: async (p) => (await p.call('primary', 'credits.balance', {}, { authorization: 'Bearer' })).status === 400,
  },
];
