import type { Role } from '../../fixtures/roles.ts';
import type { RoleKey } from '../target.ts';
import type { Credential } from './sent-exchange.ts';

const neverGood: ReadonlySet<Role> = new Set(['revoked', 'expired']);

/** Credential with the key of a role, sent as the specification says. */
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

/** Key that was never issued: random, but similar to a valid key, so that only a lookup can refuse it. */
export function unknownKey(like: RoleKey, random: string): Credential {
  const tail = random.slice(0, Math.max(8, Math.floor(like.key.length / 2)));
  const value = `${like.key.slice(0, 3)}${tail}`;
  return { kind: 'unknown', label: 'unknown key', header: `Bearer ${value}`, curl: `Bearer ${tail}`, good: false };
}

const noKey = (label: string, text: string): Credential => ({
  kind: 'unknown',
  label,
  header: `Bearer ${text}`,
  curl: `Bearer ${text}`,
  good: false,
});

export const shortKey = noKey('a text too short for a key', 'tck-none');
export const longKey = noKey('a text too long for a key', `tck-none-${'0123456789abcdef'.repeat(20)}`);

/** Text with a letter that is not ASCII, in UTF-8. A header value has one byte for each character. */
export const accentedKey: Credential = {
  ...noKey('a text with an accent', 'tck-n\u00f2ne'),
  header: `Bearer ${Buffer.from('tck-n\u00f2ne').toString('latin1')}`,
};

/** Valid key as the password of the Basic scheme. */
export function asPassword({ role, key, variable }: RoleKey): Credential {
  return {
    kind: 'other-scheme',
    label: `${role}, as a password`,
    header: `Basic ${Buffer.from(`any:${key}`).toString('base64')}`,
    curl: `Basic $(printf %s "any:$${variable}" | base64 | tr -d '\\n')`,
    good: false,
  };
}

/** Prefixes other than `Bearer ` for a valid key. The empty prefix sends the key without a scheme. */
export const otherSchemes = [
  ...['Basic ', 'Token ', '', 'ApiKey ', 'Key ', 'JWT ', 'Bearer:', 'Bearer='],
  ...['Digest ', 'Negotiate ', 'OAuth ', 'BearerToken ', 'Bearish '],
] as const;

/**
 * Places that hold no bearer credential: headers, cookies, query parameters (`?`) and body members (`{`). Each entry
 * uses several at once.
 */
export const otherPlaces = [
  'x-api-key,api-key,apikey,x-apikey,x-api-token,x-key',
  'x-auth-token,x-access-token,x-token,token,authentication,x-auth-key,x-service-key',
  'x-authorization,proxy-authorization,x-forwarded-authorization,x-original-authorization',
  'cookie',
  '?access_token,token,auth_token,auth,authorization,bearer',
  '?api_key,apikey,api-key,api_token,key,secret',
  '{api_key,apiKey,api_token,access_token,token,auth_token,key,authorization,auth,bearer',
] as const;

const cookies = ['access_token', 'api_key', 'token', 'key', 'auth', 'authorization', 'session', 'auth_token'];

/** Valid key in places where the API reads no key. The bearer credential is absent. */
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

/** Valid key as the user name of the Basic scheme. */
export function asUser({ role, key, variable }: RoleKey): Credential {
  return {
    kind: 'other-scheme',
    label: `${role}, as a user`,
    header: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
    curl: `Basic $(printf %s "$${variable}:" | base64 | tr -d '\\n')`,
    good: false,
  };
}

/** Text around a key that a lenient parser strips. The result is longer than the key and was never issued. */
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

/** Variants of a valid key that were never issued: encoded, extended or truncated. */
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

/** Valid key with extra text around it, once for each of `wrappings`. */
export function wrapped({ role, key, variable }: RoleKey): Credential[] {
  return wrappings.map(([before, after]) => ({
    kind: 'longer',
    label: `${role}, written ${before}key${after}`,
    header: `Bearer ${before}${key}${after}`,
    curl: `Bearer ${before.replaceAll('"', '\\"')}\${${variable}}${after.replaceAll('"', '\\"')}`,
    good: false,
  }));
}

/** The Bearer scheme without a key. */
export const emptyKey: Credential = {
  kind: 'unknown',
  label: 'an empty key',
  header: 'Bearer',
  curl: 'Bearer',
  good: false,
};

/** Valid key with a scheme other than Bearer. `number` selects the scheme. */
export function otherScheme({ role, key, variable }: RoleKey, number: number): Credential {
  const scheme = otherSchemes[number % otherSchemes.length] ?? '';
  const label = scheme === '' ? `${role}, no scheme` : `${role}, scheme ${scheme.trimEnd()}`;
  return { kind: 'other-scheme', label, header: `${scheme}${key}`, curl: `${scheme}$${variable}`, good: false };
}

/** Headers with which a proxy claims that the client is on the machine of the server. */
export const localAddress = {
  'x-forwarded-for': '127.0.0.1',
  'x-real-ip': '127.0.0.1',
  forwarded: 'for=127.0.0.1',
};

/** Valid key with the scheme name in lower case. Whether a deployment accepts it is an open question. */
export function lowerCaseScheme({ role, key, variable }: RoleKey): Credential {
  return {
    kind: 'key',
    label: `${role}, scheme bearer`,
    header: `bearer ${key}`,
    curl: `bearer $${variable}`,
    good: true,
  };
}
