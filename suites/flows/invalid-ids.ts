import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { limits } from '../../fixtures/contract/limits.ts';
import type { Role } from '../../fixtures/roles.ts';
import { isRefusal } from '../history/exchange.ts';
import { isProposal } from '../rules/seen/ids.ts';
import { mostRunners } from '../session/spending.ts';
import { confirmed, confirmedOnce } from './confirmed.ts';
import { flow } from './flow.ts';
import { briefFor, confirming, type Proposal, proposalOf, propose, proposing } from './images.ts';
import { neverIssued } from './made-up-ids.ts';
import { asOtherAccount, elsewhere } from './places.ts';
import type { Args, Steps } from './steps.ts';

const { fresh: freshMinutes, surelyAlive, surelyDead } = limits.confirmation;
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
      for (const change of changes(t)) {
        await t.send('present its id here, with a change', confirming({ ...theirs, args: t.proposal() }, change));
      }
    });
    await t.part(async () => {
      const there = { workspace: t.setting('otherAccountWorkspace'), board: t.setting('otherAccountBoard') };
      t.key('otherAccount');
      const theirs = await propose(t, 'propose as the other account', there, { as: 'otherAccount' });
      await t.send('present its id here', confirming({ ...theirs, args: t.proposal() }));
      for (const change of changes(t)) {
        await t.send('present its id here, with a change', confirming({ ...theirs, args: t.proposal() }, change));
      }
      const ours = await propose(t, 'propose here');
      // The same request of their own shows that nothing else is wrong with it.
      await t.send('present its id as the other account', {
        ...confirming({ ...ours, args: theirs.args }),
        as: 'otherAccount',
      });
    });
  },
);

/** Another fault beside that of the id: values that were proposed with success before. */
function changes(t: Steps): Args[] {
  const { count, shape, brief } = t.proposal();
  const other = t.known.shapes.find((each) => each !== shape);
  return [{ count: Number(count) + 1, brief }, ...(other === undefined ? [] : [{ shape: other, brief }])];
}

/** Ids grow older: one that is used, one that expires, and one that is confirmed just before. */
export const expiring = flow(
  'expiring',
  {
    lane: 'clock',
    needs: { effects: spending, settings: ['board'], time: true },
    uses: ['proposal'],
    images: 2,
    witnesses: [
      'expiry.alive-early',
      'expiry.dead-late',
      'confirmations.expired-invalid',
      'confirmations.expired-like-never-issued',
      'confirmations.used-stays-invalid',
      'confirmations.recovery',
    ],
  },
  async (t) => {
    const used = t.dispatched ?? (await confirmed(t));
    let alive = await grows(t, used);
    for (let again = 2; again <= t.mostRepetitions && !alive; again += 1) {
      await t.disturbance();
      alive = await isAliveInTime(t);
    }
  },
);

/** Proposes what is confirmed in time, in one of the workspaces, by the seed. */
function proposeYoung(t: Steps): Promise<Proposal> {
  const { otherWorkspace: workspace, otherBoard: board } = t.known;
  const isAway = t.text('where it stays alive').charCodeAt(0) % 2 === 0;
  const there = isAway && workspace !== undefined && board !== undefined ? { workspace, board } : {};
  return propose(t, 'propose what is confirmed in time', { brief: briefFor(t, 'stays alive'), ...there });
}

/** Time passes for an id that is confirmed in time; tells whether that was. */
async function isAliveInTime(t: Steps): Promise<boolean> {
  const young = await proposeYoung(t);
  // As many others are open as before.
  await whatElseExpires(t);
  await t.passSince(young.exchange, surelyAlive, `${surelyAlive} minutes in the life of a confirmation`);
  const reply = await t.send(`confirm what is ${surelyAlive} minutes old`, confirming(young));
  return !isRefusal(reply, refusalCodes.confirmationInvalid);
}

/** Time passes for a used id, for those that expire and for one that is confirmed in time; tells whether that was. */
async function grows(t: Steps, used: Pick<Proposal, 'args' | 'id'>): Promise<boolean> {
  const old = await propose(t, 'propose what expires', { brief: briefFor(t, 'what expires') });
  const young = await proposeYoung(t);
  const others = await whatElseExpires(t);
  await t.passSince(young.exchange, surelyAlive, `${surelyAlive} minutes in the life of a confirmation`);
  const reply = await t.send(`confirm what is ${surelyAlive} minutes old`, confirming(young));
  await t.send(`present what was used ${surelyAlive} minutes ago`, confirming(used));
  for (const asked of [elsewhere(t, old), asOtherAccount(t, old)]) {
    if (asked !== undefined)
      await t.send('present it where it was not issued, which is no reason to live longer', asked);
  }
  await t.pass(freshMinutes, `${freshMinutes} minutes in the life of a confirmation`);
  await propose(t, 'propose another one', { brief: briefFor(t, 'later') });
  const youngest = others.at(-1)?.proposal ?? old;
  await t.passSince(youngest.exchange, surelyDead, `the rest of ${surelyDead} minutes in the life of a confirmation`);
  await t.send('present an id that was never issued', neverIssued(t, old));
  await t.send(`present what is ${surelyDead} minutes old`, confirming(old));
  for (const { proposal, as, change } of others) {
    await t.send(`present what else is ${surelyDead} minutes old`, { ...confirming(proposal, change), as });
  }
  const fresh = await propose(t, 'propose the same again', old.args);
  await t.send('confirm that', confirming(fresh));
  // Without a clock that can be moved it would take too long.
  if (t.target.clock !== undefined) await growsOld(t, [old, used]);
  return !isRefusal(reply, refusalCodes.confirmationInvalid);
}

/**
 * Minutes after which ids are presented once more: an hour and some, and much later, when they may be forgotten: a day
 * and a quarter of an hour after they were issued, where who leaves out the days takes them for young.
 */
const later = [20, 180, 1210];

async function growsOld(t: Steps, ids: readonly Pick<Proposal, 'args' | 'id'>[]): Promise<void> {
  for (const minutes of later) {
    await t.pass(minutes, `${minutes} minutes more`);
    for (const id of ids) await t.send('present what is older still', confirming(id));
  }
}

/** Whose ids expire as well. */
const owners = ['otherAccount', 'defaulted', 'sole', 'ambiguous', 'pinned'] as const;

interface Expiring {
  readonly proposal: Proposal;
  readonly as: Role;
  readonly change?: Args;
}

/** Ids of other places, keys and counts, and ones that are presented with a change. */
async function whatElseExpires(t: Steps): Promise<Expiring[]> {
  const all: Expiring[] = [];
  const { otherWorkspace, otherBoard, otherAccountWorkspace, otherAccountBoard } = t.known;
  const add = (change: Args, presented: Args = {}, as: Role = 'primary') =>
    t.part(async () => {
      const asked = proposing(t, change);
      const exchange = await t.send('propose what expires as well', { ...asked, as });
      // A key may not reach as far.
      if (!isProposal(exchange)) return;
      all.push({ proposal: proposalOf(t, asked.args ?? {}, exchange), as, change: presented });
    });
  await add({ brief: briefFor(t, 'expires') }, { brief: briefFor(t, 'is not what expired') });
  await add({ brief: briefFor(t, 'of one') }, { count: Number(t.proposal().count) + 1 });
  await add({ count: Number(t.proposal().count) + 1 });
  const other = t.known.shapes.find((each) => each !== t.proposal().shape);
  if (other !== undefined) await add({ shape: other });
  if (otherWorkspace !== undefined && otherBoard !== undefined)
    await add({ workspace: otherWorkspace, board: otherBoard });
  for (const as of owners.filter((role) => t.has(role))) {
    const abroad = { workspace: otherAccountWorkspace, board: otherAccountBoard };
    await add(as === 'otherAccount' ? abroad : {}, {}, as);
  }
  return all;
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
      if (judged.length > 1 && !judged.every((each) => isRefusal(each, refusalCodes.confirmationInvalid))) return;
    }
  },
);
