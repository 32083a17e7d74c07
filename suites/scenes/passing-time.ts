import type { Context } from '../engine/context.ts';
import { type Answered, isRefusal } from '../exchange.ts';
import { confirmed } from './confirming.ts';
import { confirm, isDispatch, type Proposal, propose } from './images.ts';

/** Minutes at which "about 30 minutes" must not be over yet, and must be over. */
export const certainlyAliveMinutes = 20;
export const certainlyDeadMinutes = 45;

/** Ages in between, at which proposals are presented as well where open questions are answered too; closer where most will die. */
const agesBetween = [40, 35, 30, 29, 25];

/** How many calls those may add: a proposal and a confirmation for each. */
export const mostCallsBetween = 2 * agesBetween.length;

/** How often the wait is begun anew where somebody else may have moved the same clock. */
const mostTries = 4;

/** Lets time pass: by the clock where it can be moved, otherwise by waiting. */
async function pass(t: Context, minutes: number): Promise<void> {
  if (t.target.clock !== undefined) return t.session.advance(minutes * 60);
  t.session.budget.require('waiting');
  await t.session.wait(minutes * 60, `${minutes} minutes of a confirmation's life`);
}

/** A proposal of a certain age. */
export interface Aging {
  minutes: number;
  proposal: Proposal;
}

/** Something done on the way, when this many minutes have passed. */
interface Stop {
  afterMinutes: number;
  act(): Promise<void>;
}

/** Proposals of these ages in minutes, which fall; the time that it takes is the first of them. */
export async function proposalsAged(
  t: Context,
  ages: readonly number[],
  purpose: string,
  stop?: Stop,
): Promise<Aging[]> {
  const aging: Aging[] = [];
  const [whole = 0] = ages;
  const moments = [
    ...ages.map((minutes) => whole - minutes),
    ...(stop === undefined ? [] : [stop.afterMinutes]),
    whole,
  ];
  let passed = 0;
  for (const moment of [...new Set(moments)].sort((a, b) => a - b)) {
    if (moment > passed) await pass(t, moment - passed);
    passed = moment;
    if (moment === stop?.afterMinutes) await stop.act();
    const minutes = whole - moment;
    if (!ages.includes(minutes)) continue;
    aging.push({ minutes, proposal: await propose(t, moment === 0 ? purpose : `presented after ${minutes} minutes`) });
  }
  return aging;
}

export interface Aged {
  /** Proposed 45 minutes ago and not confirmed. */
  old: Proposal;
  /** The oldest one found alive, at 20 minutes or more, and the reply to it; the last one where none was. */
  young: Proposal;
  reply: Answered;
  /** Ages in minutes between which confirmations die, as far as was looked; null where none was alive. */
  aliveAt: number | null;
  deadAt: number;
  /** The answer to an id that had been used 20 minutes before, and was issued hardly earlier; null where none had been used. */
  usedBefore: Answered | null;
}

/**
 * Proposals that are between 45 and 20 minutes old, of which all but the oldest are presented, from the older to the
 * younger, until one is dispatched: so the whole costs one image at most.
 */
export function aged(t: Context): Promise<Aged> {
  return t.once('aged proposals', async () => {
    const control = await confirmed(t);
    let usedBefore: Answered | null = null;
    const lookAtUsed = async () => {
      if (isDispatch(control.reply)) usedBefore ??= await confirm(t, control.proposal.args, control.proposal.id);
    };
    for (let tries = 1; ; tries += 1) {
      // Looking closer is not worth a second try.
      const between = t.observing && t.target.clock !== undefined && tries === 1 ? agesBetween : [];
      const ages = [certainlyDeadMinutes, ...between, certainlyAliveMinutes];
      const all = await proposalsAged(t, ages, 'control', { afterMinutes: certainlyAliveMinutes, act: lookAtUsed });
      const outcome = { ...(await presented(t, all)), usedBefore };
      const dead = outcome.aliveAt === null && isRefusal(outcome.reply, 'confirmation_invalid');
      if (!dead || t.target.clock === undefined || tries === mostTries) return outcome;
      // Dead too early, or moved too far by another run on the same deployment: only repetition can tell.
      await t.session.wait(0.05 + Math.random() * 0.4, 'another run may have moved the clock');
    }
  });
}

async function presented(t: Context, [oldest, ...younger]: readonly Aging[]): Promise<Omit<Aged, 'usedBefore'>> {
  let deadAt = certainlyDeadMinutes;
  let last: Pick<Aged, 'young' | 'reply'> | undefined;
  for (const { minutes, proposal } of younger) {
    const reply = await confirm(t, proposal.args, proposal.id);
    last = { young: proposal, reply };
    if (isDispatch(reply) && oldest !== undefined) return { old: oldest.proposal, ...last, aliveAt: minutes, deadAt };
    deadAt = minutes;
  }
  if (oldest === undefined || last === undefined) return t.cannot('nothing was proposed');
  return { old: oldest.proposal, ...last, aliveAt: null, deadAt };
}

/** An id that was issued 45 minutes ago. */
export async function agedId(t: Context): Promise<Proposal> {
  return (await aged(t)).old;
}
