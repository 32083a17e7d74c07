import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RequirementId } from '../../fixtures/requirements/model.ts';
import type { DefectId } from '../../test/mutations/defects/index.ts';
import { ordinaryUse } from '../../test/ordinary-use.ts';
import { foundIn, judgementsOf, type Lack, recordedOf } from '../../test/recording.ts';
import { historyOf, mulberry } from '../../test/run-history.ts';
import type { History } from '../exchange/history.ts';
import { seededOrder } from '../topics/random.ts';
import type { Recorded } from './recorded.ts';

let one: History;
let other: History;
beforeAll(async () => {
  [one, other] = await Promise.all([historyOf(undefined, 1), historyOf(undefined, 2)]);
  // Two complete runs, possibly on a busy machine.
});

/** Random gaps in a recording. */
const lacking = fc.record({
  seed: fc.integer(),
  keep: fc.constantFrom(0.1, 0.5, 0.9, 1),
  bodies: fc.constantFrom(0.5, 0.9, 1),
  keys: fc.boolean(),
  headers: fc.boolean(),
});

function lackOf({ seed, keep, bodies, keys, headers }: typeof lacking extends fc.Arbitrary<infer T> ? T : never): Lack {
  const random = mulberry(seed);
  const isMissing = (part: number) => () => random() >= part;
  return { keys, headers, exchange: isMissing(keep), requestBody: isMissing(bodies), responseBody: isMissing(bodies) };
}

const later = (all: readonly Recorded[], ms: number) =>
  all.map((exchange) => ({ ...exchange, sentAt: exchange.sentAt + ms, receivedAt: exchange.receivedAt + ms }));

describe('no finding in conforming traffic of which little is known', () => {
  test('cut, sampled, sanitised and out of order', () => {
    fc.assert(
      fc.property(lacking, (lack) => {
        expect(foundIn(seededOrder(recordedOf(one, lackOf(lack)), lack.seed))).toEqual([]);
      }),
      { numRuns: 15, seed: 1 },
    );
  });

  test('interleaved with that of other keys', () => {
    fc.assert(
      fc.property(lacking, (lack) => {
        const both = [...recordedOf(one, lackOf(lack)), ...recordedOf(other, lackOf(lack), 'other')];
        expect(foundIn(both)).toEqual([]);
      }),
      { numRuns: 8, seed: 2 },
    );
  });

  test('where every request is known, though neither the keys nor the clock', () => {
    const judgements = judgementsOf(recordedOf(one), { assumed: ['complete'] });
    expect(judgements.filter(({ findings }) => findings.length > 0).map(({ id }) => id)).toEqual([]);
    expect(judgements.filter(({ tested }) => tested > 0).length).toBeGreaterThan(120);
  });

  test('of keys whose workspaces, items and boards became others', () => {
    fc.assert(
      fc.property(lacking, (lack) => {
        const both = [...recordedOf(one, lackOf(lack)), ...later(recordedOf(other, lackOf(lack)), 3_600_000)];
        expect(foundIn(both)).toEqual([]);
      }),
      { numRuns: 8, seed: 3 },
    );
  });
});

describe('a defect stays found while the exchanges that show it are there', () => {
  const defects = [
    ['days-empty', 'schedule.days', 'schedule.read'],
    ['confirmation-good-twice', 'confirmations.used-invalid', 'images.generate'],
    ['second-call-decides-count', 'confirmations.changed-count', 'images.generate'],
    ['unknown-properties-ignored', 'content-requests.unknown-property-refused', 'content.create_request'],
  ] as const satisfies readonly (readonly [DefectId, RequirementId, string])[];

  test.each(defects)('%s, by %s', async (defect, id, tool) => {
    const { traffic, target } = await ordinaryUse([defect]);
    fc.assert(
      fc.property(lacking, ({ seed, keep }) => {
        const random = mulberry(seed);
        const cut = traffic.filter(({ url }) => url.endsWith(tool) || random() < keep);
        expect(foundIn(cut, { target, assumed: ['clock'] })).toContain(id);
        expect(foundIn(traffic.filter(({ url }) => !url.endsWith(tool)))).not.toContain(id);
      }),
      { numRuns: 4, seed: 4 },
    );
  });
});
