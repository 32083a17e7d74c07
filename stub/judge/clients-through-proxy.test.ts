import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunResult } from '../../suites/result.ts';
import { isTriedWhole } from '../../suites/testing/whole.ts';
import { provoke } from './provoke.ts';
import { good, type Language, mistakes, starts } from './testing/clients/table.ts';

const isThere = (language: Language) => spawnSync(starts[language][0], ['--version']).status === 0;

const behindProxy = fileURLToPath(new URL('testing/behind-proxy.ts', import.meta.url));

/** What no proxy sees: what the client prints, how it ends, what it sends elsewhere, and what a person says to it. */
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

/** What the proxy of one scenario tells of these mistakes instead, and why not the same. */
const toldOtherwise: Readonly<Record<string, readonly string[]>> = {
  // Only a run in which nothing is refused shows how often they send a request.
  'tries everything again': [],
  'tries again after 401': [],
  'tries again after invalid_arguments': [],
  'tries again after board_not_found': [],
  'tries again after temporarily_frozen': [],
  // Its second request leaves the workspace out, which another person may mean; only a run in which nothing is refused
  // shows that it was to confirm.
  'takes a refused proposal for a good one': [],
  // Only a run without unknown fields shows what the client does without them.
  'a strict schema': [],
  // The same.
  'counts the fields': [],
  // It moves the clock of its stub beside the proxy, which tells only of time that passes (proxy.test.ts).
  'confirms an hour later': [],
  // No configuration tells that both keys are of one account; that the first did not wait is told.
  'uses another key': ['failed client-limits.retry-after'],
};

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tck-clients-proxied-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The client rules that the proxies find broken in the scenarios, together. */
async function judged(
  language: Language,
  habit: string,
  only: string[] | undefined,
): Promise<{ trouble: string | undefined; found: string[] }> {
  const out = await mkdtemp(join(folder, 'of-'));
  const command = [process.execPath, behindProxy, out, ...starts[language], habit];
  const options = { command, seed: 1, timeoutSeconds: 60, attended: false, only };
  const { trouble } = await provoke(options, { stop: new AbortController().signal, onScenario: () => undefined });
  const reports = (await readdir(out)).map(async (name): Promise<RunResult> => {
    return JSON.parse(await readFile(join(out, name, 'report.json'), 'utf8'));
  });
  const all = (await Promise.all(reports)).flatMap(({ requirements }) => requirements);
  const broken = all.filter(({ status }) => status === 'failed' || status === 'warned');
  return { trouble, found: [...new Set(broken.map(({ id, status }) => `${status} ${id}`))].filter(isSeen).sort() };
}

/** All of them with TCK_WHOLE=all; otherwise a sample. */
const isAll = isTriedWhole();
const sample = (_each: unknown, index: number) => isAll || index % 12 === 4;

const seen = mistakes.flatMap(([language, mistake, scenarios, ...told]) => {
  const findings = told.filter((each) => typeof each === 'string');
  const shown = toldOtherwise[mistake] ?? findings.filter(isSeen);
  return !findings.some(isSeen) || findings.length < told.length
    ? []
    : [[language, mistake, scenarios, shown.toSorted()] as const];
});

for (const [language, mistake, scenarios, findings] of seen.filter(sample)) {
  const name = `a client in ${language} through a proxy: ${mistake}, in ${scenarios}`;
  test.skipIf(!isThere(language))(name, { timeout: 180_000 }, async () => {
    expect((await judged(language, mistake, scenarios.split(','))).found).toEqual(findings);
  });
}

for (const [language, habit] of good.filter(([, , person]) => person === undefined).filter(sample)) {
  const name = `a good client in ${language} through a proxy: ${habit}`;
  test.skipIf(!isThere(language))(name, { timeout: 600_000 }, async () => {
    expect(await judged(language, habit, isAll ? undefined : ['limited'])).toEqual({ trouble: undefined, found: [] });
  });
}
