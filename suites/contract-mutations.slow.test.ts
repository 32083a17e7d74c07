import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { MutatedCopy } from '../test/contract/mutated-copy.ts';
import { addedRefusal, addedTool, mutations } from '../test/contract/mutations.ts';
import { idsWith } from '../test/output.ts';
import { startTck } from '../test/tck.ts';

// Changing one value of the contract changes the kit, its stub and its description together. A server with the old
// value then fails the requirement.

const folder = mkdtempSync(join(tmpdir(), 'tck-contract-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The third server conforms to the changed contract, and the kit catches the defects of the stub. */
async function expectThirdServerToFollow(copy: MutatedCopy, defects: readonly string[] = []): Promise<void> {
  expect(await copy.runThirdServer()).toEqual([]);
  if (defects.length === 0) return;
  const detected = (await copy.detect(defects)).trim().split('\n');
  expect(detected.filter((line) => line.endsWith(': failed nothing'))).toEqual([]);
}

test.each(Object.entries(mutations))(
  '%s: the kit and its stub agree, and a server with the old values fails',
  async (name, group) => {
    using copy = new MutatedCopy(...group);
    await copy.generate();
    const agreed = await copy.run(['--stub']);
    expect(agreed.reasons).toEqual([]);
    expect(agreed).toMatchObject({ verdict: 'conformant', complete: true });
    await expectThirdServerToFollow(copy, [...new Set(group.flatMap(({ defects = [] }) => defects))]);

    const config = join(folder, `${name.replaceAll(' ', '-')}.json`);
    // This option does not raise the limit of the key with the role `throttled`.
    const options = ['--port', '0', '--control', '--rate-limit', '100000', '--write-config', config, '--json'];
    const old = startTck(['stub', ...options]);
    try {
      await old.printed('baseUrl');
      const failed = new Set(idsWith(await copy.run(['--config', config, '--allow', 'all']), 'failed'));
      const missed = group.flatMap(({ what, violated }) =>
        [violated].flat().flatMap((id) => (failed.has(id) ? [] : `${what}: ${id}`)),
      );
      expect(missed).toEqual([]);
    } finally {
      old.child.kill();
      await old.ended;
    }
  },
  240_000,
);

test('a refusal added: requirements, rules and defects follow from its row', async () => {
  using copy = new MutatedCopy(addedRefusal);
  await copy.generate();
  const result = await copy.run(['--stub']);
  expect(result).toMatchObject({ verdict: 'conformant', complete: true });
  expect(idsWith(result, 'not-tested')).toContain('headers.tool-error-on-tide-too-low');
  const detected = await copy.detect(['tide-too-low-without-tool-error']);
  expect(detected.trim()).toBe('tide-too-low-without-tool-error: failed headers.tool-error-on-tide-too-low');
}, 240_000);

test('a tool added: requests, requirements, rules and defects follow from its declaration', async () => {
  using copy = new MutatedCopy(...addedTool);
  await copy.generate();
  const result = await copy.run(['--stub']);
  expect(result).toMatchObject({ verdict: 'conformant', complete: true });
  const ids = ['tides.answers', 'tides.tides', 'tides.sorted'];
  const elsewhere = ['bodies.omitted-tides-list', 'workspaces.ambiguous-tides-list'];
  expect(idsWith(result, 'passed')).toEqual(expect.arrayContaining([...ids, ...elsewhere]));
  await expectThirdServerToFollow(copy);
  const malformed = result.timeline.filter(({ tool, status }) => tool === 'tides.list' && status === 400);
  expect(malformed.length).toBeGreaterThan(5);
  const detected = await copy.detect([
    'declined-tides-list',
    'no-tides-in-tides-list',
    'unsorted-tides-in-tides-list',
    'body-wanted-by-tides-list',
    'first-workspace-picked-for-tides-list',
  ]);
  const detectedIds = detected.trim().split('\n');
  expect(detectedIds.map((line) => line.split(': failed ')[1])).toEqual([...ids, ...elsewhere]);
}, 240_000);
