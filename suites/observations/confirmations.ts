import type { Role } from '../../fixtures/roles.ts';
import type { Args, Context } from '../engine/context.ts';
import { type Answered, body } from '../exchange.ts';
import { briefOf, confirm, isDispatch, isProposal, type Proposal, spends } from '../scenes/images.ts';
import { type Aging, aged, mostCallsBetween, proposalsAged } from '../scenes/passing-time.ts';
import { observation } from './observation.ts';
import { noteEach, outcome, recorded } from './seen.ts';

/** Keys that may be another one of `primary`'s account; whoever reaches its workspace is. */
const colleagues = ['ambiguous', 'defaulted', 'pinned', 'throttled'] as const satisfies readonly Role[];

/** A key that reaches the workspace of the proposals and is not the one that made them. */
async function colleague(t: Context, workspace: unknown): Promise<Role | undefined> {
  const others = colleagues.filter((as) => t.has(as) && t.key(as).key !== t.key('primary').key);
  const answers = await Promise.all(others.map((as) => t.call('connections.status', { workspace }, { as })));
  return others.find((_, index) => answers[index] !== undefined && body(answers[index]).workspace === workspace);
}

/** One way to present an id; the plain one, by `primary` with what was proposed, is always the last. */
interface Way {
  as?: Role;
  brief?: string;
}

/** The ways in which one dispatch tells most: whichever is the first to succeed, those before it were refused. */
function ways(t: Context, other: Role | undefined): Way[] {
  const brief = briefOf(t, 'another brief than was proposed');
  return [...(other === undefined ? [] : [{ as: other, brief }, { as: other }]), { brief }, {}];
}

interface Dispatched {
  minutes: number;
  way: Way;
  refusals: Answered[];
  reply: Answered;
}

/** Presents proposals in every way, from the oldest to the youngest, until one is dispatched: one image at most. */
async function presentAll(t: Context, aging: readonly Aging[], all: readonly Way[]): Promise<Dispatched | undefined> {
  for (const { minutes, proposal } of aging) {
    const refusals: Answered[] = [];
    for (const way of all) {
      const reply = await confirm(t, argsOf(proposal, way), proposal.id, way.as === undefined ? {} : { as: way.as });
      if (isDispatch(reply)) return { minutes, way, refusals, reply };
      refusals.push(reply);
    }
  }
  return undefined;
}

function argsOf({ args, answer }: Proposal, { as, brief }: Way): Args {
  // Another key may resolve to another workspace by itself.
  const place = as === undefined ? {} : { workspace: body(answer).workspace };
  return { ...args, ...place, ...(brief === undefined ? {} : { brief }) };
}

/** Ages to the minute at which a confirmation may have died. */
function closely({ alive, dead }: { alive: number; dead: number }): number[] {
  return Array.from({ length: dead - alive }, (_, index) => dead - 1 - index);
}

export const confirmations = [
  observation({
    answers: ['confirmations.changed-board'],
    run(t) {
      const all = recorded(t).filter(({ request }) => request.tool === 'images.generate');
      const proposed = new Map(all.filter(isProposal).map((each) => [body(each).confirmation_id, each]));
      const told = all.flatMap((each): [string, Answered][] => {
        const args = each.request.args ?? {};
        const original = proposed.get(args.confirmation_id)?.request.args;
        const sameElse = original && args.workspace === original.workspace && args.brief === original.brief;
        if (!sameElse || args.board === original.board) return [];
        const dispatched = body(each).board_id === original.board ? 'dispatches the original' : 'dispatches another';
        return [[isDispatch(each) ? dispatched : outcome(each), each]];
      });
      noteEach(t, 'confirmations.changed-board', told);
    },
  }),
  observation({
    answers: ['confirmations.by-other-key', 'confirmations.changed-brief', 'expiry.minutes'],
    needs: { ...spends, alone: 'clock' },
    // Keys to choose from, five ages with a proposal and four ways each, and one more round without ages.
    mostRequests: mostCallsBetween + colleagues.length + 5 * 5 + 5,
    async run(t) {
      const span = t.target.clock === undefined ? undefined : await aged(t);
      const known = span?.aliveAt == null ? undefined : { alive: span.aliveAt, dead: span.deadAt };
      // Where one look was close enough, a proposal of no age will do.
      const ages = known === undefined || known.dead - known.alive === 1 ? [] : closely(known);
      const fresh = () => proposalsAged(t, [0], 'to be confirmed by another');
      const aging = ages.length > 0 ? await proposalsAged(t, ages, 'presented to the minute') : await fresh();
      const { workspace } = body(aging[0]?.proposal.answer ?? t.cannot('nothing was proposed'));
      const all = ways(t, await colleague(t, workspace));
      const found =
        (await presentAll(t, aging, all)) ?? (ages.length > 0 ? await presentAll(t, await fresh(), all) : undefined);
      if (found === undefined) return;
      noteWays(t, all, found);
      if (span === undefined || known === undefined) return;
      if (ages.length === 0) t.observe('expiry.minutes', inWords(known.alive), span.reply);
      else if (found.minutes > 0) t.observe('expiry.minutes', inWords(found.minutes), found.reply);
    },
  }),
];

function inWords(aliveMinutes: number): string {
  return `alive at ${aliveMinutes} minutes, dead at ${aliveMinutes + 1}`;
}

/** Tells what the first way to be dispatched, and the refusals of those before it, say of the key and the brief. */
function noteWays(t: Context, all: readonly Way[], { way, refusals, reply }: Dispatched): void {
  const refused = (of: (each: Way) => boolean) => refusals[all.findIndex(of)];
  const others = all.some(({ as }) => as !== undefined);
  const key = way.as === undefined ? refused(({ as, brief }) => as !== undefined && brief === undefined) : reply;
  if (others && key !== undefined) t.observe('confirmations.by-other-key', told(key), key);
  const brief = way.brief === undefined ? refused((each) => each.brief !== undefined && each.as === way.as) : reply;
  if (brief !== undefined) t.observe('confirmations.changed-brief', told(brief), brief);
}

function told(answer: Answered): string {
  return isDispatch(answer) ? 'dispatched' : outcome(answer);
}
