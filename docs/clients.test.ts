import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createCore } from '../stub/core.ts';
import { environmentOf } from '../stub/serve/command.ts';
import { portions } from '../stub/server/state/share.ts';
import { idleSeconds, mostWorlds } from '../stub/worlds/worlds.ts';

const guide = await readFile(new URL('clients.md', import.meta.url), 'utf8');
const cli = fileURLToPath(new URL('../cli/main.ts', import.meta.url));

async function tck(cwd: string, ...args: string[]): Promise<{ code: number | null; stdout: string }> {
  const child = spawn(process.execPath, [cli, ...args], { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, stdout };
}

/** Where the guide shows the beginning of a finding. */
function shownLines(): [from: number, to: number] {
  const from = guide.split('\n').findIndex((line) => line.includes('✗ client-'));
  return [from, from + 4];
}

test("the guide's client runs, and is judged as the guide says", { timeout: 120_000 }, async () => {
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
  expect(judged.stdout).toContain('! client-confirmations.time-to-read');
});

test('the bounds that the guide names are the ones that there are', () => {
  expect(guide).toContain(`remember ${portions.journalBytes.total >> 20} MB of journal`);
  expect(guide).toContain(`a workspace keeps ${portions.things.most},`);
  expect(guide).toContain(`down to ${portions.things.least}, and ${portions.journalBytes.least >> 10} KB of journal`);
  expect(guide).toContain(`at most ${mostWorlds} worlds`);
  expect(guide).toContain(`for ${idleSeconds / 60} minutes`);
});

test('the guide names every variable that a client finds in its environment', () => {
  const stub = createCore();
  const found = Object.keys(environmentOf(stub, 'http://stub.invalid', { url: '', token: '' }));
  const named = (variable: string) => guide.includes(`\`${variable}\``) || /^TCK_KEY_[A-Z_]+$/.test(variable);
  expect(found.filter((variable) => !named(variable))).toEqual([]);
  expect(found).toContain('TCK_KEY_AMBIGUOUS');
});
