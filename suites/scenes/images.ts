import type { Role } from '../../fixtures/roles.ts';
import type { Needs } from '../check.ts';
import type { Args, Context } from '../engine/context.ts';
import { type Answered, body, isRefusal, isSuccess } from '../exchange.ts';
import { succeeds } from '../expect/answers.ts';
import { brief, isRecord } from '../json.ts';
import { imagesOf } from '../session/ledger.ts';

/** What every check needs that calls `images.generate`, even where it expects a refusal. */
export const proposes: Needs = { effects: ['proposals'], settings: ['board'] };

/** What every check needs that confirms. */
export const spends: Needs = { effects: ['proposals', 'spending'], settings: ['board'] };

/** A request and the answer to it. */
export interface Asked {
  args: Args;
  answer: Answered;
}

/** A proposal with the id that it issued. */
export interface Proposal extends Asked {
  id: string;
}

export function isDispatch(answer: Answered): boolean {
  const { status, run_id } = body(answer);
  return isSuccess(answer) && (status === 'dispatched' || typeof run_id === 'string');
}

export function isProposal(answer: Answered): boolean {
  return isSuccess(answer) && body(answer).status === 'confirmation_required';
}

export function briefOf(t: Context, purpose: string): string {
  return `tck ${t.ground.runId}: a plain grey square (${purpose})`;
}

/** The shape that proposals use: the first one with which a proposal is not refused. */
function firstProposal(t: Context): Promise<Asked> {
  return t.once('first proposal', async () => {
    for (const shape of t.ground.shapes) {
      const asked = await ask(t, t.here(), t.setting('board'), shape, 'control');
      const stop = t.target.shape !== undefined || !isRefusal(asked.answer) || !mayConcern(asked.answer, 'shape');
      if (stop) return asked;
    }
    return t.cannot('no shape was accepted', { kind: 'setting', setting: 'shape' });
  });
}

/** Whether a refusal may be about this field: it names it, or it is of a kind that the document does not describe. */
function mayConcern(answer: Answered, field: string): boolean {
  const { code, issues } = body(answer);
  if (code !== 'invalid_arguments') return !['workspace_ambiguous', 'board_not_found'].includes(String(code));
  return (
    !Array.isArray(issues) ||
    issues.some((issue) => JSON.stringify(isRecord(issue) ? issue.path : issue)?.includes(field))
  );
}

async function ask(t: Context, place: Args, board: string, shape: string, purpose: string): Promise<Asked> {
  const args = { ...place, board, brief: briefOf(t, purpose), count: 1, shape };
  return { args, answer: await t.call('images.generate', args) };
}

/** The proposal that every other check on images leans on; made once in a run and never confirmed. */
export function controlAsked(t: Context): Promise<Asked> {
  return firstProposal(t);
}

/** A request that was proposed with success, for calls that differ from it in one thing. */
export async function controlProposed(t: Context): Promise<Proposal> {
  return proposalOf(t, await firstProposal(t));
}

/** A fresh proposal of this check's own. */
export async function propose(t: Context, purpose: string, change: Args = {}): Promise<Proposal> {
  const { args } = await controlProposed(t);
  const changed = { ...args, brief: briefOf(t, purpose), ...change };
  return proposalOf(t, { args: changed, answer: await t.call('images.generate', changed) });
}

/** A proposal as a control: where it failed, the check at hand cannot be judged. */
export function proposalOf(t: Context, { args, answer }: Asked): Proposal {
  t.control('image-proposals.proposed', proposed(answer));
  const { confirmation_id: id } = body(answer);
  if (typeof id === 'string' && id !== '') return { args, answer, id };
  t.control('image-proposals.confirmation-id', {
    expected: 'confirmation_id to be a non-empty string',
    actual: `confirmation_id ${brief(id)}`,
    hint: 'without the id a proposal can never be confirmed',
    exchanges: [answer],
  });
  return t.cannot('a proposal without confirmation_id');
}

/** A proposal: success with the status `confirmation_required`. */
export function proposed(answer: Answered) {
  const failed = succeeds(answer, 'a valid request without confirmation_id ought to be answered with a proposal');
  if (failed !== undefined) return failed;
  if (isProposal(answer)) return undefined;
  return {
    expected: 'status "confirmation_required"',
    actual: `status ${brief(body(answer).status)}, run_id ${brief(body(answer).run_id)}`,
    hint: 'the first call only proposes: nothing may run before the id that it issues comes back',
    exchanges: [answer],
  };
}

/** Confirms: sends a request with an id, having set aside the images that it may cost. */
export async function confirm(t: Context, args: Args, id: string, as?: Role): Promise<Answered> {
  const images = typeof args.count === 'number' && args.count > 0 ? args.count : 1;
  const { budget } = t.session;
  await budget.reserveImages(images);
  let answer: Answered | undefined;
  try {
    answer = await t.call(
      'images.generate',
      { ...args, confirmation_id: id },
      { confirms: true, ...(as === undefined ? {} : { as }) },
    );
    return answer;
  } finally {
    // Without an answer the images may have run, and so count as confirmed.
    budget.settleImages(images, answer === undefined ? images : dispatchedImages(answer));
  }
}

/** Images that an answer says are running. */
export function dispatchedImages(answer: Answered): number {
  if (!isDispatch(answer)) return 0;
  return imagesOf(body(answer).count) ?? 1;
}

/** How often a proposal is made anew because its id was dead at once; somebody else may have moved the clock. */
const mostFresh = 3;

/** Proposes, confirms at once with `change`, and returns both; meant to dispatch. */
export async function proposeAndConfirm(
  t: Context,
  purpose: string,
  change: Args = {},
): Promise<{ proposal: Proposal; reply: Answered }> {
  for (let time = 1; ; time += 1) {
    const proposal = await propose(t, purpose);
    const reply = await confirm(t, { ...proposal.args, ...change }, proposal.id);
    const moved = t.target.clock !== undefined && isRefusal(reply, 'confirmation_invalid') && time < mostFresh;
    if (!moved) return { proposal, reply };
  }
}

/**
 * A proposal and its confirmation, made once in a run. Its request is the control's to the letter, so that whatever is
 * presented afterwards with that request differs in the id alone.
 */
export function confirmed(t: Context): Promise<{ proposal: Proposal; reply: Answered }> {
  return t.once('confirmed', () => proposeAndConfirm(t, 'control'));
}

/** A dispatched reply: success with the status `dispatched`. */
export function dispatches(answer: Answered) {
  const failed = succeeds(answer, 'the proposed request together with its fresh confirmation_id ought to run');
  if (failed !== undefined) return failed;
  if (body(answer).status === 'dispatched') return undefined;
  return {
    expected: 'status "dispatched"',
    actual: `status ${brief(body(answer).status)}`,
    hint: 'the second call, with the id that the first one issued, starts the run',
    exchanges: [answer],
  };
}

/** The confirmation that checks on used and foreign ids compare with. */
export async function controlConfirmed(t: Context): Promise<{ proposal: Proposal; reply: Answered }> {
  const both = await confirmed(t);
  t.control('confirmations.dispatched', dispatches(both.reply));
  return both;
}

/**
 * An id that was never issued but looks like one that was: its last letters and digits are exchanged for others of
 * their kind. Ids that are plain numbers are moved far up instead, where none has been given out.
 */
export function neverIssuedId(like: string): string {
  if (/^\d+$/.test(like)) return String(BigInt(like) + 7_654_321n).padStart(like.length, '0');
  let left = 6;
  return [...like]
    .reverse()
    .map((letter) => {
      if (left === 0 || !/[0-9a-zA-Z]/.test(letter)) return letter;
      left -= 1;
      if (/[0-9]/.test(letter)) return String((Number(letter) + 3) % 10);
      const base = letter === letter.toLowerCase() ? 'abcdef' : 'ABCDEF';
      return base[(base.indexOf(letter) + 3) % 6] ?? 'a';
    })
    .reverse()
    .join('');
}
