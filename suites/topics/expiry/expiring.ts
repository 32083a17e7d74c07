import { aboutLifetime, limits } from '../../../fixtures/contract/limits.ts';
import { type Role, refusedRoles } from '../../../fixtures/roles.ts';
import { row } from '../../model/rule.ts';
import { isDispatch, isProposal } from '../../model/world/ids.ts';
import { deadMinutes, isCorrect, isExpired, isFresh, presented } from '../../model/world/presentation.ts';
import { dispatchedControl, dispatches, invalidIds, presents, withProposal } from '../confirmations/invalid-ids.ts';
import { places } from '../requests/places.ts';
import {
  asOtherAccount,
  briefFor,
  confirming,
  elsewhere,
  neverIssued,
  noProposal,
  otherShapes,
  type Proposal,
  proposalOf,
  propose,
  proposeAndConfirm,
  proposeExpiring,
  proposeOneOf,
  proposeOtherShape,
  proposing,
} from '../requests/proposals.ts';
import type { Args, Steps } from '../steps.ts';
import { story, toSpend } from '../story.ts';

const { about, fresh: freshMinutes, surelyAlive, surelyDead } = limits.confirmation;

export const aliveInTime = story('confirmation in time', {
  needs: { ...toSpend, time: true },
  steps: async (t) => {
    const used = t.dispatched ?? (await proposeAndConfirm(t));
    // Expires while the other proposals are open. Without a clock, the wait would take too long.
    const old = t.target.clock && (await proposeElsewhere(t, 'propose a request that expires first', 'expires first'));
    if (old !== undefined) {
      await t.pass(surelyDead - surelyAlive, 'minutes in which only the first of two confirmations expires');
      await t.send('present an ID that was used some time ago', confirming(used));
    }
    // Expires in a later story. The dispatch in this one must not renew the ID.
    await proposeExpiring(t);
    const young = await proposeElsewhere(t, 'propose a request that is confirmed in time', 'stays alive');
    // A repetition keeps the time short in which another client may advance the clock.
    if (t.attempt === 1) await proposeOtherShape(t);
    await t.pass(surelyAlive, `${surelyAlive} minutes in the life of a confirmation`, young.exchange);
    if (old !== undefined) await t.send('present an expired ID while another is open', confirming(old));
    await t.send(`present an ID that was used ${surelyAlive} minutes ago`, confirming(used));
    await t.send(`confirm an ID that is ${surelyAlive} minutes old`, confirming(young));
  },
  requirements: [
    row('expiry.alive-early', {
      must: `The server MUST accept a confirmation ID ${limits.confirmation.surelyAlive} minutes after it was issued.`,
      source: 'Confirmation of a spending action, third row; Limits, confirmation lifetime',
      applies: presents((attempt) => attempt.minutes !== undefined && isCorrect(attempt) && !isFresh(attempt)),
      control: dispatchedControl,
      expect: (exchange, attempt, seen) => {
        const finding = dispatches(exchange, attempt, seen);
        const expected = `${finding?.expected}, ${Math.round(attempt.minutes ?? 0)} minutes after the proposal`;
        return finding && { ...finding, expected };
      },
      hint: `Expire a confirmation ${aboutLifetime} after it is issued: check the lifetime and its unit.`,
    }),
  ],
});

export const expiring = story('expiry of confirmations', {
  needs: { ...toSpend, time: true },
  steps: async (t) => {
    const used = t.dispatched ?? (await proposeAndConfirm(t));
    const old = await proposeExpiring(t, { anew: t.attempt > 1 });
    const others = await proposeOthers(t);
    await t.pass(surelyAlive, `${surelyAlive} minutes in the life of a confirmation`, old.exchange);
    for (const request of [elsewhere(t, old), asOtherAccount(t, old)]) {
      if (request !== undefined) await t.send('present the ID in another workspace or account', request);
    }
    await t.send('read while the ID is open', { tool: 'schedule.read', args: t.here() });
    await t.pass(freshMinutes, `${freshMinutes} minutes in the life of a confirmation`);
    await propose(t, 'propose another request', { brief: briefFor(t, 'later') });
    await t.pass(surelyDead, `the rest of ${surelyDead} minutes in the life of a confirmation`, old.exchange);
    await t.send('present an ID that was never issued', neverIssued(t, old));
    await t.send(`present an ID that is ${surelyDead} minutes old`, confirming(old));
    const youngest = others.at(-1)?.proposal ?? old;
    await t.pass(surelyDead, `${surelyDead} minutes in the life of the other confirmations`, youngest.exchange);
    const late = others.map(({ proposal, as, change }) => ({ ...confirming(proposal, change), as }));
    await t.sendInParallel(`present another ID that is ${surelyDead} minutes old`, late);
    // A changed request may have renewed the ID.
    const changed = others.filter(({ change }) => Object.keys(change).length > 0);
    const again = changed.map(({ proposal, as }) => ({ ...confirming(proposal), as }));
    const byOther = t.present(['defaulted', 'ambiguous']).map((as) => ({ ...confirming(old), as }));
    await t.sendInParallel('present the ID again without the change', [...again, ...byOther.slice(0, 1)]);
    // Real waiting would take too long.
    for (const minutes of t.target.clock === undefined ? [] : agesLater) {
      await t.pass(minutes, `${minutes} minutes in the life of a confirmation`, old.exchange);
      for (const id of [old, used]) await t.send('present an older ID', confirming(id));
    }
    await propose(t, 'propose the same request again', old.args);
    // A cache of refused keys may have expired.
    const closed = t.present(refusedRoles).map((as) => ({ tool: 'schedule.read', args: {}, as }));
    await t.sendInParallel('call a tool with a closed key much later', closed);
  },
  requirements: [
    row('expiry.dead-late', {
      must: `The server MUST refuse a confirmation ID ${limits.confirmation.surelyDead} minutes after it was issued.`,
      source: 'Confirmation of a spending action, third row; Limits, confirmation lifetime',
      severity: 'spends-money',
      applies: (exchange, seen) => {
        const attempt = presented(exchange, seen);
        const isHere = attempt !== undefined && isExpired(attempt) && attempt.place === 'same';
        // A server may refuse another key for its permissions.
        return isHere && (attempt.sameKey || attempt.runs) && attempt;
      },
      control: dispatchedControl,
      expect: (exchange, attempt) =>
        isDispatch(exchange) && {
          expected: `no dispatch ${deadMinutes} minutes after the proposal`,
          exchanges: withProposal(exchange, attempt),
        },
      hint: `Expire a confirmation ${aboutLifetime} after it is issued: compare the time when the ID is presented.`,
    }),
    ...invalidIds('expired', 'expired', 'an expired confirmation ID'),
  ],
  alsoTests: ['confirmations.used-stays-invalid', 'confirmations.recovery'],
});

/** Proposes in the other workspace if possible, because no other story dispatches there. */
async function proposeElsewhere(t: Steps, step: string, purpose: string): Promise<Proposal> {
  const { there } = places(t);
  const brief = briefFor(t, purpose);
  const somewhere = [...(there?.board === undefined ? [] : [{ ...there, brief }]), { brief }];
  return (await proposeOneOf(t, step, somewhere)) ?? t.cannot(noProposal);
}

/**
 * Ages in minutes at which IDs are presented again. At the last one, the IDs are a day and half a lifetime old: a
 * server that ignores days takes them for valid, and others may have forgotten them.
 */
const agesLater = [75, 255, 24 * 60 + Math.floor(about / 2)];

const owners = ['otherAccount', 'defaulted', 'sole', 'ambiguous', 'pinned'] as const;

interface Expiring {
  readonly proposal: Proposal;
  readonly as: Role;
  readonly change: Args;
}

/** Proposes in other workspaces, with other counts and shapes, for presentations with a change, and with other keys. */
async function proposeOthers(t: Steps): Promise<Expiring[]> {
  const { here, there, theirs } = places(t);
  const more = Number(t.proposal().count) + 1;
  const placesOf = (as: Role): Args[] => {
    if (as === 'otherAccount') return [{ ...theirs }];
    // The key may be pinned to either of the two workspaces.
    return as === 'pinned'
      ? [here, there].flatMap((place) => (place?.board ? [{ ...place, workspace: undefined }] : []))
      : [{}];
  };
  const all: { readonly args: Args; readonly as?: Role; readonly change?: Args }[] = [
    { args: { brief: briefFor(t, 'expires') }, change: { brief: briefFor(t, 'is not what expired') } },
    { args: { brief: briefFor(t, 'of one') }, change: { count: more } },
    { args: { count: more } },
    ...(there?.board === undefined ? [] : [{ args: { ...there } }]),
    ...t.present(owners).flatMap((as) => placesOf(as).map((args) => ({ args, as }))),
    { args: { ...otherShapes(t)[0] } },
  ];
  const brief = briefFor(t, 'of others');
  const expiring: Expiring[] = [];
  // The latest proposal has the other shape, which some servers would send for earlier ones.
  for (const { args, as = 'primary', change = {} } of all) {
    const asked = { ...proposing(t, { brief, ...args }), as };
    const exchange = await t.send('propose another request that expires', asked);
    // The key may not reach this workspace.
    if (isProposal(exchange)) expiring.push({ proposal: proposalOf(t, exchange), as, change });
  }
  return expiring;
}
