import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { nearMisses } from '../topics/authentication/made-credentials.ts';
import { noCredential } from './credentials.ts';
import { curlLine } from './shell.ts';

const url = 'http://127.0.0.1:4010/api/v1/tools/schedule.read';
const primary = { label: 'primary', curl: 'Bearer $TCK_KEY_PRIMARY', good: true };

function lineOf(body: string | null, headers: [string, string][] = []): string {
  return curlLine({ method: 'POST', url, headers, body }, primary);
}

/** Returns the arguments that a shell passes to curl for a command line, and the input that it pipes. */
function given(line: string): { args: string[]; piped: string } {
  const curl = `curl() { for each in "$@"; do printf '%s\\0' "$each"; done; case "$*" in *@-) cat;; esac; }`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', `${curl}; ${line}`], {
    input: '',
    env: { PATH: process.env.PATH, LC_ALL: 'C', TCK_KEY_PRIMARY: 'k-1' },
  });
  expect(stderr.toString()).toBe('');
  const args = stdout.toString().split('\0');
  const end = args.indexOf('@-');
  return { args, piped: end === -1 ? '' : args.slice(end + 1).join('\0') };
}

const bodies: Readonly<Record<string, string>> = {
  json: '{"query":"it\'s $HOME `here` \\"now\\" !"}',
  'line ends and tabs': '{"query":\n\t"a"}\r\n',
  'an escape and a digit after it': '\u001b[31m\u0007' + '7',
  'what a terminal turns round': '{"query":"\u202eabc\u2066 it\'s \\n"}',
  'one that looks like a file': '@/etc/hostname',
  'a blank one': ' \n ',
  'an empty one': '',
};

test.each(Object.entries(bodies))('a shell sends the same body: %s', (_, body) => {
  const line = lineOf(body);
  expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(given(line).args.at(-2)).toBe(body);
});

test.each(['a\0b', '\0' + "01 it's 100% \\0 \\n\n"])(
  'a body with the byte that ends arguments is piped: %j',
  (body) => {
    const line = lineOf(body);
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(given(line).piped).toBe(body);
  },
);

test('the key stands in the line as a variable, and headers as they are', () => {
  const line = lineOf(null, Object.entries({ authorization: 'Bearer (secret)', 'x-odd': "it's\u0007" }));
  expect(line).toContain('-H "authorization: Bearer $TCK_KEY_PRIMARY"');
  const { args } = given(line);
  expect(args).toContain('authorization: Bearer k-1');
  expect(args).toContain("x-odd: it's\u0007");
});

test('a secret header of the configuration stands in the line as a variable, a plain one as it is', () => {
  const secret = { name: 'X-Gateway', value: 'gateway-token', variable: 'TCK_KEY_PRIMARY' };
  const configured = [secret, { name: 'x-plain', value: '$5 "a"' }];
  const line = curlLine({ method: 'POST', url, headers: [], body: null }, noCredential, configured);
  expect(line).toContain('-H "x-gateway: $TCK_KEY_PRIMARY"');
  const { args } = given(line);
  expect(args).toContain('x-gateway: k-1');
  expect(args).toContain('x-plain: $5 "a"');
});

test('without a credential no header is shown, and a near miss is made of the variable', () => {
  const request = { method: 'POST', url, headers: [], body: null };
  expect(curlLine(request, noCredential)).toBe(`curl -sS -i -X POST '${url}'`);
  const { longer, shorter, otherCase } = nearMisses({ role: 'primary', key: 'k-1', variable: 'TCK_KEY_PRIMARY' });
  const shown = [longer, shorter, otherCase].map((credential) =>
    given(curlLine(request, credential ?? noCredential)).args.at(-2),
  );
  expect(shown).toEqual(['k-1a', 'k-', 'K-1'].map((key) => `authorization: Bearer ${key}`));
});

test('a long body is only begun', () => {
  const line = lineOf('x'.repeat(5000));
  expect(line).toContain("--data-binary @body.json  # 5000 characters, beginning 'xxxx");
  expect(line.length).toBeLessThan(400);
});
