import type { ClientRuleId } from '../../fixtures/client-rules.ts';
import type { Fault } from '../../stub/faults/fault.ts';
import type { History } from '../../suites/exchange/history.ts';
import type { Hand } from '../stub/hand.ts';

type Act = (hand: Hand) => Promise<unknown>;
/** Status of a rule, and the event numbers of each finding. */
type Verdict = 'passed' | 'not-tested' | readonly ['failed' | 'warned', ...(readonly number[])[]];

/** Actions of a client and the expected result of one rule. */
export type Case = [what: string, rule: ClientRuleId, act: Act, verdict: Verdict];

/** Cases of one rule, by the actions of the client. */
export const of = (rule: ClientRuleId, cases: Readonly<Record<string, readonly [Act, Verdict]>>): Case[] =>
  Object.entries(cases).map(([what, [act, verdict]]) => [what, rule, act, verdict]);

type Sent = Parameters<Hand['send']>;

/** Sends one request. */
export const sends =
  (...sent: Sent): Act =>
  ({ send }) =>
    send(...sent);

/** Sends a request that meets the fault, lets time pass, and sends another request. By default, the same at once. */
export const after =
  (fault: Fault, first: Sent, second: Sent = first, seconds = 0): Act =>
  async ({ send, stub }) => {
    stub.faults.add(fault);
    await send(...first);
    if (seconds > 0) stub.advance(seconds);
    await send(...second);
  };

/** Returns the history preceded by a plain run in which the client sent nothing. */
export function afterIdleRun(history: History): readonly History[] {
  const { knowledge } = history;
  const run = { scenario: 'plain', kind: 'plain', exitCode: 0 } as const;
  return [{ knowledge: { ...knowledge, run }, exchanges: [] }, history];
}
