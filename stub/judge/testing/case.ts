import type { ClientRuleId } from '../../../fixtures/client-rules.ts';
import type { Hand } from '../../testing/hand.ts';

/** What a client does, and how one rule then stands: the status, and the numbers of the events behind each finding. */
export type Case = [what: string, rule: ClientRuleId, act: (hand: Hand) => Promise<unknown>, verdict: unknown];
