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

const array: RequirementId[] = [
  'bodies.array-of-objects',
  'bodies.every-reading-tool',
  'bodies.large-array',
  'bodies.empty-array',
];

/** Further bodies that are almost JSON, large, deep or arrays. */
export const furtherBodies: Deviation[] = [
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
];
