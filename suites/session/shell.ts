import { isRole, roleEnv } from '../../fixtures/roles.ts';
import type { KeyName, Request } from '../exchange/exchange.ts';
import type { ExtraHeader } from '../target/target.ts';
import type { Credential } from './call.ts';

declare const isShell: unique symbol;

/** Shell code that this file built, so that every text in it is quoted. A string does not type-check. */
export type Shell = string & { readonly [isShell]: true };

/** A part of a word that the shell expands. */
export interface Expansion {
  readonly expands: Shell;
}

export type Part = string | Expansion;

/** Shell code around words: sh`curl -X ${word(method)}`. */
export function sh(code: TemplateStringsArray, ...words: readonly Shell[]): Shell {
  return String.raw({ raw: code }, ...words) as Shell;
}

/** Joins code with spaces, or with another separator. */
export function joined(all: readonly Shell[], separator = sh` `): Shell {
  return all.join(separator) as Shell;
}

export function variable(name: string): Expansion {
  if (!/^[A-Za-z_]\w*$/.test(name)) throw new RangeError(`not a variable: ${name}`);
  return { expands: `$${name}` as Shell };
}

export function output(command: Shell): Expansion {
  return { expands: `$(${command})` as Shell };
}

/** The value of a variable without its first (`#`) or last (`%`) characters. */
export function shortened(name: string, end: '#' | '%', count: number): Expansion {
  const { expands } = variable(name);
  return { expands: `\${${expands.slice(1)}${end}${'?'.repeat(count)}}` as Shell };
}

const name = String.raw`[A-Za-z_]\w*`;
const read = String.raw`\$${name}|\$\{${name}(?::\d+|%\?)?\}`;
const filters = [
  'base64',
  String.raw`tr (?:-d )?'[^'\n]*'(?: '[^'\n]*')?`,
  String.raw`(?:head|tail) -c \+?\d+`,
  String.raw`sed 's/\.=\*\$//'`,
].join('|');
const key = new RegExp(String.raw`(\$\(printf %s "(?:[\w:]|${read})*"(?: \| (?:${filters}))+\)|${read})`);

/**
 * Splits a credential in the notation of `Credential.curl` into texts and expansions. Only variables and known filters
 * of a variable are expansions. `rename` gives the variable to read.
 */
export function keysIn(text: string, rename: (name: string) => string = (same) => same): Part[] {
  const renamed = (code: string) =>
    code.replace(/(\$\{?)([A-Za-z_]\w*)/g, (_, dollar: string, each: string) => `${dollar}${rename(each)}`);
  return text.split(key).map((part, index) => (index % 2 === 1 ? { expands: renamed(part) as Shell } : part));
}

/** Characters that mean nothing within double quotes, and none at all outside of quotes. */
const plainInDouble = /^[\w @%+=:,./-]*$/;
const plainOutside = /^[\w@%+=:,./-]+$/;

/** One word. Quotes each text. Uses double quotes around a word with variables if that is easy to read. */
export function word(...parts: readonly Part[]): Shell {
  const all: Part[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (typeof part === 'string' && typeof last === 'string') all[all.length - 1] = last + part;
    else if (part !== '') all.push(part);
  }
  if (all.length === 0) return "''" as Shell;
  const isEasy = all.every((part) => typeof part !== 'string' || plainInDouble.test(part));
  if (isEasy && all.some((part) => typeof part !== 'string')) {
    const inside = all.map((part, index) => (typeof part === 'string' ? part : apart(part, all[index + 1])));
    return `"${inside.join('')}"` as Shell;
  }
  return all.map((part) => (typeof part === 'string' ? quoted(part) : `"${part.expands}"`)).join('') as Shell;
}

/** Braces separate the name of a variable from a following letter. */
function apart({ expands }: Expansion, next: Part | undefined): string {
  const touches = typeof next === 'string' && /^\w/.test(next) && /^\$\w+$/.test(expands);
  return touches ? `\${${expands.slice(1)}}` : expands;
}

export function shellWords(words: readonly string[]): Shell {
  return words.map((each) => (plainOutside.test(each) ? each : quoted(each))).join(' ') as Shell;
}

/** Characters that a terminal or a page may interpret or hide. Escaped, so that the line can be read and copied. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/u;

/** Named escapes are easier to read, and a digit after them cannot become a part of them. */
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', "'": "\\'", '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Uses the quotes of all POSIX shells if possible, otherwise those of bash, zsh and POSIX 2024. */
function quoted(text: string): string {
  if (!unprintable.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return `$'${escaped(text, (byte) => `\\x${byte.toString(16).padStart(2, '0')}`)}'`;
}

function escaped(text: string, spell: (byte: number) => string): string {
  return [...text]
    .map((each) => escapes[each] ?? (unprintable.test(each) ? [...Buffer.from(each)].map(spell).join('') : each))
    .join('');
}

/** Code that prints a text with null characters, which no argument of a program can contain. */
function printed(text: string): Shell {
  const octal = (byte: number) => `\\0${byte.toString(8).padStart(3, '0')}`;
  return `printf %b '${escaped(text, octal).replaceAll("\\'", String.raw`'\''`)}'` as Shell;
}

export const keyVariable = (key: KeyName) => (isRole(key) ? roleEnv(key) : 'TCK_KEY');

/** Longest body that a command line includes, in characters. */
const mostOfBody = 2000;

/** The start of a command that sends a request and prints the response with its headers. */
export function curlTo(method: string, url: Shell): Shell {
  return method === 'HEAD' ? sh`curl -sS -I ${url}` : sh`curl -sS -i -X ${shellWords([method])} ${url}`;
}

/** Returns a curl command line that sends the request. Environment variables stand for keys and other secrets. */
export function curlLine(
  request: Pick<Request, 'method' | 'url' | 'headers' | 'body'>,
  { at = 'authorization', curl }: Pick<Credential, 'at' | 'curl'>,
  configured: readonly ExtraHeader[] = [],
): Shell {
  const { method, body } = request;
  const placed = (mark: '?' | '{', text: string): Part[] => (at.startsWith(mark) ? keysIn(text) : [text]);
  const carriers = /^[?{]/.test(at) ? [] : at.split(',');
  const headers: readonly (readonly Part[])[] = [
    ...(curl === undefined ? [] : carriers.map((name) => [`${name}: `, ...keysIn(curl)])),
    ...request.headers.filter(([name]) => !carriers.includes(name)).map(([name, value]) => [`${name}: ${value}`]),
    ...configured.map(({ name, value, variable: hidden }) => [
      `${name.toLowerCase()}: `,
      hidden === undefined ? value : variable(hidden),
    ]),
  ];
  const line = joined([
    curlTo(method, word(...placed('?', request.url))),
    ...headers.map((parts) => sh`-H ${word(...parts)}`),
  ]);
  if (body === null) return line;
  if (body.length > mostOfBody) {
    const begins = sh`# ${shellWords([String(body.length)])} characters, beginning ${word(body.slice(0, 40))}`;
    return sh`${line} --data-binary @body.json  ${begins}`;
  }
  if (body.includes('\0')) return sh`${printed(body)} | ${line} --data-binary @-`;
  return sh`${line} --data-raw ${word(...placed('{', body))}`;
}
