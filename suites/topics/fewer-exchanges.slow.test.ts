import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DefectId } from '../../test/mutations/defects/index.ts';
import { historyOf, mulberry } from '../../test/run-history.ts';
import type { History } from '../exchange/history.ts';
import { judge } from '../model/judge/judge.ts';
import { rules, stories } from './index.ts';

/** Defects whose findings depend on earlier or intermediate exchanges. */
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

const failedRules = (history: History, ordered = rules) =>
  new Set(judge(ordered, history).flatMap(({ id, findings }) => (findings.length > 0 ? [id] : [])));

/**
 * Requirements that fail only without some exchanges. A server that issues a used ID again breaks one of them: with the
 * second proposal, the ID is not used; without the proposal, it is.
 */
const explained: Readonly<Partial<Record<DefectId, readonly string[]>>> = {
  'confirmation-id-by-request': ['confirmations.used-stays-invalid'],
};

test.each([...defects.map((defect) => ({ defect, explore: 0 })), { defect: undefined, explore: 600 }])(
  'no finding comes from removing exchanges: $defect, $explore generated',
  async ({ defect, explore }) => {
    const history = await historyOf(defect, 1, explore);
    const all = failedRules(history);
    const known = defect === undefined ? [] : (explained[defect] ?? []);
    const cut = fc.record({ seed: fc.integer(), keep: fc.constantFrom(0.05, 0.2, 0.5, 0.8, 0.95) });
    fc.assert(
      fc.property(cut, ({ seed, keep }) => {
        const random = mulberry(seed);
        const exchanges = history.exchanges.filter(() => random() < keep);
        const created = [...failedRules({ knowledge: { ...history.knowledge, complete: false }, exchanges })];
        expect(created.filter((id) => !all.has(id) && !known.includes(id))).toEqual([]);
      }),
      { numRuns: 8, seed: 1 },
    );
  },
);

test('a history is plain data, and rules do not depend on their order', async () => {
  const history = await historyOf('confirmation-good-twice');
  const copy: History = JSON.parse(JSON.stringify(history));
  const failed = failedRules(history);
  expect(failed.size).toBeGreaterThan(0);
  expect(failedRules(copy, rules.toReversed())).toEqual(failed);
});

test('every requirement that has a rule is witnessed by a story, and every witness has a rule', () => {
  const witnessed = new Set<string>(stories.flatMap(({ witnesses }) => witnesses));
  expect(rules.map(({ id }) => id).filter((id) => !witnessed.has(id))).toEqual([]);
  const ruled = new Set<string>(rules.map(({ id }) => id));
  expect([...witnessed].filter((id) => !ruled.has(id))).toEqual([]);
});
