import type { Role } from '../../fixtures/roles.ts';
import type { Credential } from '../exchange.ts';
import type { RoleKey } from '../target.ts';

const neverGood: ReadonlySet<Role> = new Set(['revoked', 'expired']);

/** The key of a role, sent as the specification says. */
export function bearer({ role, key, variable }: RoleKey): Credential {
  return {
    label: role,
    role,
    header: `Bearer ${key}`,
    curl: `Bearer $${variable}`,
    good: !neverGood.has(role),
  };
}

export const noCredential: Credential = { kind: 'absent', label: 'no credential', good: false };

/**
 * A key that nobody minted: made up from a seeded text, in the manner of a good one so that only look-up can refuse it.
 */
export function unknownKey(like: RoleKey, random: string): Credential {
  const tail = random.slice(0, Math.max(8, Math.floor(like.key.length / 2)));
  const value = `${like.key.slice(0, 3)}${tail}`;
  return { kind: 'unknown', label: 'unknown key', header: `Bearer ${value}`, curl: `Bearer ${tail}`, good: false };
}

/** No key, whatever its length may be. */
const noKey = (label: string, text: string): Credential => ({
  kind: 'unknown',
  label,
  header: `Bearer ${text}`,
  curl: `Bearer ${text}`,
  good: false,
});

/** A text that is shorter than any key, and no key; and one that is longer. */
export const shortKey = noKey('a text too short for a key', 'tck-none');
export const longKey = noKey('a text too long for a key', `tck-none-${'0123456789abcdef'.repeat(20)}`);

/** A good key as the password of the scheme Basic. */
export function asPassword({ role, key, variable }: RoleKey): Credential {
  return {
    kind: 'other-scheme',
    label: `${role}, as a password`,
    header: `Basic ${Buffer.from(`any:${key}`).toString('base64')}`,
    curl: `Basic $(printf %s "any:$${variable}" | base64 | tr -d '\\n')`,
    good: false,
  };
}

/** Ways to send a good key that are not the scheme Bearer; the third is the key alone. */
export const otherSchemes = [
  ...['Basic ', 'Token ', '', 'ApiKey ', 'Key ', 'JWT ', 'Bearer:', 'Bearer='],
  ...['Digest ', 'Negotiate ', 'OAuth ', 'BearerToken ', 'Bearish '],
] as const;

/**
 * Places where a key is no bearer credential: headers, cookies, parameters of the query and members of the body,
 * several at once.
 */
export const otherPlaces = [
  'x-api-key,api-key,apikey,x-apikey,x-key',
  'x-auth-token,x-access-token,x-token,token,authentication,x-auth-key,x-service-key',
  'x-authorization,proxy-authorization,x-forwarded-authorization,x-original-authorization',
  'cookie',
  '?access_token,token,auth_token,auth,authorization,bearer',
  '?api_key,apikey,api-key,key,secret',
  '{api_key,apiKey,access_token,token,auth_token,key,authorization,auth,bearer',
] as const;

const cookies = ['access_token', 'api_key', 'token', 'key', 'auth', 'authorization', 'session', 'auth_token'];

/** A good key in places where no key is looked for: as a bearer credential it is absent. */
export function misplaced({ role, key, variable }: RoleKey, at: (typeof otherPlaces)[number]): Credential {
  const written = (value: string) => {
    if (at === 'cookie') return cookies.map((name) => `${name}=${value}`).join('; ');
    return at.startsWith('x-authorization') ? `Bearer ${value}` : value;
  };
  return {
    kind: 'absent',
    label: `${role}, as ${at.replace('{', 'members ').replaceAll(',', ', ')}`,
    header: written(key),
    curl: written(`$${variable}`),
    at,
    good: false,
  };
}

/** A good key as the user of the scheme Basic. */
export function asUser({ role, key, variable }: RoleKey): Credential {
  return {
    kind: 'other-scheme',
    label: `${role}, as a user`,
    header: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
    curl: `Basic $(printf %s "$${variable}:" | base64 | tr -d '\\n')`,
    good: false,
  };
}

/** What a careless parser takes off a key: each makes it a longer one, which nobody minted. */
const wrappings: readonly (readonly [string, string])[] = [
  ['', '='],
  ['', ',x'],
  ['', ' x'],
  ['', '.'],
  ['"', '"'],
  ["'", "'"],
  ['Bearer ', ''],
  ['token=', ''],
  ['token="', '"'],
];

/** A good key in another encoding, which nobody minted. */
export function encoded({ role, key, variable }: RoleKey): Credential[] {
  const first = key.charCodeAt(0).toString(16).padStart(2, '0');
  return [
    {
      kind: 'unknown',
      label: `${role}, in base 64`,
      header: `Bearer ${Buffer.from(key).toString('base64')}`,
      curl: `Bearer $(printf %s "$${variable}" | base64 | tr -d '\\n')`,
      good: false,
    },
    {
      kind: 'unknown',
      label: `${role}, first letter percent-encoded`,
      header: `Bearer %${first}${key.slice(1)}`,
      curl: `Bearer %${first}\${${variable}:1}`,
      good: false,
    },
    {
      kind: 'longer',
      label: `${role}, 64 characters more`,
      header: `Bearer ${key}${'0'.repeat(64)}`,
      curl: `Bearer \${${variable}}${'0'.repeat(64)}`,
      good: false,
    },
    {
      kind: 'shorter',
      label: `${role}, last quarter missing`,
      header: `Bearer ${key.slice(0, Math.ceil((key.length * 3) / 4))}`,
      curl: `Bearer $(printf %s "$${variable}" | head -c ${Math.ceil((key.length * 3) / 4)})`,
      good: false,
    },
  ];
}

/** A good key with more around it. */
export function wrapped({ role, key, variable }: RoleKey): Credential[] {
  return wrappings.map(([before, after]) => ({
    kind: 'longer',
    label: `${role}, written ${before}key${after}`,
    header: `Bearer ${before}${key}${after}`,
    curl: `Bearer ${before.replaceAll('"', '\\"')}\${${variable}}${after.replaceAll('"', '\\"')}`,
    good: false,
  }));
}

/** The scheme without any key. */
export const emptyKey: Credential = {
  kind: 'unknown',
  label: 'an empty key',
  header: 'Bearer',
  curl: 'Bearer',
  good: false,
};

/** A good key under another scheme than Bearer, by the number of one of several. */
export function otherScheme({ role, key, variable }: RoleKey, number: number): Credential {
  const scheme = otherSchemes[number % otherSchemes.length] ?? '';
  const label = scheme === '' ? `${role}, no scheme` : `${role}, scheme ${scheme.trimEnd()}`;
  return { kind: 'other-scheme', label, header: `${scheme}${key}`, curl: `${scheme}$${variable}`, good: false };
}

/**
 * A good key with the name of the scheme in lower case; whether that is the same scheme is for the deployment to say.
 */
export function lowerCaseScheme({ role, key, variable }: RoleKey): Credential {
  return {
    kind: 'key',
    label: `${role}, scheme bearer`,
    header: `bearer ${key}`,
    curl: `bearer $${variable}`,
    good: true,
  };
}
