import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunResult } from '../../suites/result.ts';
import { good, type Language, mistakes, starts } from '../../test/clients/table.ts';
import { provoke } from './provoke.ts';

const isThere = (language: Language) => spawnSync(starts[language][0], ['--version']).status === 0;

const behindProxy = fileURLToPath(new URL('../../test/judge/behind-proxy.ts', import.meta.url));

/** Rules that depend on the client's output, exit code, other connections or person, which a proxy cannot see. */
const unseen = [
  'client-outcomes.failure-told',
  'client-outcomes.no-crash',
  'client-keys.not-in-output',
  'client-keys.not-elsewhere',
  'client-workspaces.choices-shown',
  'client-workspaces.chosen-by-a-person',
  'client-confirmations.time-to-read',
  'client-confirmations.approved',
];
const isSeen = (finding: string) => finding.includes(' client-') && !unseen.some((id) => finding.endsWith(id));

/**
 * Expected findings that differ behind a proxy. The proxy judges each scenario separately, so it misses some findings.
 */
const toldOtherwise: Readonly<Record<string, readonly string[]>> = {
  // Only a run without refusals shows how often the client sends a request.
  'retries after every failure': [],
  'retries after a 401': [],
  'retries after invalid_arguments': [],
  'retries after board_not_found': [],
  'retries after temporarily_frozen': [],
  'repeats a content request after its own timeout': ['warned client-retries.no-blind-repeat'],
  // Its second request omits the workspace, so it can be an independent request. Only a run without refusals shows that
  // it is a confirmation.
  'treats a refused proposal as a success': [],
  // For these two clients, only a run without unknown fields shows the normal behavior.
  'rejects responses with unknown fields': [],
  'rejects responses with too many fields': [],
  // The client advances the clock of the stub, but the proxy measures only real time (proxy.test.ts).
  'confirms 31 minutes later': [],
  // The configuration does not say that both keys belong to one account. The proxy does report the missing wait.
  'uses another key after a 429': ['failed client-limits.retry-after'],
};

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tck-clients-proxied-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the client behind a proxy in each scenario. Returns the failed and warned client rules of all reports. */
async function judged(
  language: Language,
  habit: string,
  only: string[] | undefined,
): Promise<{ trouble: string | undefined; found: string[] }> {
  const out = await mkdtemp(join(folder, 'of-'));
  const command = [process.execPath, behindProxy, out, ...starts[language], habit];
  const options = { command, folder: process.cwd(), seed: 1, timeoutSeconds: 60, only };
  const { trouble } = await provoke(options, { stop: new AbortController().signal, onScenario: () => undefined });
  const reports = (await readdir(out)).map(async (name): Promise<RunResult> => {
    return JSON.parse(await readFile(join(out, name, 'report.json'), 'utf8'));
  });
  const all = (await Promise.all(reports)).flatMap(({ requirements }) => requirements);
  const broken = all.filter(({ status }) => status === 'failed' || status === 'warned');
  return { trouble, found: [...new Set(broken.map(({ id, status }) => `${status} ${id}`))].filter(isSeen).sort() };
}

const seen = mistakes.flatMap(([language, mistake, scenarios, ...told]) => {
  const findings = told.filter((each) => typeof each === 'string');
  const shown = toldOtherwise[mistake] ?? findings.filter(isSeen);
  return !findings.some(isSeen) || findings.length < told.length
    ? []
    : [[language, mistake, scenarios, shown.toSorted()] as const];
});

for (const [language, mistake, scenarios, findings] of seen) {
  const name = `a client in ${language} through a proxy: ${mistake}, in ${scenarios}`;
  test.skipIf(!isThere(language))(`${name} (needs ${language})`, { timeout: 180_000 }, async () => {
    expect((await judged(language, mistake, scenarios.split(','))).found).toEqual(findings);
  });
}

for (const [language, habit] of good.filter(([, , person]) => person === undefined)) {
  const name = `a good client in ${language} through a proxy: ${habit}`;
  test.skipIf(!isThere(language))(`${name} (needs ${language})`, { timeout: 600_000 }, async () => {
    expect(await judged(language, habit, ['limited'])).toEqual({ trouble: undefined, found: [] });
  });
}
