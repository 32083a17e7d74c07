import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { kit } from './fixtures/kit.ts';
import { startTck, tck } from './suites/testing/tck.ts';

test('tck --version and tck --help', async () => {
  const [version, help] = await Promise.all([tck(['--version']), tck(['--help'])]);
  expect(version).toEqual({ code: 0, stdout: `${kit.version}\n`, stderr: '' });
  expect(help.code).toBe(0);
  for (const command of ['run', 'stub', 'list', 'describe']) expect(help.stdout).toContain(`tck ${command}`);
});

test.concurrent.each<[string[], string]>([
  [[], 'a command is missing: tck --help lists them'],
  [['rnu'], "no such command; did you mean 'run'?"],
  [['stub', '--prot', '1'], "Unknown argument: prot; did you mean '--port'?"],
  [['stub', '--port', 'x'], "--port: expected one whole number from 0 to 65535, found 'x'"],
  [['stub', '--host', 'a', '--host', 'b'], '--host: expected once, found 2 times'],
  [['stub', '--host'], 'Not enough arguments following: host'],
  [['describe', 'everything'], 'Unknown argument: everything'],
])('wrong usage %j is told in one line, with exit code 2', async (args, message) => {
  const { code, stdout, stderr } = await tck(args);
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: `tck: ${message}\n` });
});

test('tck describe prints the published description', async () => {
  const { code, stdout } = await tck(['describe']);
  expect(code).toBe(0);
  expect(stdout).toBe(await readFile(new URL('fixtures/contract/openapi.json', import.meta.url), 'utf8'));
});

test('a reader that goes away does no harm', async () => {
  const { child, ended } = startTck(['describe']);
  child.stdout?.destroy();
  const { code, stderr } = await ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

test.each(['SIGINT', 'SIGTERM'] as const)('tck stub says where it listens, and stops on %s', async (signal) => {
  const stub = startTck(['stub', '--port', '0', '--json']);
  const { baseUrl, keys } = JSON.parse(await stub.printed('\n'));
  const answer = await fetch(`${baseUrl}/api/v1/tools/credits.balance`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.primary}` },
  });
  expect(await answer.json()).toMatchObject({ ok: true });
  stub.child.kill(signal);
  expect((await stub.ended).code).toBe(0);
});
