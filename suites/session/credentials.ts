import type { Role } from '../../fixtures/roles.ts';
import type { CredentialKind } from '../exchange/exchange.ts';
import { assertKey } from '../target/secret.ts';
import type { RoleKey, Target } from '../target/target.ts';
import type { Credential } from './call.ts';
import { Unanswered } from './call.ts';

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

/** Credential that the deployment should refuse. Without a key of the configuration, `curl` is the header itself. */
const bad = (kind: CredentialKind, label: string, header: string, curl = header): Credential => ({
  kind,
  label,
  header,
  curl,
  good: false,
});

/** A text that contains a key, or is made of it, and the same text in shell syntax with a variable for the key. */
interface Spelling {
  plain: string;
  shell: string;
}

export const whole = ({ key, variable }: RoleKey): Spelling => ({ plain: key, shell: `\${${variable}}` });

/** The output of a filter that reads the key, or another text with the key in it. */
export const filtered = ({ variable }: RoleKey, plain: string, filter: string, input = `$${variable}`): Spelling => ({
  plain,
  shell: `$(printf %s "${input}" | ${filter})`,
});

export const head = (key: RoleKey, length: number): Spelling =>
  filtered(key, key.key.slice(0, length), `head -c ${length}`);

function inBase64(key: RoleKey, before = '', after = ''): Spelling {
  const plain = Buffer.from(`${before}${key.key}${after}`).toString('base64');
  return filtered(key, plain, String.raw`base64 | tr -d '\n'`, `${before}$${key.variable}${after}`);
}

/** Credential that is made of a valid key. Without a scheme, the parts contain it. */
export function madeOf(key: RoleKey, kind: CredentialKind, what: string, ...parts: (string | Spelling)[]): Credential {
  const joined = (form: keyof Spelling) => parts.map((part) => (typeof part === 'string' ? part : part[form])).join('');
  // Braces are needed only before a letter or a digit.
  const shell = joined('shell').replace(/\$\{(\w+)\}(?!\w)/g, '$$$1');
  return bad(kind, `${key.role}, ${what}`, joined('plain'), shell);
}

/** Key that was never issued, made of a valid one. */
export const unknownOf = (key: RoleKey, what: string, ...parts: (string | Spelling)[]): Credential =>
  madeOf(key, 'unknown', what, 'Bearer ', ...parts);

/** Key that was never issued: random, but similar to a valid key, so that only a lookup can refuse it. */
export function unknownKey(like: RoleKey, random: string): Credential {
  const tail = random.slice(0, Math.max(8, Math.floor(like.key.length / 2)));
  return bad('unknown', 'unknown key', `Bearer ${like.key.slice(0, 3)}${tail}`, `Bearer ${tail}`);
}

export const shortKey = bad('unknown', 'a text too short for a key', 'Bearer tck-none');
export const longKey = bad('unknown', 'a text too long for a key', `Bearer tck-none-${'0123456789abcdef'.repeat(20)}`);

/** Text with a letter that is not ASCII, in UTF-8. A header value has one byte for each character. */
export const accentedKey = bad(
  'unknown',
  'a text with an accent',
  `Bearer ${Buffer.from('tck-n\u00f2ne').toString('latin1')}`,
  'Bearer tck-n\u00f2ne',
);

/** The Bearer scheme without a key. */
export const emptyKey = bad('unknown', 'an empty key', 'Bearer');

/** Valid key as the password of the Basic scheme. */
export const asPassword = (key: RoleKey): Credential =>
  madeOf(key, 'other-scheme', 'as a password', 'Basic ', inBase64(key, 'any:'));

/** Valid key as the user name of the Basic scheme. */
export const asUser = (key: RoleKey): Credential =>
  madeOf(key, 'other-scheme', 'as a user', 'Basic ', inBase64(key, '', ':'));

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
  const label = `${role}, as ${at.replace('{', 'members ').replaceAll(',', ', ')}`;
  return { ...bad('absent', label, written(key), written(`$${variable}`)), at };
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
export function encoded(like: RoleKey): Credential[] {
  const { key, variable } = like;
  const rest = { plain: key.slice(1), shell: `\${${variable}:1}` };
  const first = key.charCodeAt(0).toString(16).padStart(2, '0');
  return [
    unknownOf(like, 'in base 64', inBase64(like)),
    unknownOf(like, 'first letter percent-encoded', `%${first}`, rest),
    madeOf(like, 'longer', '64 characters more', 'Bearer ', whole(like), '0'.repeat(64)),
    madeOf(like, 'shorter', 'last quarter missing', 'Bearer ', head(like, Math.ceil((key.length * 3) / 4))),
  ];
}

/** Valid key with extra text around it, once for each of `wrappings`. */
export const wrapped = (key: RoleKey): Credential[] =>
  wrappings.map(([before, after]) =>
    madeOf(key, 'longer', `written ${before}key${after}`, `Bearer ${before}`, whole(key), after),
  );

/** Valid key with a scheme other than Bearer. `number` selects the scheme. */
export function otherScheme(key: RoleKey, number: number): Credential {
  const scheme = otherSchemes[number % otherSchemes.length] ?? '';
  const what = scheme === '' ? 'no scheme' : `scheme ${scheme.trimEnd()}`;
  return madeOf(key, 'other-scheme', what, scheme, whole(key));
}

/** Headers with which a proxy claims that the client is on the machine of the server. */
export const localAddress = {
  'x-forwarded-for': '127.0.0.1',
  'x-real-ip': '127.0.0.1',
  forwarded: 'for=127.0.0.1',
};

/** Valid key with the scheme name in lower case. Whether a deployment accepts it is an open question. */
export function lowerCaseScheme({ role, key, variable }: RoleKey): Credential {
  const credential = bad('key', `${role}, scheme bearer`, `bearer ${key}`, `bearer $${variable}`);
  return { ...credential, good: true };
}

/** Runs the commands that print keys again when the lifetime of a key is over. */
export class KeyRenewals {
  readonly #target: Target;
  readonly #now: () => number;
  /** Renewals that have not finished, and failed ones, which are not repeated. */
  readonly #renewals = new Map<RoleKey, Promise<void>>();
  /** Former keys, each with its role. Stories can still hold credentials with them. */
  readonly #former = new Map<string, RoleKey>();

  constructor(target: Target, now: () => number = Date.now) {
    this.#target = target;
    this.#now = now;
  }

  /** Renews the key of the credential if necessary, and returns the credential with current keys. */
  async current(credential: Credential): Promise<Credential> {
    const key = credential.role && this.#target.keys[credential.role];
    if (key?.renewal !== undefined && this.#now() - key.renewal.readAtMs >= key.renewal.lifetimeMs) {
      const renewal = this.#renewals.get(key) ?? this.#renew(key, key.renewal);
      this.#renewals.set(key, renewal);
      await renewal;
    }
    let { header } = credential;
    for (const [former, { key }] of this.#former) header = header?.replaceAll(former, key);
    return header === undefined ? credential : { ...credential, header };
  }

  async #renew(key: RoleKey, renewal: NonNullable<RoleKey['renewal']>): Promise<void> {
    const readAtMs = this.#now();
    try {
      const value = await renewal.read();
      assertKey(value, `keys.${key.role}`);
      if (value !== key.key) this.#former.set(key.key, key);
      this.#former.delete(value);
      key.key = value;
      // Redactors learn secrets that are added to the list.
      this.#target.secrets.push(value);
    } catch (error) {
      throw new Unanswered(`the key was not renewed: ${error instanceof Error ? error.message : error}`);
    }
    renewal.readAtMs = readAtMs;
    this.#renewals.delete(key);
  }
}
