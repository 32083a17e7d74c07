import type { CredentialKind } from '../../exchange/exchange.ts';
import type { Credential } from '../../session/call.ts';
import type { RoleKey } from '../../target/target.ts';

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

const whole = ({ key, variable }: RoleKey): Spelling => ({ plain: key, shell: `\${${variable}}` });

/** The output of a filter that reads the key, or another text with the key in it. */
const filtered = ({ variable }: RoleKey, plain: string, filter: string, input = `$${variable}`): Spelling => ({
  plain,
  shell: `$(printf %s "${input}" | ${filter})`,
});

const head = (key: RoleKey, length: number): Spelling => filtered(key, key.key.slice(0, length), `head -c ${length}`);

function inBase64(key: RoleKey, before = '', after = ''): Spelling {
  const plain = Buffer.from(`${before}${key.key}${after}`).toString('base64');
  return filtered(key, plain, String.raw`base64 | tr -d '\n'`, `${before}$${key.variable}${after}`);
}

/** Credential that is made of a valid key. Without a scheme, the parts contain it. */
function madeOf(key: RoleKey, kind: CredentialKind, what: string, ...parts: (string | Spelling)[]): Credential {
  const joined = (form: keyof Spelling) => parts.map((part) => (typeof part === 'string' ? part : part[form])).join('');
  // Braces are needed only before a letter or a digit.
  const shell = joined('shell').replace(/\$\{(\w+)\}(?!\w)/g, '$$$1');
  return bad(kind, `${key.role}, ${what}`, joined('plain'), shell);
}

/** Key that was never issued, made of a valid one. */
const unknownOf = (key: RoleKey, what: string, ...parts: (string | Spelling)[]): Credential =>
  madeOf(key, 'unknown', what, 'Bearer ', ...parts);

/** Key that was never issued: random, but similar to a valid key, so that only a lookup can refuse it. */
export function unknownKey(like: RoleKey, random: string): Credential {
  const tail = random.slice(0, Math.max(8, Math.floor(like.key.length / 2)));
  return bad('unknown', 'unknown key', `Bearer ${like.key.slice(0, 3)}${tail}`, `Bearer ${tail}`);
}

export const shortKey = bad('unknown', 'a text too short for a key', 'Bearer tck-none');
const longKey = bad('unknown', 'a text too long for a key', `Bearer tck-none-${'0123456789abcdef'.repeat(20)}`);

/** Text with a letter that is not ASCII, in UTF-8. A header value has one byte for each character. */
const accentedKey = bad(
  'unknown',
  'a text with an accent',
  `Bearer ${Buffer.from('tck-n\u00f2ne').toString('latin1')}`,
  'Bearer tck-n\u00f2ne',
);

/** The Bearer scheme without a key. */
const emptyKey = bad('unknown', 'an empty key', 'Bearer');

/** Valid key as the password of the Basic scheme. */
export const asPassword = (key: RoleKey): Credential =>
  madeOf(key, 'other-scheme', 'as a password', 'Basic ', inBase64(key, 'any:'));

const usual = ['Basic ', 'Token ', ''];
const unusual = [
  ...['ApiKey ', 'Key ', 'JWT ', 'Bearer:', 'Bearer='],
  ...['Digest ', 'Negotiate ', 'OAuth ', 'BearerToken ', 'Bearish '],
];

/** Valid key with schemes other than Bearer. The empty prefix sends the key without a scheme. */
export const otherSchemes = (key: RoleKey, schemes = usual): Credential[] =>
  schemes.map((scheme) => {
    const what = scheme === '' ? 'no scheme' : `scheme ${scheme.trimEnd()}`;
    return madeOf(key, 'other-scheme', what, scheme, whole(key));
  });

/**
 * Places that hold no bearer credential: headers, cookies, query parameters (`?`) and body members (`{`). Each entry
 * uses several at once.
 */
const otherPlaces = [
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
function misplaced({ role, key, variable }: RoleKey, at: (typeof otherPlaces)[number]): Credential {
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
function encoded(like: RoleKey): Credential[] {
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

/** Valid key with the scheme name in lower case. Whether a deployment accepts it is an open question. */
export const lowerCaseScheme = (key: RoleKey): Credential => ({
  ...madeOf(key, 'key', 'scheme bearer', 'bearer ', whole(key)),
  good: true,
});

const swapCase = "tr 'a-zA-Z' 'A-Za-z'";

/** Valid key with one part replaced or in the other case, with other separators, or as a pattern. */
function altered(like: RoleKey): Credential[] {
  const { key, variable } = like;
  const { length } = key;
  const spans: readonly [from: number, to: number][] = [
    [0, 1],
    [0, Math.ceil(length / 3)],
    [length - 2, length],
  ];
  const inParts = spans.flatMap(([from, to]) => {
    const part = key.slice(from, to);
    const start = head(like, from);
    const end = { plain: key.slice(to), shell: `\${${variable}:${to}}` };
    const others = (part.startsWith('8') ? '3' : '8').repeat(part.length);
    const swapped = otherCase(part);
    const cut = filtered(like, swapped, `tail -c +${from + 1} | head -c ${to - from} | ${swapCase}`);
    const label = `case swapped from ${from + 1} to ${to}`;
    return [
      unknownOf(like, `other characters from ${from + 1} to ${to}`, start, others, end),
      ...(swapped === part ? [] : [madeOf(like, 'other-case', label, 'Bearer ', start, cut, end)]),
    ];
  });
  // A lookup that normalizes keys finds these.
  const exchanged = key.replace(/[-_]/g, (separator) => (separator === '-' ? '_' : '-'));
  const separated = [
    unknownOf(like, 'separators exchanged', filtered(like, exchanged, "tr '_-' '-_'")),
    unknownOf(like, 'separators left out', filtered(like, key.replace(/[-_]/g, ''), "tr -d '_-'")),
  ];
  // Patterns that match the key in SQL, in a shell or as a regular expression.
  const half = Math.ceil(length / 2);
  const patterns = ['%', '*', '.*', '_'.repeat(length - half)].map((rest) =>
    unknownOf(like, `second half as ${rest.slice(0, 2)}`, head(like, half), rest),
  );
  return [...inParts, ...(exchanged === key ? [] : separated), ...patterns];
}

const otherCase = (text: string) =>
  [...text].map((letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase())).join('');

/**
 * Near misses of a valid key, by their error. `otherCase` is undefined if the key has no letters. `otherEnd` is
 * undefined if the key ends with neither a letter nor a digit.
 */
export function nearMisses(like: RoleKey) {
  const { key, variable } = like;
  const other = otherCase(key);
  const shorter = { plain: key.slice(0, -1), shell: `\${${variable}%?}` };
  const swapped = madeOf(like, 'other-case', 'case swapped', 'Bearer ', filtered(like, other, swapCase));
  return {
    longer: madeOf(like, 'longer', 'one letter more', 'Bearer ', whole(like), 'a'),
    shorter: madeOf(like, 'shorter', 'last letter missing', 'Bearer ', shorter),
    otherCase: other === key ? undefined : swapped,
    otherEnd: withOtherEnd(like),
  };
}

/**
 * Returns the key with another letter or digit at its end; undefined if it ends with another character. The new one is
 * in the other half of the Base64 alphabet, so that no decoder treats the keys as equal.
 */
function withOtherEnd(like: RoleKey): Credential | undefined {
  const { key } = like;
  const at = key.search(/[A-Za-z0-9]=*$/);
  if (at < 0) return undefined;
  const other = /[A-Za-f]/.test(key.charAt(at)) ? '9' : 'A';
  const start = filtered(like, key.slice(0, at), "sed 's/.=*$//'");
  return unknownOf(like, 'last letter changed', start, other, key.slice(at + 1));
}

/** Credentials that the server must refuse, by what is wrong with them. */
export const oddCredentials = (key: RoleKey) => ({
  otherLengths: [shortKey, longKey],
  noKey: [emptyKey, accentedKey],
  schemes: [madeOf(key, 'other-scheme', 'as a user', 'Basic ', inBase64(key, '', ':')), ...otherSchemes(key, unusual)],
  wrapped: wrappings.map(([before, after]) =>
    madeOf(key, 'longer', `written ${before}key${after}`, `Bearer ${before}`, whole(key), after),
  ),
  encoded: encoded(key),
  misplaced: otherPlaces.map((place) => misplaced(key, place)),
  altered: altered(key),
});
