import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createStub, type Stub } from '../stub/index.ts';
import { listenHostile } from '../test/attacks/server.ts';
import { type Answering, responseText } from '../test/attacks/wire.ts';
import { accepting, echoing } from '../test/echo.ts';
import { forms } from '../test/forms.ts';
import { leaksOf } from '../test/leaks.ts';
import { textsIn } from '../test/output.ts';
import { tck } from '../test/tck.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const key = 'k-3y_aB/x+Zq&"0=~41!u0042@';

const folder = temporaryFolder();

/** Returns the key in a different encoding on each call. */
function formsOfKey(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return forms[count % forms.length]?.of(key) ?? '';
  };
}

/** All printed and written output of a run, by name. */
async function outputsOf(baseUrl: string, stub: Stub, ...args: string[]): Promise<Record<string, string>> {
  const out = await mkdtemp(join(folder, 'out-'));
  const { sole, otherAccount } = stub.keys;
  const summary = `${out}-step.md`;
  const keys = { TCK_KEY_PRIMARY: key, TCK_KEY_SOLE: sole, TCK_KEY_OTHER_ACCOUNT: otherAccount };
  const { code, stdout, stderr } = await tck(['run', baseUrl, '--reporter', 'github', '--out', out, ...args], {
    env: { ...keys, GITHUB_STEP_SUMMARY: summary },
  });
  expect([1, 3], stdout + stderr).toContain(code);
  const files = await textsIn(out);
  expect(Object.keys(files)).toContain('report.html');
  return { stdout, stderr, summary: await readFile(summary, 'utf8'), ...files };
}

test('no output and no file holds a key that a server repeats in bodies and headers', async () => {
  const stub = createStub({ rateLimit: 5000 });
  const handle = echoing(accepting(stub.handle, key, stub.keys.primary), formsOfKey());
  await using server = await listenHostile(
    { handle },
    (socket, response) => socket.write(responseText(response)),
    () => true,
  );
  const outputs = await outputsOf(server.baseUrl, stub, '--allow', 'proposals,writes');
  expect(leaksOf(key)(outputs)).toEqual([]);
  // Checks that the outputs contained the key before redaction.
  expect(outputs['report.json']).toContain('<primary');
});

test('the same of status lines, names of headers, and what is no HTTP', async () => {
  const stub = createStub({ rateLimit: 5000 });
  const next = formsOfKey();
  const ways: readonly Answering[] = [
    (socket, good) => socket.write(responseText(good).toString().replace('Whatever', next())),
    (socket, good) => socket.write(responseText({ ...good, headers: { ...good.headers, [`x-${next()}`]: next() } })),
    (socket) => socket.end(`HTTP/1.1 ${next()}\r\n\r\n`),
    (socket) => socket.end(`${next()}\r\n`),
    (socket, good) => socket.end(`${responseText({ ...good, body: next() })}`.replace(/content-length: /g, '$&9')),
  ];
  let count = 0;
  const rude: Answering = (socket, good, asked) => {
    count += 1;
    ways[count % ways.length]?.(socket, good, asked);
  };
  const handle = accepting(stub.handle, key, stub.keys.primary);
  await using server = await listenHostile({ handle }, rude, (_tool, nth) => nth > 4 && nth % 2 === 0);
  const outputs = await outputsOf(server.baseUrl, stub, '--only', 'envelopes,library,schedule,credits,headers');
  expect(leaksOf(key)(outputs)).toEqual([]);
});

test.each<[string, object]>([
  ['has fewer than 12 characters', { keys: { primary: { env: 'SHORT' } } }],
  ['is part of a slug', { workspaces: [{ slug: `w-${key}` }] }],
  ['is part of a board, in other case', { workspaces: [{ slug: 'w', board: key.toUpperCase() }] }],
  ['is part of a header', { headers: { 'x-gateway': key } }],
  ['is part of an address', { baseUrl: `http://127.0.0.1:9/${key.slice(0, 13)}`, keys: { primary: { env: 'START' } } }],
])('a key that %s is refused with exit code 2, and not printed', async (_, config) => {
  const whole = { baseUrl: 'http://127.0.0.1:9', keys: { primary: { env: 'KEY' } }, ...config };
  await writeFile(join(folder, 'tck.config.json'), JSON.stringify(whole));
  const env = { KEY: key, SHORT: key.slice(0, 11), START: key.slice(0, 13) };
  const { code, stdout, stderr } = await tck(['run', '--config', 'tck.config.json'], { env, cwd: folder });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/keys\.primary.* expected\s+a\s+key/s);
  expect(leaksOf(key)({ stderr })).toEqual([]);
});
