import type { ClientRuleId } from '../../fixtures/client-rules.ts';
import type { History } from '../../suites/exchange/history.ts';
import type { Hand } from '../stub/hand.ts';

/** Actions of a client and the expected result of one rule: the status, and the event numbers of each finding. */
export type Case = [what: string, rule: ClientRuleId, act: (hand: Hand) => Promise<unknown>, verdict: unknown];

/** Returns the history preceded by a plain run in which the client sent nothing. */
export function afterIdleRun(history: History): readonly History[] {
  const { knowledge } = history;
  const run = { scenario: 'plain', kind: 'plain', exitCode: 0 } as const;
  return [{ knowledge: { ...knowledge, run }, exchanges: [] }, history];
}
