import type { Args, Context } from '../engine/context.ts';
import { type Answered, isRefusal } from '../exchange.ts';
import type { Finding } from '../finding.ts';
import {
  type Asked,
  confirm,
  controlProposed,
  dispatches,
  isDispatch,
  isProposal,
  type Proposal,
  proposalOf,
  propose,
  proposeAgain,
} from './images.ts';
import { answeredOf, issuedBy } from './issued-ids.ts';
import { offeredShape } from './shapes.ts';

/** A proposal that was confirmed with some of its arguments changed, or none. */
export interface Confirmed {
  proposal: Proposal;
  change: Args;
  reply: Answered;
}

/** How often a proposal is made anew because its id was dead at once; somebody else may have moved the clock. */
export const mostFresh = 3;

/** Whether an id may be dead because somebody else moved the clock, so that a fresh one tells more. */
export function mayBeMoved(t: Context, reply: Answered, times: number): boolean {
  return t.target.clock !== undefined && isRefusal(reply, 'confirmation_invalid') && times < mostFresh;
}

/** Proposes and confirms at once with a change. */
async function proposeAndConfirm(t: Context, args: Args, change: Args = {}): Promise<Confirmed> {
  for (let times = 1; ; times += 1) {
    const proposal = await proposeAgain(t, args);
    const reply = await confirm(t, { ...args, ...change }, proposal.id, { count: args.count });
    if (!mayBeMoved(t, reply, times)) return { proposal, change, reply };
  }
}

/**
 * Proposes a request and confirms it with the first change; the same anew with the next one, until one is dispatched. An
 * id that was refused for the board is still open, and is presented with the next change before.
 */
async function untilDispatched(t: Context, args: Args, changes: readonly Args[]): Promise<Confirmed[]> {
  const tried: Confirmed[] = [];
  for (const change of changes) {
    const last = tried.at(-1);
    if (last !== undefined && isRefusal(last.reply, 'board_not_found')) {
      const { proposal } = last;
      const reply = await confirm(t, { ...args, ...change }, proposal.id, { count: args.count });
      tried.push({ proposal, change, reply });
      if (isDispatch(reply)) break;
    }
    const confirmed = await proposeAndConfirm(t, args, change);
    tried.push(confirmed);
    if (isDispatch(confirmed.reply)) break;
  }
  return tried;
}

/** The control's request for one image more. */
export function askedForMore(t: Context): Promise<Asked> {
  return t.once('asked for more', async () => {
    const { args } = await controlProposed(t);
    const more = { ...args, count: Number(args.count) + 1 };
    return { args: more, answer: await t.call('images.generate', more) };
  });
}

/** A proposal that is open while others are made and confirmed: for one image more than the control, where so many are accepted. */
function leftOpen(t: Context): Promise<Proposal> {
  return t.once('left open', async () => {
    const more = await askedForMore(t);
    return isProposal(more.answer) ? proposalOf(t, more) : propose(t, 'left open');
  });
}

/**
 * A proposal and its confirmation, made once in a run. Its request is the control's to the letter, so that whatever is
 * presented afterwards with that request differs in the id alone.
 */
export function confirmed(t: Context): Promise<Confirmed> {
  return t.once('confirmed', async () => {
    const { args } = await controlProposed(t);
    // Whatever is wrong with this one, others will tell.
    await leftOpen(t).catch(() => undefined);
    return proposeAndConfirm(t, args);
  });
}

/** An id that was refused at once, while others were proposed and perhaps dispatched: they may be why. */
function disturbed(t: Context, { proposal, reply }: Confirmed): Finding | undefined {
  const failed = isRefusal(reply, 'confirmation_invalid') ? dispatches(reply) : undefined;
  const between = answeredOf(t).filter(
    (each) => each.seq > proposal.answer.seq && each.seq < reply.seq && issuedBy(each) !== undefined,
  );
  const [other] = between;
  if (failed === undefined || other === undefined) return undefined;
  return {
    ...failed,
    actual: `${failed.actual}, after ${between.length} other proposals were made`,
    hint: 'an id stays open whatever else is proposed: look at what that does to the ids of the account that wait',
    exchanges: [proposal.answer, other, reply],
  };
}

/** The confirmation that checks on used and foreign ids compare with. */
export async function controlConfirmed(t: Context): Promise<Confirmed> {
  const it = await confirmed(t);
  t.control('confirmations.dispatched', disturbed(t, it) ?? dispatches(it.reply));
  return it;
}

/** The answer to the control's confirmation sent once more. */
export async function usedAgain(t: Context): Promise<Answered> {
  const { proposal } = await controlConfirmed(t);
  return t.once('used', () => confirm(t, proposal.args, proposal.id));
}

/**
 * What was confirmed, proposed anew after it was refused as used, and confirmed with a larger count and another board;
 * with less of a change where that is refused.
 */
export function recovered(t: Context): Promise<Confirmed[]> {
  return t.once('recovered', async () => {
    t.leaveToOthers([await usedAgain(t)]);
    const { args } = (await controlConfirmed(t)).proposal;
    const more = { count: Number(args.count) + 1 };
    const { board, otherBoard } = t.ground;
    const both = otherBoard === undefined || otherBoard === board ? [] : [{ ...more, board: otherBoard }];
    return untilDispatched(t, args, [...both, more, {}]);
  });
}

/** A proposal that was left open while another was confirmed, and what came of it. */
export interface Overtaken {
  open: Proposal;
  /** The reply that dispatched the other. */
  other: Answered;
  reply: Answered;
  /** The same with fresh proposals, until one is dispatched; empty where the first was. */
  afresh: Confirmed[];
}

/** The proposal left open, confirmed with a smaller count and another shape; with less of a change where that is refused. */
export function overtaken(t: Context): Promise<Overtaken> {
  return t.once('overtaken', async () => {
    const open = await leftOpen(t);
    const { reply: other, proposal } = await controlConfirmed(t);
    const { count } = proposal.args;
    const shape = { shape: await offeredShape(t, proposal.args) };
    const changes = open.args.count === count ? [shape, {}] : [{ count, ...shape }, { count }, shape, {}];
    const [first = {}] = changes;
    const reply = await confirm(t, { ...open.args, ...first }, open.id, { count: open.args.count });
    const afresh = isDispatch(reply) ? [] : await untilDispatched(t, open.args, changes);
    return { open, other, reply, afresh };
  });
}

/** Whatever came of changing a proposal for more than the control. */
export async function confirmedWithLess(t: Context): Promise<Confirmed[]> {
  const { open, reply, afresh } = await overtaken(t);
  if (afresh.length > 0) return afresh;
  const change = Object.fromEntries(
    Object.entries(reply.request.args ?? {}).filter(([name, value]) => name in open.args && open.args[name] !== value),
  );
  return [{ proposal: open, change, reply }];
}
