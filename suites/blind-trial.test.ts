import { describe, expect, test } from 'vitest';
import { effects } from '../fixtures/side-effects.ts';
import { mixture } from '../test/mixture.ts';
import { mutations } from '../test/other-server/index.ts';
import { createOtherServer, otherTarget } from '../test/other-target.ts';
import { isTriedWhole } from '../test/whole.ts';
import { audit } from './engine/audit.ts';
import { defaultPace } from './target.ts';

// The authors of the second server and its mutations knew only the specification, not the stub or the checks.
// `TCK_WHOLE=blind` tries every mutation; other runs try one in 24, and fewer conforming mixtures.
const all = isTriedWhole('blind');

/**
 * Mutations that black-box tests with two boards and ten requests cannot distinguish from a conforming server, with the
 * reason.
 */
const beyondReach: Readonly<Record<string, string>> = {
  'cap-counts-refused-calls': 'whole seconds of Retry-After cover what the refused calls add',
  'board-not-found-renamed':
    'its boards have four digits: any of these may exist, and a longer one may be refused for its form',
};

const aboutCaps = /cap|429|retry|throttl|window|rate|limited/;

describe('deviations of a server that the kit was not written for', () => {
  const names = Object.keys(mutations).filter((name, index) => !(name in beyondReach) && (all || index % 24 === 0));
  test.concurrent.each(names)(
    '%s',
    // On a busy machine, simultaneous requests may not overlap.
    { timeout: 120_000, retry: 2 },
    async (name) => {
      const caps = aboutCaps.test(name);
      const server = await createOtherServer({
        mutation: name,
        ...(caps ? {} : { cap: { calls: 5000, windowMs: 60_000, style: 'fixed' } }),
      });
      const pace = { ...defaultPace, maxBurst: caps ? 1000 : 20 };
      const { verdict, requirements } = await audit(otherTarget(server, { pace }), { seed: 1, observe: false });
      await server.close();
      expect(requirements.filter(({ status }) => status === 'failed').map(({ id }) => id)).not.toEqual([]);
      expect(verdict).toBe('non-conformant');
    },
  );
});

describe('conforming servers drawn by seed', () => {
  const seeds = Array.from({ length: all ? 120 : 4 }, (_, index) => index + 1);
  test.concurrent.each(seeds)(
    'mixture %i',
    async (seed) => {
      const server = await createOtherServer(mixture(seed));
      const target = otherTarget(server, { pace: { ...defaultPace, maxBurst: 700 } });
      const { requirements, reasons } = await audit(target, { seed, shuffle: true });
      const { imagesConfirmed, contentRequestsCreated } = server.counters;
      await server.close();
      expect(requirements.filter(({ status }) => status === 'failed' || status === 'errored')).toEqual([]);
      expect(reasons).toEqual([]);
      expect(imagesConfirmed).toBeLessThanOrEqual(12);
      expect(contentRequestsCreated).toBeLessThanOrEqual(30);
    },
    120_000,
  );
});

test('the second server as it is, but for a larger cap: a path, no clock, connections closed', async () => {
  const server = await createOtherServer({ cap: { calls: 100, windowMs: 2000, style: 'sliding' } });
  const { clock: _, ...target } = otherTarget(server, { allow: effects.filter((effect) => effect !== 'waiting') });
  const { verdict, requirements } = await audit(target, { seed: 1 });
  await server.close();
  expect(requirements.filter(({ status }) => status === 'failed' || status === 'errored')).toEqual([]);
  expect(verdict).toBe('conformant');
}, 120_000);
