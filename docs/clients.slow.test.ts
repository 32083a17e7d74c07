import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createStub } from '../stub/index.ts';
import { parseData } from '../stub/seeded/data.ts';
import { writeConfiguration } from '../stub/serve/configuration.ts';
import { mostWorlds } from '../stub/worlds/worlds.ts';
import { tckProcess } from '../test/tck.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const guide = await readFile(new URL('clients.md', import.meta.url), 'utf8');
const parent = temporaryFolder();
const folderFor = (name: string) => mkdtemp(join(parent, name));

test("the guide's client runs, and is judged as the guide says", async () => {
  const cwd = await folderFor('guide-');
  await writeFile(join(cwd, 'client.mjs'), guide.split('```js\n')[1]?.split('```')[0] ?? '');
  const command = ['--', process.execPath, 'client.mjs'];
  const run = await tckProcess(['stub', ...command], { cwd });
  expect(run).toMatchObject({ code: 0, stdout: expect.stringMatching(/^run_/) });
  const judged = await tckProcess(['judge', ...command], { cwd });
  expect(judged.code).toBe(1);
  const [shown = ''] = /^.*✗ 1\. client-(?:.*\n){4}/m.exec(guide) ?? [];
  for (const line of shown.trimEnd().split('\n')) expect(judged.stdout).toContain(line.trim());
  expect(judged.stdout).toContain('! 2. client-confirmations.time-to-read');
});

test('the bounds that the guide names are the ones that there are', () => {
  const text = guide.replaceAll(/\s+/g, ' ');
  expect(text).toContain(`there are at most ${mostWorlds}.`);
});

test("a sandbox starts with the guide's data", () => {
  const data = parseData(parse(guide.split('## Your own data')[1]?.split('```yaml\n')[1]?.split('```')[0] ?? ''));
  expect(createStub({ data }).workspaces).toEqual([{ slug: 'shop', board: 'brd_1' }]);
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
  const cwd = await folderFor('environment-');
  await writeConfiguration(join(cwd, 'tck.config.json'), createStub(), 'http://127.0.0.1:9');
  const script = `require('node:fs').writeFileSync('names.json', JSON.stringify(Object.keys(process.env)))`;
  await tckProcess([command, ...options, '--', process.execPath, '-e', script], { cwd });
  const found: string[] = JSON.parse(await readFile(join(cwd, 'names.json'), 'utf8'));
  const set = (when: string) => /^(?:Always|Unless)/.test(when) || when.includes(`tck ${command}`);
  const expected = [...documented()].filter(([, when]) => set(when)).map(([name]) => name);
  expect(found.filter((name) => name !== 'PATH').sort()).toEqual(expected.sort());
});
