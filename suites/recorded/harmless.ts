import { responseHeaders } from '../../fixtures/contract/headers.ts';
import { toolsPath } from '../../fixtures/contract/tools.ts';

const shown = Object.values(responseHeaders).join('|');

/** Headers whose values a recording shows. Every other value may be a secret. */
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

/** Words in the names of headers, parameters and members that hold a secret. */
// The repetitions below have limits, so that no text takes more than linear time.
const purpose = [
  'pass(?:word|wd|phrase)',
  'secret|credential|bearer|session|signature|jwt|token',
  'auth(?!or(?!i[sz]))',
  '(?<!idempotency-)key(?!word|board)',
].join('|');
const secretName = new RegExp(purpose, 'i');

/** Names whose values are new in each request, so that a replacement in this place is enough. */
const shortLived = /csrf|xsrf|nonce|request|page|next|cursor|continu|count|type|kind|mode/i;

export const isLastingSecretName = (name: string): boolean => secretName.test(name) && !shortLived.test(name);

/** A member of a JSON object with a text that is a secret by its name: what is before the text, name and text. */
export const secretMembers = new RegExp(
  `("([^"\\\\]{0,64}(?:${purpose})[^"\\\\]{0,64})"\\s*:\\s*")([^"\\\\]*(?:\\\\.[^"\\\\]*)*)`,
  'gi',
);

/** A parameter of an address or a form with a secret name: what is before the value, name and value. */
export const secretParameters = new RegExp(
  `((?:^|[?&;\\s"'])([\\w.[\\]-]{0,64}(?:${purpose})[\\w.[\\]-]{0,64})=)([^&;\\s"'<>]+)`,
  'gi',
);

/** The second part leaves out variables, such as those of curl lines. */
const notJustAWord = String.raw`(?=[^\s"'<>]{0,200}[\d=|+/_])(?![$%])`;
const credential = String.raw`(?:[^\s"'<>,\\]|\\[/u]){8,}`;

/** A credential with its scheme in a text: scheme with separator, and a credential that is not just a word. */
export const schemedCredentials = new RegExp(
  String.raw`\b((?:bearer|basic|token|api-?key|digest)[ \t:]{1,8})(${notJustAWord}${credential})`,
  'gi',
);

/** The address of a request without user name, password and fragment. */
export function plainAddress(url: string): string {
  const [address = ''] = url.split('#');
  const at = address.indexOf(toolsPath);
  const start = at < 0 ? address : address.slice(0, at);
  return start.replace(/^([a-z][\w+.-]*:\/\/)[^/?]*@/i, '$1') + address.slice(start.length);
}
