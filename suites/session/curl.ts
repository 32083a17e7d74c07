import { isRole, roleEnv } from '../../fixtures/roles.ts';
import type { Credential, SentRequest } from '../exchange.ts';
import type { KeyName } from '../history/exchange.ts';

/** What a terminal or a page may obey or hide: it is written as escapes, so that the line can be read and copied. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/u;

/**
 * Quotes a text for a shell: as POSIX has it where that will do, and as bash, zsh and POSIX of 2024 have it where not.
 */
function quoted(text: string): string {
  if (!unprintable.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return `$'${escaped(text, (byte) => `\\x${byte.toString(16).padStart(2, '0')}`)}'`;
}

/** Named escapes are easier to read, and no digit that follows can be taken for a part of them. */
const named: Readonly<Record<string, string>> = { '\\': '\\\\', "'": "\\'", '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(text: string, spell: (byte: number) => string): string {
  return [...text]
    .map((character) => {
      if (!unprintable.test(character)) return named[character] ?? character;
      return named[character] ?? [...Buffer.from(character)].map(spell).join('');
    })
    .join('');
}

/** The environment variable that stands for a key. */
export const keyVariable = (key: KeyName) => (isRole(key) ? roleEnv(key) : 'TCK_KEY');

/** The longest body that a command line shows in full. */
const mostOfBody = 2000;

/**
 * A command line that sends the same request. Keys and other secrets stand in it as environment variables, never as
 * themselves. `headers` are those beside `authorization` and the ones that curl sets by itself.
 */
export function curlLine(
  request: Pick<SentRequest, 'method' | 'url' | 'headers' | 'configured' | 'body'>,
  credential: Credential,
): string {
  const { at = 'authorization' } = credential;
  // The variable that stands for a key in the address must not be quoted away.
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
  // No argument of a program can hold the character that ends it.
  if (body.includes('\0')) return `${printed(body)} | ${[...parts, '--data-binary @-'].join(' ')}`;
  // Nor must one in the body.
  const data = at.startsWith('{') ? `"${body.replaceAll('"', '\\"')}"` : quoted(body);
  return [...parts, `--data-raw ${data}`].join(' ');
}

function printed(body: string): string {
  const octal = (byte: number) => `\\0${byte.toString(8).padStart(3, '0')}`;
  return `printf %b '${escaped(body, octal).replaceAll("\\'", String.raw`'\''`)}'`;
}
