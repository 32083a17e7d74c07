import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createCore } from '../stub/core.ts';
import { parseData } from '../stub/seeded/data.ts';
import { writeConfiguration } from '../stub/serve/configuration.ts';
import { mostWorlds } from '../stub/worlds/worlds.ts';

const guide = await readFile(new URL('clients.md', import.meta.url), 'utf8');
const cli = fileURLToPath(new URL('../cli/main.ts', import.meta.url));

/** The environment without variables that commands set. */
const bare = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^TCK_|^NODE_EXTRA_CA/.test(name)));

async function tck(cwd: string, ...args: string[]): Promise<{ code: number | null; stdout: string }> {
  const child = spawn(process.execPath, [cli, ...args], { cwd, env: bare, stdio: ['ignore', 'pipe', 'ignore'] });
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, stdout };
}

/** Line numbers of the finding in the guide. */
function shownLines(): [from: number, to: number] {
  const from = guide.split('\n').findIndex((line) => line.includes('✗ 1. client-'));
  return [from, from + 4];
}

test("the guide's client runs, and is judged as the guide says", async () => {
  const client = guide.split('```js\n')[1]?.split('```')[0] ?? '';
  const folder = await mkdtemp(join(tmpdir(), 'tck-guide-'));
  await writeFile(join(folder, 'client.mjs'), client);
  const [run, judged] = [
    await tck(folder, 'stub', '--', process.execPath, 'client.mjs'),
    await tck(folder, 'judge', '--', process.execPath, 'client.mjs'),
  ];
  await rm(folder, { recursive: true });
  expect(run).toMatchObject({ code: 0, stdout: expect.stringMatching(/^run_/) });
  expect(judged.code).toBe(1);
  const shown = guide.split('\n').slice(...shownLines());
  expect(shown).toHaveLength(4);
  for (const line of shown) expect(judged.stdout).toContain(line.trim());
  expect(judged.stdout).toContain('! 2. client-confirmations.time-to-read');
});

test('the bounds that the guide names are the ones that there are', () => {
  const text = guide.replaceAll(/\s+/g, ' ');
  expect(text).toContain(`there are at most ${mostWorlds}.`);
});

test("a sandbox starts with the guide's data", () => {
  const data = parseData(parse(guide.split('## Your own data')[1]?.split('```yaml\n')[1]?.split('```')[0] ?? ''));
  expect(createCore({ data }).workspaces).toEqual([{ slug: 'shop', board: 'brd_1' }]);
});

/** Environment variables in the table of the guide, each with its condition. */
function documented(): Map<string, string> {
  const rows =
    guide
      .split('Environment variables')[1]
      ?.split('\n## ')[0]
      ?.match(/^\| `.*$/gm) ?? [];
  const named = rows.flatMap((row) => {
    const [names = '', , when = ''] = row.split(' | ');
    return [...names.matchAll(/`(\w+)`/g)].map(([, name = '']): [string, string] => [name, when]);
  });
  return new Map(named);
}

test.each([
  ['stub', ['--control', '--tls', '--mcp']],
  ['judge', ['--person', 'approve', '--mcp']],
  ['proxy', ['http://127.0.0.1:9', '--config', 'tck.config.json', '--tls']],
])('tck %s sets the variables of the guide, and no others', async (command, options) => {
  const folder = await mkdtemp(join(tmpdir(), 'tck-environment-'));
  const stub = createCore();
  await writeConfiguration(join(folder, 'tck.config.json'), stub, 'http://127.0.0.1:9');
  const script = `require('node:fs').writeFileSync('names.json', JSON.stringify(Object.keys(process.env)))`;
  await tck(folder, command, ...options, '--', process.execPath, '-e', script);
  const found: string[] = JSON.parse(await readFile(join(folder, 'names.json'), 'utf8'));
  await rm(folder, { recursive: true });
  const set = (when: string) => /^(?:Always|Unless)/.test(when) || when.includes(`tck ${command}`);
  const expected = [...documented()].filter(([, when]) => set(when)).map(([name]) => name);
  expect(found.filter((name) => !(name in bare)).sort()).toEqual(expected.sort());
});
