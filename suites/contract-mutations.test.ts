import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { MutatedCopy } from './testing/contract/mutated-copy.ts';
import { addedRefusal, addedTool, mutations } from './testing/contract/mutations.ts';
import { startTck } from './testing/tck.ts';
import { isTriedWhole } from './testing/whole.ts';

// A change of one value of the contract changes the kit, its stub and its description together. A server that keeps
// the old value then fails the requirement.

const folder = mkdtempSync(join(tmpdir(), 'tck-contract-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Each with TCK_WHOLE=contract; every sixth in CI; the first otherwise. */
const every = isTriedWhole('contract') ? 1 : isTriedWhole('slow') ? 6 : mutations.length;
const tried = mutations.filter((_, index) => index % every === 0);

test.each(tried)(
  '$what: the kit and its stub agree, and a server with the old value fails',
  async (mutation) => {
    using copy = new MutatedCopy(mutation);
    await copy.generate();
    const agreed = await copy.run(['--stub']);
    expect(agreed.reasons).toEqual([]);
    expect(agreed).toMatchObject({ verdict: 'conformant', complete: true });

    const config = join(folder, `${mutations.indexOf(mutation)}.json`);
    // The limit of the key with the role `throttled` stays small.
    const options = ['--port', '0', '--control', '--rate-limit', '100000', '--write-config', config, '--json'];
    const old = startTck(['stub', ...options]);
    try {
      await old.printed('baseUrl');
      const { requirements } = await copy.run(['--config', config, '--allow', 'all']);
      expect(requirements.find(({ id }) => id === mutation.violated)?.status).toBe('failed');
    } finally {
      old.child.kill();
      await old.ended;
    }
  },
  120_000,
);

test.runIf(isTriedWhole('contract'))(
  'a refusal added: requirements, rules and defects follow from its row',
  async () => {
    using copy = new MutatedCopy(addedRefusal);
    await copy.generate();
    const { verdict, requirements } = await copy.run(['--stub']);
    expect(verdict).toBe('conformant');
    const yielded = ['headers.tool-error-on-quota-exhausted', 'envelopes.quota-exhausted-fields'];
    const untested = requirements.filter(({ status }) => status === 'not-tested');
    expect(untested.map(({ id }) => id).toSorted()).toEqual(yielded.toSorted());
    const detected = await copy.detect(['quota-exhausted-without-tool-error', 'quota-exhausted-without-fields']);
    expect(detected.trim().split('\n')).toEqual([
      'quota-exhausted-without-tool-error: failed headers.tool-error-on-quota-exhausted',
      'quota-exhausted-without-fields: failed envelopes.quota-exhausted-fields',
    ]);
  },
  120_000,
);

test.runIf(isTriedWhole('slow') || isTriedWhole('contract'))(
  'a tool added: requests, requirements, rules and defects follow from its declaration',
  async () => {
    using copy = new MutatedCopy(...addedTool);
    await copy.generate();
    const { verdict, complete, requirements, timeline } = await copy.run(['--stub']);
    expect({ verdict, complete }).toEqual({ verdict: 'conformant', complete: true });
    const ids = ['calendar.answers', 'calendar.holidays', 'calendar.sorted'];
    const elsewhere = ['bodies.omitted-calendar-holidays', 'workspaces.ambiguous-calendar-holidays'];
    const passed = requirements.filter(({ status }) => status === 'passed').map(({ id }) => id);
    expect(passed).toEqual(expect.arrayContaining([...ids, ...elsewhere]));
    const malformed = timeline.filter(({ tool, status }) => tool === 'calendar.holidays' && status === 400);
    expect(malformed.length).toBeGreaterThan(5);
    const detected = await copy.detect([
      'declined-calendar-holidays',
      'no-holidays-in-calendar-holidays',
      'unsorted-holidays-in-calendar-holidays',
      'body-wanted-by-calendar-holidays',
      'first-workspace-picked-for-calendar-holidays',
    ]);
    const found = detected.trim().split('\n');
    expect(found.map((line) => line.split(': failed ')[1])).toEqual([...ids, ...elsewhere]);
  },
  120_000,
);
