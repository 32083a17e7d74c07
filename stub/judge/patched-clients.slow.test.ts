import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientResult } from '../../suites/recorded/client-result.ts';
import { client, good, mistakes, type Patch } from '../../test/clients/patched.ts';
import { provoke } from './provoke.ts';

let parent = '';
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'tck-patched-'));
});
afterAll(() => rm(parent, { recursive: true }));

/** Judges the client with a patch. Returns the broken rules. */
async function brokenBy([what, patch, scenarios]: Patch) {
  const folder = await mkdtemp(join(parent, 'client-'));
  let text = client;
  for (const [line, instead] of patch) {
    expect(text, line).toContain(line);
    text = text.replace(line, instead);
  }
  await writeFile(join(folder, 'client.mjs'), text);
  const person = { proposals: 'approve' } as const;
  const command = [process.execPath, 'client.mjs'];
  const options = { command, folder, seed: 1, timeoutSeconds: 10, person, only: scenarios.split(',') };
  const stop = new AbortController().signal;
  const { played, trouble } = await provoke(options, { stop, onScenario: () => undefined });
  const facts = { client: what, seed: 1, startedAt: new Date(0), durationMs: 1, interrupted: false, trouble };
  const { requirements } = clientResult(played, facts);
  const broken = requirements.filter(({ findings }) => findings.length > 0);
  return { trouble, broken: broken.map(({ id, findings }) => `${id}: ${findings[0]?.actual}`) };
}

for (const patch of mistakes) {
  const [what, , , ...ids] = patch;
  test(`a client that ${what}`, { timeout: 90_000 }, async () => {
    const broken = ids.map((id) => expect.stringMatching(`^${id}:`));
    expect(await brokenBy(patch)).toEqual({ trouble: undefined, broken });
  });
}

for (const patch of good) {
  test(`a good client: ${patch[0]}`, { timeout: 90_000 }, async () => {
    expect(await brokenBy(patch)).toEqual({ trouble: undefined, broken: [] });
  });
}
