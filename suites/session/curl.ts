import { isRole, roleEnv } from '../../fixtures/roles.ts';
import type { KeyName } from '../history/exchange.ts';
import type { Credential, SentRequest } from './sent-exchange.ts';

/**
 * Characters that a terminal or a page may interpret or hide. They are escaped, so that the line can be read and
 * copied.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/u;

/**
 * Quotes text for a shell. Uses the form of all POSIX shells if possible, otherwise that of bash, zsh and POSIX 2024.
 */
export function quoted(text: string): string {
  if (!unprintable.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return `$'${escaped(text, (byte) => `\\x${byte.toString(16).padStart(2, '0')}`)}'`;
}

/** Named escapes are easier to read, and a digit after them cannot become a part of them. */
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', "'": "\\'", '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(text: string, spell: (byte: number) => string): string {
  return [...text]
    .map((character) => {
      if (!unprintable.test(character)) return escapes[character] ?? character;
      return escapes[character] ?? [...Buffer.from(character)].map(spell).join('');
    })
    .join('');
}

/** Returns the environment variable that holds a key. */
export const keyVariable = (key: KeyName) => (isRole(key) ? roleEnv(key) : 'TCK_KEY');

/** Longest body that a command line includes, in characters. */
const mostOfBody = 2000;

/** Returns a curl command line that sends the request. Environment variables stand for keys and other secrets. */
export function curlLine(
  request: Pick<SentRequest, 'method' | 'url' | 'headers' | 'configured' | 'body'>,
  credential: Credential,
): string {
  const { at = 'authorization' } = credential;
  // Double quotes, so that the shell expands the variable of a key in the URL.
  const url = at.startsWith('?') ? `"${request.url}"` : quoted(request.url);
  const parts = [`curl -sS -i -X ${request.method} ${url}`];
  const carriers = /^[?{]/.test(at) ? [] : at.split(',');
  for (const name of credential.curl === undefined ? [] : carriers) parts.push(`-H "${name}: ${credential.curl}"`);
  for (const [name, value] of request.headers) {
    if (!carriers.includes(name)) parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  }
  for (const header of request.configured) {
    const { name } = header;
    parts.push(`-H ${'variable' in header ? `"${name}: $${header.variable}"` : quoted(`${name}: ${header.value}`)}`);
  }
  const { body } = request;
  if (body === null) return parts.join(' ');
  if (body.length > mostOfBody) {
    const begins = `# ${body.length} characters, beginning ${quoted(body.slice(0, 40))}`;
    return [...parts, `--data-binary @body.json  ${begins}`].join(' ');
  }
  // A program argument cannot contain a null byte, so the body is piped.
  if (body.includes('\0')) return `${printed(body)} | ${[...parts, '--data-binary @-'].join(' ')}`;
  // Double quotes, so that the shell expands the variable of a key in the body.
  const data = at.startsWith('{') ? `"${body.replaceAll('"', '\\"')}"` : quoted(body);
  return [...parts, `--data-raw ${data}`].join(' ');
}

function printed(body: string): string {
  const octal = (byte: number) => `\\0${byte.toString(8).padStart(3, '0')}`;
  return `printf %b '${escaped(body, octal).replaceAll("\\'", String.raw`'\''`)}'`;
}
