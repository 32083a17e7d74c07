import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { DefectId } from '../../stub/variants/defects/index.ts';
import { flows } from '../flows/index.ts';
import type { History } from '../history/history.ts';
import { historyOf, mulberry } from '../testing/run-history.ts';
import { isTriedWhole } from '../testing/whole.ts';
import { rules } from './index.ts';
import { judge } from './judge.ts';

/** Defects whose findings rest on what happened before, or between. */
const defects: readonly DefectId[] = [
  'confirmation-good-twice',
  'dispatch-cancels-the-others',
  'confirmation-burnt-in-another-workspace',
  'confirmation-lives-too-short',
  'confirmation-id-by-request',
  'balance-cached-by-key',
  'second-call-decides-count',
  'expired-id-is-told',
];

const found = (history: History) =>
  new Set(judge(rules, history).flatMap(({ id, findings }) => (findings.length > 0 ? [id] : [])));

const isSlow = isTriedWhole('slow');
const histories = [
  ...[undefined, ...defects].map((defect) => ({ defect, explore: 0 })).filter((_, index) => isSlow || index % 4 === 0),
  { defect: undefined, explore: isSlow ? 600 : 150 },
];

describe.each(histories)('a history: $defect, $explore generated', (it) => {
  let history: History;
  beforeAll(async () => {
    history = await historyOf(it.defect, 1, it.explore);
    // A whole run, also on a busy machine.
  }, 60_000);

  test('no finding comes from removing exchanges', () => {
    const all = found(history);
    const cut = fc.record({ seed: fc.integer(), keep: fc.constantFrom(0.05, 0.2, 0.5, 0.8, 0.95) });
    fc.assert(
      fc.property(cut, ({ seed, keep }) => {
        const random = mulberry(seed);
        const exchanges = history.exchanges.filter(() => random() < keep);
        const created = [...found({ knowledge: { ...history.knowledge, complete: false }, exchanges })];
        expect(created.filter((id) => !all.has(id))).toEqual([]);
      }),
      { numRuns: isTriedWhole() ? 100 : isSlow ? 8 : 2, seed: 1 },
    );
  });

  test('rules do not depend on their order', () => {
    expect([...found(history)].sort()).toEqual(
      judge([...rules].reverse(), history)
        .flatMap(({ id, findings }) => (findings.length > 0 ? [id] : []))
        .sort(),
    );
  });
});

test('a history is plain data', async () => {
  const history = await historyOf();
  expect(found(JSON.parse(JSON.stringify(history)))).toEqual(found(history));
});

test('every requirement that has a rule is witnessed by a flow, and every witness has a rule', () => {
  const witnessed = new Set<string>(flows.flatMap(({ witnesses }) => witnesses));
  expect(rules.map(({ id }) => id).filter((id) => !witnessed.has(id))).toEqual([]);
  const ruled = new Set<string>(rules.map(({ id }) => id));
  expect([...witnessed].filter((id) => !ruled.has(id))).toEqual([]);
});
