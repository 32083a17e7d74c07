import { isRefusal } from '../history/exchange.ts';
import { mostRunners } from '../session/spending.ts';
import { confirmed, confirmedOnce } from './confirmed.ts';
import { flow } from './flow.ts';
import { briefFor, confirming, type Proposal, propose } from './images.ts';
import { neverIssued } from './made-up-ids.ts';
import type { Steps } from './steps.ts';

const spending = ['proposals', 'spending'] as const;

/** Ids issued in another workspace, and to another account, are presented here. */
export const foreignIds = flow(
  'ids issued elsewhere',
  {
    lane: 'images',
    needs: { effects: spending, settings: ['board'] },
    uses: ['proposal'],
    images: 1,
    witnesses: [
      'confirmations.other-workspace-invalid',
      'confirmations.other-workspace-like-never-issued',
      'confirmations.other-account-invalid',
      'confirmations.other-account-like-never-issued',
    ],
  },
  async (t) => {
    await confirmedOnce(t);
    await t.part(async () => {
      const there = { workspace: t.setting('otherWorkspace'), board: t.setting('otherBoard') };
      const theirs = await propose(t, 'propose in the other workspace', there);
      await t.send('present its id here', confirming({ ...theirs, args: t.proposal() }));
    });
    await t.part(async () => {
      const there = { workspace: t.setting('otherAccountWorkspace'), board: t.setting('otherAccountBoard') };
      t.key('otherAccount');
      const theirs = await propose(t, 'propose as the other account', there, { as: 'otherAccount' });
      await t.send('present its id here', confirming({ ...theirs, args: t.proposal() }));
    });
  },
);

/** Ids grow older: one that is used, one that expires, and one that is confirmed just before. */
export const expiring = flow(
  'expiring',
  {
    lane: 'clock',
    needs: { effects: spending, settings: ['board'], time: true },
    uses: ['proposal'],
    images: 2,
    witnesses: [
      'expiry.alive-at-20-minutes',
      'expiry.dead-at-45-minutes',
      'confirmations.expired-invalid',
      'confirmations.expired-like-never-issued',
      'confirmations.used-stays-invalid',
      'confirmations.recovery',
    ],
  },
  async (t) => {
    const used = t.dispatched ?? (await confirmed(t));
    for (let again = 1; again <= t.mostRepetitions && !(await grows(t, used)); again += 1) await t.disturbance();
  },
);

/** Time passes for a used id, for one that expires and for one that is confirmed just before; tells whether that was. */
async function grows(t: Steps, used: Pick<Proposal, 'args' | 'id'>): Promise<boolean> {
  const old = await propose(t, 'propose what expires', { brief: briefFor(t, 'what expires') });
  await t.pass(20, '20 minutes in the life of a confirmation');
  await t.send('present what was used 20 minutes ago', confirming(used));
  await t.pass(5, '5 minutes in the life of a confirmation');
  const young = await propose(t, 'propose what stays alive', { brief: briefFor(t, 'stays alive') });
  await t.pass(20, '20 minutes in the life of a confirmation');
  await t.send('present an id that was never issued', neverIssued(t, old));
  await t.send('present what is 45 minutes old', confirming(old));
  const reply = await t.send('confirm what is 20 minutes old', confirming(young));
  await t.send('propose the same again', { tool: 'images.generate', args: old.args });
  return !isRefusal(reply, 'confirmation_invalid');
}

/** One id is presented several times at one moment. */
export const racing = flow(
  'racing',
  {
    lane: 'images',
    needs: { effects: spending, settings: ['board'] },
    uses: ['proposal'],
    images: mostRunners,
    witnesses: ['race.one-dispatches', 'race.others-invalid'],
  },
  async (t) => {
    for (let again = 1; again <= t.mostRepetitions; again += 1) {
      const proposal = await propose(t, 'propose');
      const all = await t.sendTogether('confirm several times at one moment', confirming(proposal), mostRunners);
      const judged = all.filter(({ response }) => response.status !== 429);
      // One that is held up by the rate limit was not in the race.
      if (judged.length > 1 && !judged.every((each) => isRefusal(each, 'confirmation_invalid'))) return;
    }
  },
);
