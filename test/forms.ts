/** A form in which a secret is found. */
export interface Form {
  readonly name: string;
  /** Continuation of a sentence that starts with "the key". */
  readonly what: string;
  readonly of: (secret: string) => string;
}

const bytes = (text: string, encoding: BufferEncoding) => Buffer.from(text).toString(encoding);
const hex = (character: string, digits: number) => character.charCodeAt(0).toString(16).padStart(digits, '0');
const reserved = /[^A-Za-z0-9]/g;
const every = /./g;

const form = (name: string, what: string, of: Form['of']): Form => ({ name, what, of });

/** Forms in which a secret is found. Other forms are not found, such as a part of a key, or two encodings at once. */
export const forms: readonly Form[] = [
  form('plain', 'in plain text', (secret) => secret),
  form('upper-case', 'in upper case', (secret) => secret.toUpperCase()),
  form('lower-case', 'in lower case', (secret) => secret.toLowerCase()),
  form('base64', 'in base64', (secret) => bytes(secret, 'base64')),
  form('base64-second', 'in base64, after one other byte', (secret) => bytes(`:${secret}`, 'base64')),
  form('base64-third', 'in base64, after two other bytes', (secret) => bytes(`::${secret}`, 'base64')),
  form('base64-bearer', 'in base64, with the prefix "Bearer "', (secret) => bytes(`Bearer ${secret}`, 'base64')),
  form('base64url', 'in base64url', (secret) => bytes(secret, 'base64url')),
  form('hex', 'as hexadecimal digits', (secret) => bytes(secret, 'hex')),
  form('hex-upper', 'as hexadecimal digits in upper case', (secret) => bytes(secret, 'hex').toUpperCase()),
  form('percent', 'with percent-encoding of reserved characters', (secret) => encodeURIComponent(secret)),
  form('percent-lower', 'with percent-encoding in lower case', (secret) =>
    secret.replace(reserved, (character) => `%${hex(character, 2)}`),
  ),
  form('percent-all', 'with every character percent-encoded', (secret) =>
    secret.replace(every, (character) => `%${hex(character, 2).toUpperCase()}`),
  ),
  form('json', 'with the escapes of JSON', (secret) => JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/')),
  form('json-unicode', 'with \\uXXXX for every character that is not a letter or a digit', (secret) =>
    secret.replace(reserved, (character) => `\\u${hex(character, 4).toUpperCase()}`),
  ),
  form('json-unicode-all', 'with every character as \\uXXXX', (secret) =>
    secret.replace(every, (character) => `\\u${hex(character, 4)}`),
  ),
];
