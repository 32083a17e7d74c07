import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { byOthers, type KitFinding } from '../../expectations/finding.ts';
import type { Twin } from '../../expectations/rule.ts';
import { body, type Completed, isRefusal } from '../../history/exchange.ts';
import { declinedForCredits } from '../../situations/declined.ts';
import { isDispatch } from '../../situations/ids.ts';
import { isFresh, type Presented, presented } from '../../situations/presentation.ts';
import type { Seen } from '../../situations/seen.ts';

/** Whether an exchange presents an ID, the condition holds, and the service does not decline it for lack of credits. */
export function presents(exchange: Completed, seen: Seen, wanted: (attempt: Presented) => boolean): boolean {
  const attempt = presented(exchange, seen);
  return attempt !== undefined && declinedForCredits(exchange) === undefined && wanted(attempt);
}

/** Expects a dispatch with the status `dispatched`. Shows the proposal of the ID, too. */
export function dispatches(exchange: Completed, seen: Seen, hint: string): KitFinding | undefined {
  if (isDispatch(exchange) && body(exchange).status === 'dispatched') return undefined;
  const mayHaveExpired = seen.knowledge.clockShared && isRefusal(exchange, refusalCodes.confirmationInvalid);
  return {
    want: { ok: true, result: 'dispatched' },
    expected: 'ok true with status "dispatched"',
    hint,
    exchanges: withProposal(exchange, seen),
    ...(mayHaveExpired ? { refutable: byOthers } : {}),
  };
}

/** Expects a dispatch with any text in `status`. */
export const dispatchesAnyStatus = (exchange: Completed, seen: Seen, hint: string): KitFinding | undefined =>
  isDispatch(exchange) ? undefined : dispatches(exchange, seen, hint);

/** Twin: the same request without the ID, which succeeded as a proposal. */
export const proposedTwin = (exchange: Completed, seen: Seen): Twin => ({
  succeeded: wasProposed(exchange, seen, 'same'),
  promisedBy: 'image-proposals.proposed',
});

/** Whether the same request without the ID succeeded as a proposal, with the same brief or any. */
export function wasProposed({ sender, request }: Completed, seen: Seen, texts: 'any' | 'same'): boolean {
  const { confirmation_id: _, ...args } = request.args ?? {};
  return seen.successes.has({ role: sender.role, tool: 'images.generate', args, texts });
}

/** Returns the exchanges that show a finding: the proposal of the ID, and its presentation. */
export function withProposal(exchange: Completed, seen: Seen): Completed[] {
  const proposal = presented(exchange, seen)?.issued?.proposal;
  return proposal === undefined ? [exchange] : [proposal, exchange];
}

export const needs = { effects: ['proposals', 'spending'], settings: ['board'] } as const;

/** Whether a fresh ID is presented for the first time, with no other ID issued or dispatched in between. */
export const presentedNext = (attempt: Presented, exchange: Completed, seen: Seen) =>
  attempt.before.length === 0 &&
  isFresh(attempt) &&
  attempt.issued !== undefined &&
  !seen.ids.othersBetween(attempt.issued, exchange);
