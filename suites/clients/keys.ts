import { roles } from '../../fixtures/roles.ts';
import { type Exchange, isCompleted } from '../exchange/exchange.ts';
import { marksOf } from '../exchange/redactor.ts';
import { shorten } from '../json.ts';
import { originOf, pathOf, redirectedTo, toolOf } from './exchange.ts';
import { type ClientRule, clientRule, clientRuleAtEnd } from './rule.ts';

/**
 * Matches the mark of a key, and the form of the key that was sent. Keys without a known role match only in plain text.
 */
const keyMark = new RegExp(`${marksOf(roles).source}|<key \\d+>`);

/** Returns the places of a request that hold a key, except the correct one. */
function misplaced({ request: { url, headers, body } }: Exchange): string[] {
  return [
    ...(keyMark.test(url) ? ['the address'] : []),
    ...(body !== null && keyMark.test(body) ? ['the body'] : []),
    ...headers.flatMap(([name, value]) => {
      if (!keyMark.test(value)) return [];
      if (name !== 'authorization') return [`the header ${name}`];
      const how = misshapen(value);
      return how === null ? [] : [`the header ${name}, ${how}`];
    }),
  ];
}

/** Returns what is wrong with a key in the `authorization` header; null if the key is correct. */
function misshapen(value: string): string | null {
  const [, scheme, credential = ''] = /^(?:(\S+) +)?(.*)$/.exec(value) ?? [];
  if (scheme?.toLowerCase() !== 'bearer') return 'but not as "Bearer <key>"';
  const [mark = '', form] = keyMark.exec(credential) ?? [];
  if (form?.startsWith('characters ')) return 'but only a part of the key';
  if (form !== undefined) return `but in ${form}`;
  return mark === credential ? null : 'but with other text around the key';
}

/** Rules for the places of keys. */
export const keys: readonly ClientRule[] = [
  clientRule('client-keys.only-in-authorization', (exchange) => {
    const places = misplaced(exchange);
    if (places.length === 0) return exchange.sender.role === null ? undefined : null;
    return {
      expected: 'the key as a bearer token in the header Authorization, and nowhere else',
      actual: `${toolOf(exchange)} with a key in ${places.join(' and in ')}`,
      hint: 'Send the key only as "Authorization: Bearer <key>": logs often contain URLs, bodies and other headers.',
    };
  }),
  clientRule('client-keys.not-elsewhere', (exchange, client) => {
    const origin = originOf(exchange);
    const redirect = client.answeredBefore(exchange, (other) => redirectedTo(other) === origin);
    if (redirect === undefined) return isCompleted(exchange) && redirectedTo(exchange) !== undefined ? null : undefined;
    const isSent = exchange.request.headers.some(([name, value]) => name === 'authorization' && keyMark.test(value));
    if (!isSent) return null;
    return {
      expected: 'no key in a request to another address',
      actual: `the key in a request to ${pathOf(exchange.request.url)} there`,
      hint: 'Do not follow redirects, or remove the header authorization if the host changes.',
      exchanges: [redirect, exchange],
    };
  }),
  clientRuleAtEnd('client-keys.not-in-output', ({ run }) => {
    if (run?.output === undefined) return undefined;
    const line = run.output.split('\n').find((text) => keyMark.test(text));
    const [file] = run.filesWithKeys ?? [];
    if (line === undefined && file === undefined) return null;
    return {
      expected: 'output and files without the key',
      actual: line === undefined ? `the key in the file ${file}` : `the key in the line: ${shorten(line.trim(), 120)}`,
      hint: 'Do not print keys in messages or logs, because other people can read messages and logs.',
      exchanges: run.latest.slice(-1),
    };
  }),
];
