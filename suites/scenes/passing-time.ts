import type { Context } from '../engine/context.ts';
import { type Answered, isRefusal } from '../exchange.ts';
import { confirm, type Proposal, propose } from './images.ts';

/** Minutes at which "about 30 minutes" must not be over yet, and must be over. */
export const certainlyAliveMinutes = 20;
export const certainlyDeadMinutes = 45;

/** How often the wait is begun anew where somebody else may have moved the same clock. */
const mostTries = 4;

/** Lets time pass: by the clock where it can be moved, otherwise by waiting. */
async function pass(t: Context, minutes: number): Promise<void> {
  if (t.target.clock !== undefined) return t.session.advance(minutes * 60);
  t.session.budget.require('waiting');
  await t.session.wait(minutes * 60, `${minutes} minutes of a confirmation's life`);
}

interface Aged {
  /** Proposed 45 minutes ago and not confirmed. */
  old: Proposal;
  /** The confirmation of a proposal that was 20 minutes old. */
  reply: Answered;
  young: Proposal;
}

/** Two proposals, of which one was presented after 20 minutes and the other is 45 minutes old. */
export function aged(t: Context): Promise<Aged> {
  return t.once('aged proposals', async () => {
    for (let tries = 1; ; tries += 1) {
      const old = await propose(t, 'control');
      const young = await propose(t, `confirmed after ${certainlyAliveMinutes} minutes`);
      await pass(t, certainlyAliveMinutes);
      const reply = await confirm(t, young.args, young.id);
      if (isRefusal(reply, 'confirmation_invalid') && t.target.clock !== undefined && tries < mostTries) {
        // Dead too early, or moved too far by another run on the same deployment: only repetition can tell.
        await t.session.wait(0.05 + Math.random() * 0.4, 'another run may have moved the clock');
        continue;
      }
      // A newer proposal must not lengthen the life of older ones.
      await propose(t, 'made meanwhile');
      await pass(t, certainlyDeadMinutes - certainlyAliveMinutes);
      return { old, young, reply };
    }
  });
}

/** An id that was issued 45 minutes ago. */
export async function agedId(t: Context): Promise<Proposal> {
  return (await aged(t)).old;
}
