import { responseHeaders } from '../../fixtures/contract/headers.ts';
import { toolsPath } from '../../fixtures/contract/tools.ts';

const shown = Object.values(responseHeaders).join('|');

/** Headers whose values a recording shows. All other values may be secret. */
const harmless = new RegExp(
  [
    '^(content-(type|length|encoding|language)|accept.*|allow|vary|date|age|expires|last-modified|cache-control|pragma',
    `connection|keep-alive|transfer-encoding|${shown}|x-service-.*|(x-)?rate-?limit.*|server|via|x-powered-by`,
    'strict-transport-security|x-content-type-options|x-frame-options|referrer-policy',
    'access-control-(?!request-headers).*)$',
  ].join('|'),
);

const plainChallenge = /^(basic|bearer|digest)( realm="[\w .-]{0,40}")?$/i;

export function isHarmless(name: string, value: string): boolean {
  return harmless.test(name) || (name === 'www-authenticate' && plainChallenge.test(value));
}

/** Words in the names of headers, parameters and members that hold secrets. */
// The repetitions below are limited, so that matching takes linear time.
export const secretWords = [
  'pass(?:word|wd|phrase)',
  'secret|credential|bearer|session|signature|jwt|token',
  'auth(?!or(?!i[sz]))',
  '(?<!idempotency-)key(?!word|board)',
].join('|');
const secretName = new RegExp(secretWords, 'i');
export const isSecretName = (name: string): boolean => secretName.test(name);

/** Names whose values change with each request, so that it is enough to replace a value in its place. */
const shortLived = /csrf|xsrf|nonce|request|page|next|cursor|continu|count|type|kind|mode/i;

export const isLastingSecretName = (name: string): boolean => isSecretName(name) && !shortLived.test(name);

/** Matches a JSON member with a secret name and a text. Groups: everything before the text, the name, the text. */
export const secretMembers = new RegExp(
  `("([^"\\\\]{0,64}(?:${secretWords})[^"\\\\]{0,64})"\\s*:\\s*")([^"\\\\]*(?:\\\\.[^"\\\\]*)*)`,
  'gi',
);

/**
 * Matches a parameter of a URL or form with a secret name. Groups: everything before the value, the name, the value.
 */
export const secretParameters = new RegExp(
  `((?:^|[?&;\\s"'])([\\w.[\\]-]{0,64}(?:${secretWords})[\\w.[\\]-]{0,64})=)([^&;\\s"'<>]+)`,
  'gi',
);

/** The second part excludes variables, such as those in curl commands. */
const notJustAWord = String.raw`(?=[^\s"'<>]{0,200}[\d=|+/_])(?![$%])`;
const credential = String.raw`(?:[^\s"'<>,\\]|\\[/u]){8,}`;

/**
 * Matches a credential with its scheme. Groups: the scheme with its separator, and a credential that is not just a
 * word.
 */
export const schemedCredentials = new RegExp(
  String.raw`\b((?:bearer|basic|token|api-?key|digest)[ \t:]{1,8})(${notJustAWord}${credential})`,
  'gi',
);

/** Returns the URL of a request without user name, password and fragment. */
export function plainAddress(url: string): string {
  const [address = ''] = url.split('#');
  const at = address.indexOf(toolsPath);
  const start = at < 0 ? address : address.slice(0, at);
  return start.replace(/^([a-z][\w+.-]*:\/\/)[^/?]*@/i, '$1') + address.slice(start.length);
}
