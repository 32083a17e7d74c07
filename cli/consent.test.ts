import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configFolder } from '../test/config-folder.ts';
import { tck } from '../test/tck.ts';

const program = (marker: string) =>
  `require('node:fs').writeFileSync('${marker}', ''); console.log('key-of-a-command')`;

let folder: Awaited<ReturnType<typeof configFolder>>;

beforeAll(async () => {
  folder = await configFolder({
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
  ['run', 'http://127.0.0.1:9'],
  ['plan', 'http://127.0.0.1:9'],
  ['init', 'http://127.0.0.1:9', '--key-env', 'KEY_A', '--force', '--out', 'other.json'],
  ['list', 'schedule'],
  ['explain', 'headers.beta'],
])('tck %s reads no configuration that is only in the folder', async (...args) => {
  await inFolder(...args);
  expect(ran()).toEqual([]);
});

test.each([
  ['run', '--config', 'tck.config.json', '--no-commands'],
  ['plan', '--config', 'tck.config.json', '--no-commands'],
  ['audit', 'report.json', '--config', 'tck.config.json', '--no-commands'],
])('tck %s --no-commands refuses a configuration that names commands', async (...args) => {
  const report = { 'report.json': '{}' };
  await using other = await configFolder(report);
  const { code, stderr } = await tck(
    args.map((arg) => (arg === 'report.json' ? other.file(arg) : arg)),
    { cwd: folder.path },
  );
  expect(code).toBe(2);
  expect(stderr).toContain('keys.primary: expected no command');
  expect(ran()).toEqual([]);
});

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
