import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { MutatedCopy } from './testing/contract/mutated-copy.ts';
import { addedRefusal, mutations } from './testing/contract/mutations.ts';
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
