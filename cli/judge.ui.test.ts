import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunResult } from '../suites/result.ts';
import { chromiumPath, startBrowser } from '../test/reports/browser.ts';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const asking = ['node', file('../test/clients/asking.mjs')];

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tck-judge-ui-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Starts `tck judge --ui` and returns the URL of the page. */
async function judging(scenario: string, client: readonly string[]) {
  const args = [file('main.ts'), 'judge', '--ui', '--scenario', scenario, '--out', folder, '--', ...client];
  const judge: ChildProcessByStdio<null, null, Readable> = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  const url = new Promise<string>((resolve) => {
    judge.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
      const [found] = /http:\/\/\S+#\S+/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const ended = once(judge, 'close').then(([code]) => code);
  return { url: await url, ended, said: () => said };
}

async function statuses(): Promise<Readonly<Record<string, string>>> {
  const { requirements }: RunResult = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'));
  return Object.fromEntries(requirements.map(({ id, status }) => [id, status]));
}

describe.skipIf(chromiumPath === undefined)('in Chromium (left out where there is none)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  test('a person approves, picks and denies on the page while the client waits', { timeout: 60_000 }, async () => {
    const { url, ended, said } = await judging('ambiguous,large', asking);
    const page = await browser.newPage();
    await page.goto(url);
    let answered = '';
    const answer = async (name: 'Approve' | 'Deny'): Promise<void> => {
      const card = page.locator(`.proposal:not([data-id="${answered}"])`);
      answered = (await card.getAttribute('data-id')) ?? '';
      await card.getByRole('button', { name }).click();
    };
    // All scenarios use the page at the same URL. In the first scenario, the person only approves.
    await answer('Approve');
    // In this scenario, the key reaches several workspaces. The board belongs to `north`.
    await page.locator('#choices button', { hasText: 'north' }).click();
    await answer('Approve');
    // In this scenario, the person denies the proposal.
    await answer('Deny');
    expect(await ended, said()).toBe(0);
    await page.close();
    expect(await statuses()).toMatchObject({
      'client-confirmations.approved': 'passed',
      'client-workspaces.chosen-by-a-person': 'passed',
    });
    expect(said()).toMatch(/^ambiguous: .*, exit code 0$/m);
    expect(said()).toMatch(/^large: .*, exit code 1$/m);
  });
});

test('a client that waits for nobody is found out', async () => {
  const { ended } = await judging('plain', ['node', file('../test/clients/self-confirming.mjs')]);
  expect(await ended).toBe(1);
  expect((await statuses())['client-confirmations.approved']).toBe('failed');
});
