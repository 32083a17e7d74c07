import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunResult } from '../../suites/result.ts';
import { type Language, mistakes, starts } from '../../test/clients/table.ts';
import { missingLanguages } from '../../test/judge/judged-client.ts';
import { provoke } from './provoke.ts';

const behindProxy = fileURLToPath(new URL('../../test/judge/behind-proxy.ts', import.meta.url));

/** Mistakes of the table that requests show, one or two of each topic. */
const habits: readonly string[] = [
  'also sends its key in X-Api-Key',
  'sends form data instead of JSON',
  'confirms twice',
  'confirms twice at the same time',
  'waits one second after every 429',
  'repeats every request after a 5xx',
];
const chosen = mistakes.filter(([, habit]) => habits.includes(habit));

/** Clients with their scenario and the findings of the proxy. */
const clients: readonly (readonly [Language, habit: string, scenario: string, ...findings: unknown[]])[] = [
  ...chosen,
  // Only a run without refusals shows how often the client sends a request, and the proxy has no such run.
  ['perl', 'retries after a 401', 'closed'],
  ['python', '', 'limited'],
  ['bash', 'lets curl retry a read', 'limited'],
];

test('each of these mistakes is in the table once', () => {
  expect(chosen.map(([, habit]) => habit).sort()).toEqual(habits.toSorted());
});

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tck-clients-proxied-'));
});
afterAll(() => rm(folder, { recursive: true }));

for (const [language, habit, scenario, ...findings] of clients) {
  const name = `a client in ${language} through a proxy: ${habit}, in ${scenario}`;
  test.skipIf(missingLanguages.includes(language))(name, { timeout: 180_000 }, async () => {
    const out = await mkdtemp(join(folder, 'of-'));
    const command = [process.execPath, behindProxy, out, ...starts[language], habit];
    const options = { command, folder: process.cwd(), seed: 1, timeoutSeconds: 60, only: [scenario] };
    const { trouble } = await provoke(options, { stop: new AbortController().signal, onScenario: () => undefined });
    const reports = (await readdir(out)).map(async (name): Promise<RunResult> => {
      return JSON.parse(await readFile(join(out, name, 'report.json'), 'utf8'));
    });
    const all = (await Promise.all(reports)).flatMap(({ requirements }) => requirements);
    const broken = all.filter(({ id, status }) => ['failed', 'warned'].includes(status) && id.startsWith('client-'));
    const found = new Set(broken.map(({ id, status }) => `${status} ${id}`));
    // A person's approval happens on the control plane, which the proxy does not see.
    found.delete('warned client-confirmations.time-to-read');
    expect([...found].sort()).toEqual(findings);
    if (findings.length === 0) expect(trouble).toBeUndefined();
  });
}
