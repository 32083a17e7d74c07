import type { Args, Context } from '../engine/context.ts';
import { type Answered, body } from '../exchange.ts';
import { balance } from '../scenes/credits.ts';
import { briefOf, controlProposed, isProposal, proposes } from '../scenes/images.ts';
import { observation } from './observation.ts';
import { outcome, recorded } from './seen.ts';

const tool = 'images.generate';

/** A ratio that nobody is likely to list: where it is accepted, any is. */
const unlikelyShape = '7:5';

/** The largest count that is tried. */
const mostCount = 64;

/** How many counts are tried at once when looking between one that is accepted and one that is not. */
const triedAtOnce = 3;

async function proposing(t: Context, change: Args): Promise<Answered> {
  const { args } = await controlProposed(t);
  return t.call(tool, { ...args, brief: briefOf(t, 'to see what is accepted'), ...change });
}

/** Counts with the answers to proposals for them. */
type Tried = Map<number, Answered>;

async function tryCounts(t: Context, tried: Tried, counts: readonly number[]): Promise<void> {
  await Promise.all(counts.map(async (count) => tried.set(count, await proposing(t, { count }))));
}

const accepted = (tried: Tried) => [...tried].filter(([, answer]) => isProposal(answer)).map(([count]) => count);

/** The largest count known to be accepted and the smallest above it known to be refused. */
function edge(tried: Tried): { most: number; refused: number | undefined } {
  const most = Math.max(1, ...accepted(tried));
  const beyond = [...tried.keys()].filter((count) => count > most);
  return { most, refused: beyond.length === 0 ? undefined : Math.min(...beyond) };
}

export const images = [
  observation({
    answers: ['image-proposals.count-bounds'],
    needs: proposes,
    // Seven powers of two and 0, then thirds of what is left: at most 31, 7 and 1 numbers.
    mostRequests: 14,
    async run(t) {
      const tried: Tried = new Map();
      await tryCounts(t, tried, [0, 2, 4, 8, 16, 32, mostCount]);
      for (
        let { most, refused } = edge(tried);
        refused !== undefined && refused - most > 1;
        { most, refused } = edge(tried)
      ) {
        const step = (refused - most) / (triedAtOnce + 1);
        const between = Array.from({ length: triedAtOnce }, (_, index) => Math.round(most + step * (index + 1)));
        await tryCounts(
          t,
          tried,
          [...new Set(between)].filter((count) => count > most && count < (refused ?? 0)),
        );
      }
      const zero = tried.get(0);
      if (zero !== undefined) t.observe('image-proposals.count-bounds', `0: ${outcome(zero)}`, zero);
      const { most, refused } = edge(tried);
      const [last, next] = [tried.get(most), refused === undefined ? undefined : tried.get(refused)];
      if (last !== undefined) t.observe('image-proposals.count-bounds', `${most}: ${outcome(last)}`, last);
      if (next !== undefined) t.observe('image-proposals.count-bounds', `${refused}: ${outcome(next)}`, next);
    },
  }),
  observation({
    answers: ['image-proposals.shapes'],
    needs: proposes,
    mostRequests: 9,
    async run(t) {
      const shapes = [...t.ground.shapes.slice(0, 8), unlikelyShape];
      const answers = await Promise.all(
        shapes.map(async (shape) => ({ shape, answer: await proposing(t, { shape }) })),
      );
      for (const { shape, answer } of answers) {
        t.observe('image-proposals.shapes', `${shape}: ${outcome(answer)}`, answer);
      }
    },
  }),
  observation({
    answers: ['credits.image-cost'],
    needs: { effects: ['spending'], alone: 'clock' },
    mostRequests: 1,
    async run(t) {
      const [before] = recorded(t).filter(
        ({ request, credential }) => request.tool === 'credits.balance' && credential.role === 'primary',
      );
      const start = before && body(before).balance;
      const { imagesConfirmed } = t.session.ledger;
      if (before === undefined || typeof start !== 'number' || imagesConfirmed === 0) return;
      const after = await balance(t);
      // Others may spend or top up meanwhile; then what is left over says nothing about an image.
      const each = (start - after.value) / imagesConfirmed;
      if (each >= 0) t.observe('credits.image-cost', Math.round(each * 1000) / 1000, before, after.answer);
    },
  }),
];
