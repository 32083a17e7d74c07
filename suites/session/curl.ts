import { isRole, roleEnv } from '../../fixtures/roles.ts';
import type { KeyName } from '../history/exchange.ts';
import type { Credential, SentRequest } from './sent-exchange.ts';
import { joined, keysIn, type Part, printed, type Shell, sh, shellWords, variable, word } from './shell.ts';

/** Returns the environment variable that holds a key. */
export const keyVariable = (key: KeyName) => (isRole(key) ? roleEnv(key) : 'TCK_KEY');

/** Longest body that a command line includes, in characters. */
const mostOfBody = 2000;

/** The start of a command that sends a request and prints the response with its headers. */
export function curlTo(method: string, url: Shell): Shell {
  return method === 'HEAD' ? sh`curl -sS -I ${url}` : sh`curl -sS -i -X ${shellWords([method])} ${url}`;
}

/** Returns a curl command line that sends the request. Environment variables stand for keys and other secrets. */
export function curlLine(
  request: Pick<SentRequest, 'method' | 'url' | 'headers' | 'configured' | 'body'>,
  { at = 'authorization', curl }: Credential,
): Shell {
  const { method, body } = request;
  const placed = (mark: '?' | '{', text: string): Part[] => (at.startsWith(mark) ? keysIn(text) : [text]);
  const carriers = /^[?{]/.test(at) ? [] : at.split(',');
  const headers: readonly (readonly Part[])[] = [
    ...(curl === undefined ? [] : carriers.map((name) => [`${name}: `, ...keysIn(curl)])),
    ...request.headers.filter(([name]) => !carriers.includes(name)).map(([name, value]) => [`${name}: ${value}`]),
    ...request.configured.map((header) => [
      `${header.name}: `,
      'variable' in header ? variable(header.variable) : header.value,
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
