import { existsSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configFolder } from '../test/config-folder.ts';
import { tck } from '../test/tck.ts';

const program = (marker: string) =>
  `require('node:fs').writeFileSync('${marker}', ''); console.log('key-of-a-command')`;

let folder: Awaited<ReturnType<typeof configFolder>>;

beforeAll(async () => {
  folder = await configFolder({
    'report.json': '{}',
    'tck.config.json': {
      // No server listens on this port.
      baseUrl: 'http://127.0.0.1:9',
      keys: { primary: { command: ['node', '-e', program('key-command-ran')] } },
      headers: { 'x-gateway': { command: ['node', '-e', program('header-command-ran')] } },
      clock: { advance: { command: ['./advance', '{seconds}\n::error::'] } },
    },
  });
});

afterAll(() => folder[Symbol.asyncDispose]());

const ran = () => ['key-command-ran', 'header-command-ran'].filter((name) => existsSync(folder.file(name)));
const inFolder = (...args: string[]) =>
  tck(args, { cwd: folder.path, env: { KEY_A: 'key-number-one', TCK_KEY_PRIMARY: 'key-number-one' } });

test('tck plan runs no command of a configuration, and shows which ones a run would start', async () => {
  const { code, stdout, stderr } = await inFolder('plan', '--config', 'tck.config.json');
  expect(code, stderr).toBe(0);
  expect(ran()).toEqual([]);
  expect(stdout).toMatch(/keys\.primary: node\s+-e/);
  expect(stdout).toMatch(/headers\.x-gateway: node\s+-e/);
});

test.each([
  ['init', 'http://127.0.0.1:9', '--key-env', 'KEY_A', '--out', 'other.json'],
  ['list', 'schedule'],
  ['explain', 'headers.beta'],
])('tck %s reads no configuration that is only in the folder', async (...args) => {
  await inFolder(...args);
  expect(ran()).toEqual([]);
});

test.each(['run', 'plan'])(
  'tck %s reads tck.config.json of the folder, and runs none of its commands',
  async (name) => {
    const { code, stderr } = await inFolder(name);
    expect([code, stderr]).toEqual([2, expect.stringContaining('keys.primary: expected no command without --config')]);
    expect(ran()).toEqual([]);
  },
);

const below = /keys\.primary\.file: expected a file below the folder of the\s+configuration, got /;
test.each([
  [{ env: 'AWS_SECRET_ACCESS_KEY' }, /expected a variable that starts with\s+TCK_, got\s+AWS_SECRET_/],
  [{ file: '../secret' }, new RegExp(`${below.source}'../secret'`)],
  [{ file: 'link' }, new RegExp(`${below.source}'link'`)],
])('a configuration that is not trusted cannot name %j', async (reference, message) => {
  await using outside = await configFolder({ secret: 'secret-of-this-machine' });
  const cwd = join(outside.path, 'fork');
  await mkdir(cwd);
  await symlink('../secret', join(cwd, 'link'));
  // A stranger wrote it.
  const hostile = { baseUrl: 'https://elsewhere.example.test', keys: { primary: reference } };
  await writeFile(join(cwd, 'tck.config.json'), JSON.stringify(hostile));
  const env = { AWS_SECRET_ACCESS_KEY: 'secret-of-this-machine' };
  const named = ['plan', '--config', 'tck.config.json'];
  for (const args of [['plan'], ['run'], [...named, '--no-commands']]) {
    const { code, stdout, stderr } = await tck(args, { cwd, env });
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
    expect(stdout + stderr).not.toContain('secret-of-this-machine');
  }
  expect(await tck(named, { cwd, env })).toMatchObject({ code: 0 });
});

test('tck plan and tck run name the host that gets the secret of each variable and file', async () => {
  const keys = { primary: { env: 'TCK_KEY_PRIMARY' }, sole: { file: 'sole', baseUrl: 'http://127.0.0.1:8' } };
  const config = { baseUrl: 'http://127.0.0.1:9/edge', keys, headers: { 'x-gateway': { env: 'TCK_GATEWAY' } } };
  await using other = await configFolder({ 'tck.config.json': config, sole: 'key-number-two' });
  const options = { cwd: other.path, env: { TCK_KEY_PRIMARY: 'key-number-one', TCK_GATEWAY: 'gateway-token-value' } };
  const [planned, ran] = [await tck(['plan'], options), await tck(['run'], options)];
  for (const text of [planned.stdout, ran.stderr]) {
    const words = text.replaceAll(/\s+/g, ' ');
    expect(words).toContain('http://127.0.0.1:9 gets the secrets of TCK_KEY_PRIMARY, TCK_GATEWAY');
    expect(words).toContain('http://127.0.0.1:8 gets the secrets of the file sole, TCK_GATEWAY');
  }
});

test.each([['run'], ['plan'], ['audit', 'report.json']])(
  'tck %s --no-commands refuses a configuration that names commands',
  async (...command) => {
    const { code, stderr } = await inFolder(...command, '--config', 'tck.config.json', '--no-commands');
    expect([code, stderr]).toEqual([2, expect.stringContaining('keys.primary: expected no command')]);
    expect(ran()).toEqual([]);
  },
);

test('tck run prints the commands of its configuration in full before it starts the first one', async () => {
  const { stderr } = await inFolder('run', '--config', 'tck.config.json');
  expect(ran()).toEqual(['key-command-ran', 'header-command-ran']);
  const [heading, ...lines] = stderr.split('\n');
  expect(heading).toBe('tck: tck.config.json runs these commands:');
  expect(lines.slice(0, 3)).toEqual([
    expect.stringMatching(/^ {2}keys\.primary: node -e '.*key-command-ran.*'$/),
    expect.stringMatching(/^ {2}headers\.x-gateway: node -e '.*header-command-ran.*'$/),
    "  clock.advance: ./advance $'{seconds}\\n⟨U+003A⟩:error::'",
  ]);
});
