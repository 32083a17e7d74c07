import { isDispatch } from '../../situations/ids.ts';
import type { Steps } from '../steps.ts';
import { neverIssued } from './made-up-ids.ts';
import { confirming, type Proposal, propose } from './proposals.ts';

/** Proposes, presents an ID that was never issued, and confirms. Ends the story if the server does not dispatch. */
export async function proposeAndConfirm(t: Steps): Promise<Proposal> {
  const proposal = await propose(t, 'propose');
  await t.send('present an ID that was never issued', neverIssued(t, proposal));
  if (isDispatch(await t.send('confirm', confirming(proposal)))) return proposal;
  return t.disturbed('the confirmation was not dispatched, see confirmations.dispatched');
}

/**
 * Returns a used ID: the last one that this run confirmed, because each costs an image. Also presents an ID that was
 * never issued, for comparison.
 */
export async function obtainUsedIdAfterNeverIssued(t: Steps): Promise<Pick<Proposal, 'args' | 'id'>> {
  const { dispatched } = t;
  if (dispatched === undefined) return await proposeAndConfirm(t);
  await t.send('present an ID that was never issued', neverIssued(t, { id: dispatched.id, args: t.proposal() }));
  return dispatched;
}
