import { isDispatch } from '../rules/seen/ids.ts';
import { confirming, type Proposal, propose } from './images.ts';
import { neverIssued } from './made-up-ids.ts';
import type { Steps } from './steps.ts';

/** Proposes, presents an id that was never issued, and confirms; ends the flow where nothing is dispatched. */
export async function confirmed(t: Steps): Promise<Proposal> {
  for (let again = 1; again <= t.mostRepetitions; again += 1) {
    const proposal = await propose(t, 'propose');
    await t.send('present an id that was never issued', neverIssued(t, proposal));
    if (isDispatch(await t.send('confirm', confirming(proposal)))) return proposal;
  }
  return t.cannot('the confirmation was not dispatched, see confirmations.dispatched');
}

/**
 * Sees to it that a confirmation of this run was dispatched, and an id that was never issued presented, to compare
 * with.
 */
export async function confirmedOnce(t: Steps): Promise<void> {
  const { dispatched } = t;
  if (dispatched === undefined) await confirmed(t);
  else await t.send('present an id that was never issued', neverIssued(t, { id: dispatched.id, args: t.proposal() }));
}
