import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clientRuleIds } from '../../fixtures/client-rules.ts';
import { afterIdleRun } from '../../test/judge/case.ts';
import { clientCases } from '../../test/judge/cases.ts';
import { atHand } from '../../test/stub/hand.ts';
import type { History } from '../exchange/history.ts';
import { clientRules } from './index.ts';
import { judgeClient } from './judge.ts';

const histories = await Promise.all(
  clientCases.map(async ([what, , act]): Promise<[string, History]> => {
    const hand = atHand();
    await act(hand);
    return [what, hand.stub.history()];
  }),
);

const failedRules = (history: History) =>
  new Set(
    judgeClient(afterIdleRun(history)).requirements.flatMap(({ id, findings }) => (findings.length > 0 ? [id] : [])),
  );

test('there is one rule for each id', () => {
  expect(clientRules.map(({ id }) => id)).toEqual(clientRuleIds);
});

test.each(histories)('%s: no finding comes from removing requests', (_what, history) => {
  const all = failedRules(history);
  const { exchanges, knowledge } = history;
  fc.assert(
    fc.property(fc.subarray(exchanges.map(({ number }) => number)), (kept) => {
      const cut = exchanges.filter(({ number }) => kept.includes(number));
      const created = [...failedRules({ ...history, knowledge: { ...knowledge, complete: false }, exchanges: cut })];
      expect(created.filter((id) => !all.has(id))).toEqual([]);
    }),
    { numRuns: 20, seed: 1 },
  );
});

test('a client history is plain data', () => {
  for (const [, history] of histories)
    expect(failedRules(JSON.parse(JSON.stringify(history)))).toEqual(failedRules(history));
});

test('of keys that the history does not tell apart, no rule says that they are one', () => {
  const unknown = { label: 'a key', kind: 'other', role: null } as const;
  for (const [what, { knowledge, ...history }] of histories) {
    const exchanges = history.exchanges.map((exchange) => ({ ...exchange, sender: unknown }));
    const ids = [...failedRules({ knowledge: { ...knowledge, roles: false }, exchanges })];
    const aboutKeys = ids.filter((id) => /limits|only-what-may-help|workspaces/.test(id));
    expect(aboutKeys, what).toEqual([]);
  }
});

test('without what only a sandbox knows, no rule rests on it', () => {
  for (const [what, { knowledge, exchanges }] of histories) {
    const { person: _, ...rest } = knowledge;
    const ids = [...failedRules({ knowledge: rest, exchanges })];
    expect(ids, what).not.toContain('client-confirmations.approved');
  }
});
