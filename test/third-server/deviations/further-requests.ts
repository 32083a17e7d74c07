import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import { boundary } from '../answers.ts';
import type { Deviation } from '../deviation.ts';
import type { Call, Fields } from '../model.ts';
import type { Extra } from '../probe.ts';
import { around, isAnswer, type Steps } from '../steps.ts';

/** Probes whether a modified request gets this status. */
export const gets =
  (status: number, tool: string, args: Fields | undefined, extra: Extra = {}): Deviation['probe'] =>
  async (p) =>
    (await p.call('primary', tool, args, extra)).status === status;

/** A deviation that accepts a key in another form or place. */
function shown([id, sentence, find, extra, breaks]: readonly [
  id: string,
  sentence: string,
  find: (call: Call) => string | null | undefined,
  extra: (key: string) => Extra,
  breaks: RequirementId,
]): Deviation {
  const probe: Deviation['probe'] = async (p) => {
    const more = { authorization: null, ...extra(p.key('primary')) };
    return (await p.call('primary', 'credits.balance', {}, more)).status === 200;
  };
  const steps = (s: Steps): void =>
    around(s, 'credential', (next) => (c) => {
      const secret = find(c);
      const isGood = (key: { secret: string; dead?: boolean }): boolean => key.secret === secret && !key.dead;
      return next(c) ?? [...c.world.keys.values()].find(isGood);
    });
  return { id, sentence, breaks: [breaks], steps, probe };
}

const authorization = ({ headers }: Call): string => headers.authorization ?? '';

/** Further places, schemes and spellings of keys. */
export const furtherCredentials: Deviation[] = (
  [
    [
      'scheme-twice',
      'The scheme may be written twice.',
      (c) => /^Bearer Bearer (.+)$/.exec(authorization(c))?.[1],
      (key) => ({ authorization: `Bearer Bearer ${key}` }),
      'authentication.longer-key-refused',
    ],
    [
      'key-in-proxy-authorization',
      'A key in `Proxy-Authorization` counts.',
      ({ headers }) => headers['proxy-authorization']?.replace(/^Bearer /, ''),
      (key) => ({ headers: { 'proxy-authorization': `Bearer ${key}` } }),
      'authentication.absent-refused',
    ],
    [
      'key-in-arguments',
      'A key in the argument `api_key` counts.',
      ({ raw }) => /"api_key": *"([^"]+)"/.exec(`${raw}`)?.[1],
      (key) => ({ raw: JSON.stringify({ api_key: key }) }),
      'authentication.absent-refused',
    ],
    [
      'key-as-bearer-parameter',
      'A key is taken out of `Bearer token="…"`.',
      (c) => /^Bearer token="(.+)"$/i.exec(authorization(c))?.[1],
      (key) => ({ authorization: `Bearer token="${key}"` }),
      'authentication.longer-key-refused',
    ],
    [
      'key-in-base64',
      'A key in base 64 counts.',
      (c) => Buffer.from(authorization(c).replace(/^Bearer /, ''), 'base64').toString(),
      (key) => ({ authorization: `Bearer ${Buffer.from(key).toString('base64')}` }),
      'authentication.unknown-refused',
    ],
    [
      'key-percent-encoded',
      'Percent signs in a key are decoded.',
      (c) => decoded(authorization(c).replace(/^Bearer /, '')),
      (key) => ({ authorization: `Bearer %${key.charCodeAt(0).toString(16)}${key.slice(1)}` }),
      'authentication.unknown-refused',
    ],
    [
      'digest-scheme',
      'The schemes Digest and Negotiate are taken for Bearer.',
      (c) => /^(?:digest|negotiate) +(.+)$/i.exec(authorization(c))?.[1],
      (key) => ({ authorization: `Digest ${key}` }),
      'authentication.other-scheme-refused',
    ],
    [
      'key-of-30-characters',
      'Of a key only the first 30 characters are compared.',
      ({ world, ...c }) => {
        const given = authorization({ world, ...c }).replace(/^Bearer /, '');
        return [...world.keys.values()].find(({ secret }) => given.slice(0, 30) === secret.slice(0, 30))?.secret;
      },
      (key) => ({ authorization: `Bearer ${key.slice(0, 30)}####` }),
      'authentication.unknown-refused',
    ],
  ] satisfies Parameters<typeof shown>[0][]
).map(shown);

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A deviation that accepts a body as an object. */
function taken(id: string, sentence: string, raw: string, read: (text: string) => unknown, breaks: RequirementId[]) {
  const steps = (s: Steps): void =>
    around(s, 'parse', (next) => (c) => {
      const usual = next(c);
      if (!isAnswer(usual)) return usual;
      try {
        const value = read(`${c.raw}`);
        // Any object can serve as fields.
        if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
      } catch {}
      return usual;
    });
  return { id, sentence, breaks, steps, probe: gets(200, 'credits.balance', undefined, { raw }) };
}

/** A deviation that returns another status for some bodies or names. */
function meets(
  id: string,
  sentence: string,
  status: number,
  applies: (c: Call) => boolean,
  breaks: RequirementId[],
  probe: Deviation['probe'],
) {
  const steps = (s: Steps): void =>
    around(
      s,
      'handle',
      (next) => async (c) =>
        applies(c) && s.credential(c) !== undefined ? boundary(status, 'tenant_api.other', 'No.') : next(c),
    );
  return { id, sentence, breaks, steps, probe };
}

const text: RequirementId[] = ['bodies.not-json', 'bodies.every-reading-tool'];
const array: RequirementId[] = [
  'bodies.array-of-objects',
  'bodies.every-reading-tool',
  'bodies.large-array',
  'bodies.empty-array',
];

/** Further bodies that are almost JSON, large, deep or arrays. */
export const furtherBodies: Deviation[] = [
  taken(
    'names-without-quotes-taken',
    'Names need no quotation marks.',
    '{workspace: "dock"}',
    (raw) => JSON.parse(raw.replace(/([{,]\s*)(\w+)\s*:/g, '$1"$2":')),
    text,
  ),
  taken(
    'numbers-with-sign-taken',
    'Numbers may begin with a plus or a zero.',
    '{"weight": +01}',
    (raw) => JSON.parse(raw.replace(/:\s*\+?0*(\d)/g, ':$1')),
    text,
  ),
  taken(
    'first-line-taken',
    'Of several lines of JSON the first is taken.',
    '{}\n{"a":1}',
    (raw) => JSON.parse(raw.split('\n')[0] ?? ''),
    text,
  ),
  taken(
    'unfinished-object-taken',
    'What is cut off at the end is completed.',
    '{"workspace":"dock"',
    (raw) => JSON.parse(`${raw}}`),
    text,
  ),
  taken(
    'words-of-python-taken',
    '`True`, `False` and `None` are taken.',
    '{"weight": None}',
    (raw) => JSON.parse(raw.replace(/\bNone\b/g, 'null').replace(/\bTrue\b/g, 'true')),
    text,
  ),
  taken(
    'yaml-taken',
    'A line of YAML is taken.',
    'workspace: dock',
    (raw) => (/^\w+: \w+$/.test(raw) ? { [raw.split(':')[0] ?? '']: raw.split(': ')[1] } : undefined),
    text,
  ),
  taken(
    'array-of-pairs-taken',
    'A list of names and values is taken for an object.',
    '[["workspace","dock"]]',
    (raw) => Object.fromEntries(JSON.parse(raw)),
    array,
  ),
  meets(
    'array-with-a-text-is-500',
    'An array that mixes objects with others is a 500.',
    500,
    ({ raw }) => /^\[\s*\{[^\]]*,\s*("|\d)/.test(`${raw}`),
    [...array, 'envelopes.no-server-error'],
    gets(500, 'credits.balance', undefined, { raw: '[{}, 1]' }),
  ),
  meets(
    'control-character-is-500',
    'A control character within a text of the body is a 500.',
    500,
    ({ raw }) => /"[^"\t\n]*[\t\n][^"]*"/.test(`${raw}`),
    [...text, 'envelopes.no-server-error'],
    gets(500, 'credits.balance', undefined, { raw: '{"a":"b\tc"}' }),
  ),
  meets(
    'single-brace-is-422',
    'A body of one character is a 422.',
    422,
    ({ raw }) => raw.length === 1,
    [...text, 'envelopes.described-status', 'bodies.json-number'],
    gets(422, 'credits.balance', undefined, { raw: '{' }),
  ),
];
