import type { ClientRuleId } from '../../../fixtures/client-rules.ts';
import type { History } from '../../../suites/history/history.ts';
import type { Hand } from '../../testing/hand.ts';

/** What a client does, and how one rule then stands: the status, and the numbers of the events behind each finding. */
export type Case = [what: string, rule: ClientRuleId, act: (hand: Hand) => Promise<unknown>, verdict: unknown];

/** A history after a run of the client in which nothing went wrong, because it sent nothing. */
export function afterIdleRun(history: History): readonly History[] {
  const { knowledge } = history;
  const run = { scenario: 'plain', kind: 'plain', exitCode: 0 } as const;
  return [{ knowledge: { ...knowledge, run }, exchanges: [] }, history];
}
