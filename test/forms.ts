import { entities } from '../suites/history/redaction/entities.ts';

/** A form in which a secret is found. */
export interface Form {
  readonly name: string;
  /** Continuation of a sentence that starts with "the key". */
  readonly what: string;
  readonly of: (secret: string) => string;
  /** False if the form is found only as the outermost one, because bytes beyond ASCII are not decoded. */
  readonly combines: boolean;
}

const bytes = (text: string, encoding: BufferEncoding) => Buffer.from(text).toString(encoding);
const encodeCharacters = (text: string, write: (code: number) => string) =>
  Array.from(text, (character) => write(character.charCodeAt(0))).join('');
const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0');
const names = new Map([...entities].map(([name, character]) => [character, name]));
const namedEntity = (code: number) => {
  const name = names.get(String.fromCharCode(code));
  return name === undefined ? `&#${code};` : `&${name};`;
};
/** Replaces all characters except letters and digits. */
const others = (text: string, write: (code: number) => string) =>
  text.replace(/[^A-Za-z0-9]/g, (character) => write(character.charCodeAt(0)));

const form = (name: string, what: string, of: Form['of'], combines = true): Form => ({ name, what, of, combines });

/** Inserts a separator after every few characters. */
const spaced = (text: string, every: number, separator: string) =>
  text.replace(new RegExp(`.{${every}}(?=.)`, 'gs'), (part) => part + separator);
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

/**
 * Forms in which a secret is found: single, nested in pairs, and for every part of at least 12 characters. Other forms
 * are not found, such as a reversed key or a key split over several members.
 */
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
    others(secret, (code) => `%${hex(code, 2)}`),
  ),
  form('percent-all', 'with every character percent-encoded', (secret) =>
    encodeCharacters(secret, (code) => `%${hex(code, 2).toUpperCase()}`),
  ),
  form('percent-all-lower', 'with every character percent-encoded in lower case', (secret) =>
    encodeCharacters(secret, (code) => `%${hex(code, 2)}`),
  ),
  form('json', 'with the escapes of JSON', (secret) => JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/')),
  form('json-unicode', 'with \\uXXXX for every character that is not a letter or a digit', (secret) =>
    others(secret, (code) => `\\u${hex(code, 4).toUpperCase()}`),
  ),
  form('json-unicode-all', 'with every character as \\uXXXX', (secret) =>
    encodeCharacters(secret, (code) => `\\u${hex(code, 4)}`),
  ),
  form('html-named', 'with the named entities of HTML', (secret) => others(secret, namedEntity)),
  form('html-decimal', 'with decimal entities of HTML', (secret) => encodeCharacters(secret, (code) => `&#${code};`)),
  form('html-hex', 'with hexadecimal entities of HTML', (secret) =>
    encodeCharacters(secret, (code) => `&#x${hex(code, 2)};`),
  ),
  form('hex-colons', 'as hexadecimal digits with a separator between bytes', (secret) =>
    spaced(bytes(secret, 'hex'), 2, ':'),
  ),
  form('hex-prefixed', 'as hexadecimal digits with 0x before each byte', (secret) =>
    Array.from(secret, (character) => `0x${hex(character.charCodeAt(0), 2)}`).join(', '),
  ),
  form('hex-escapes', 'with every character as \\xXX', (secret) =>
    encodeCharacters(secret, (code) => `\\x${hex(code, 2)}`),
  ),
  form('quoted-printable', 'in quoted-printable', (secret) =>
    encodeCharacters(secret, (code) => `=${hex(code, 2).toUpperCase()}`),
  ),
  form('bytes', 'as a list of decimal bytes', (secret) => [...Buffer.from(secret)].join(', ')),
  form('utf16-base64', 'in base64 of UTF-16', (secret) => utf16(secret).toString('base64')),
  form('utf16be-base64', 'in base64 of UTF-16, big-endian', (secret) => utf16(secret).swap16().toString('base64')),
  form('line-breaks', 'with line breaks inside', (secret) => spaced(secret, 4, '\r\n')),
  form('zero-width', 'with zero-width characters inside', (secret) => spaced(secret, 3, '\u200b'), false),
  form(
    'full-width',
    'in full-width forms',
    (secret) => secret.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
    false,
  ),
];
