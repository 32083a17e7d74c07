import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { limits } from '../../../fixtures/contract/limits.ts';
import type { Role } from '../../../fixtures/roles.ts';
import { inWords } from '../../expectations/in-words.ts';
import { body, isRefusal } from '../../history/exchange.ts';
import { isDispatch, isProposal } from '../../situations/ids.ts';
import { briefFor, confirming, type Proposal, propose, proposing } from '../requests/proposals.ts';
import type { Steps } from '../steps.ts';
import { observing } from '../story.ts';

/** An uncommon ratio. A server that accepts it probably accepts any ratio. */
const unlikelyShape = '7:5';

/** Largest count to try, and the number of simultaneous attempts between an accepted and a refused count. */
const mostCount = 64;

const triedAtOnce = 3;

/** Observes the accepted counts and shapes. */
export const values = observing('observing counts and shapes', {
  needs: { effects: ['proposals'], settings: ['board'] },
  observes: ['image-proposals.count-bounds', 'image-proposals.shapes'],
  steps: async (t) => {
    const brief = briefFor(t, 'to see what is accepted');
    const shapes = [...t.deployment.shapes.slice(0, 8), unlikelyShape];
    await Promise.all(
      shapes.map((shape) => t.observe('image-proposals.shapes', shape, proposing(t, { brief, shape }))),
    );
    let [most, refused] = [1, mostCount + 1];
    const tries = async (counts: readonly number[]) => {
      const question = 'image-proposals.count-bounds';
      const ask = (count: number) => t.observe(question, String(count), proposing(t, { brief, count }));
      const replies = await Promise.all(counts.map(ask));
      const accepted = counts.filter((_, index) => replies[index] !== undefined && isProposal(replies[index]));
      most = Math.max(most, ...accepted);
      refused = Math.min(refused, ...counts.filter((count) => count > most && !accepted.includes(count)));
    };
    await tries([0, 2, 4, 8, 16, 32, mostCount]);
    while (refused <= mostCount && refused - most > 1) {
      const step = (refused - most) / (triedAtOnce + 1);
      const between = Array.from({ length: triedAtOnce }, (_, index) => Math.round(most + step * (index + 1)));
      await tries([...new Set(between)].filter((count) => count > most && count < refused));
    }
  },
});

/** Roles whose keys may belong to the same account. A key that reaches the workspace of the proposal does. */
const colleagues = ['ambiguous', 'defaulted', 'pinned', 'throttled'] as const satisfies readonly Role[];

async function colleague(t: Steps, workspace: unknown): Promise<Role | undefined> {
  for (const as of colleagues.filter((role) => t.has(role) && t.key(role).key !== t.key('primary').key)) {
    const reply = await t.send(`read in that workspace as ${as}`, {
      tool: 'connections.status',
      args: { workspace },
      as,
    });
    if (body(reply).workspace === workspace) return as;
  }
  return undefined;
}

/**
 * Observes the lifetime of an ID in minutes, and confirmations by another key and with another brief. Spends the
 * remaining images, and thus runs after the repetition of refutable findings, which needs an image.
 */
export const confirmations = observing('observing confirmations', {
  turn: 'last',
  needs: { effects: ['proposals', 'spending'], settings: ['board'] },
  images: 2,
  observes: ['confirmations.by-other-key', 'confirmations.changed-brief', 'expiry.minutes', 'credits.image-cost'],
  steps: async (t) => {
    await t.send('read the balance', { tool: 'credits.balance', args: {} });
    await t.part(() => presentedOtherwise(t));
    await t.part(() => agedToTheMinute(t));
    await t.send('read the balance again', { tool: 'credits.balance', args: {} });
  },
});

/**
 * Tries the variants in an order in which one dispatch answers several questions: all earlier variants were refused.
 */
async function presentedOtherwise(t: Steps): Promise<void> {
  const proposal = await propose(t, 'propose', { brief: briefFor(t, 'confirmed otherwise') });
  const { workspace } = body(proposal.exchange);
  const brief = briefFor(t, 'another brief than was proposed');
  const as = await colleague(t, workspace);
  const there = { workspace };
  if (as !== undefined) {
    const reply = await t.observe('confirmations.by-other-key', '', { ...confirming(proposal, there), as });
    if (reply !== undefined && isDispatch(reply)) {
      const other = await propose(t, 'propose once more', { brief: briefFor(t, 'confirmed with another brief') });
      return otherBrief(t, other, brief);
    }
  }
  await otherBrief(t, proposal, brief);
}

async function otherBrief(t: Steps, proposal: Proposal, brief: string): Promise<void> {
  await t.observe('confirmations.changed-brief', '', confirming(proposal, { brief }));
}

/** Ages in minutes. An ID most likely expires at the age `likely`. */
const { surelyAlive, surelyDead, about: likely } = limits.confirmation;

/**
 * Searches for the minute at which an ID expires. Starts at the most likely age, because each attempt may cost an
 * image, and stops when no images remain.
 */
async function agedToTheMinute(t: Steps): Promise<void> {
  if (t.target.clock === undefined) return;
  let [alive, dead] = [surelyAlive, surelyDead];
  for (let age = likely; dead - alive > 1; age = nextBetween(alive, dead)) {
    const proposal = await propose(t, `propose what will be ${age} minutes old`, {
      brief: briefFor(t, `${inWords(age)} minutes`),
    });
    await t.pass(age, `${age} minutes in the life of a confirmation`);
    const reply = await t.observe('expiry.minutes', '', confirming(proposal));
    if (reply === undefined) return;
    if (isDispatch(reply)) alive = age;
    else if (isRefusal(reply, refusalCodes.confirmationInvalid)) dead = age;
    else return;
  }
}

function nextBetween(alive: number, dead: number): number {
  if (dead === likely) return likely - 1;
  return alive === likely ? likely + 1 : Math.floor((alive + dead) / 2);
}
