import type { Needs } from '../check.ts';
import type { Args, Context } from '../engine/context.ts';
import { type Answered, body, isRefusal, isSuccess } from '../exchange.ts';
import { succeeds } from '../expect/answers.ts';
import type { Finding } from '../finding.ts';
import { brief, isRecord } from '../json.ts';
import { declinedForCredits } from '../session/image-requests.ts';
import { answeredOf, givenTwice } from './issued-ids.ts';

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

/** Numbers of images to ask for: the bounds are not shown, and there are services that never make a single one. */
const likelyCounts = [1, 2, 3, 4, 8] as const;

/** The proposal that every other check on images leans on, with the first shape and count with which it is not refused; made once in a run and never confirmed. */
export function controlAsked(t: Context): Promise<Asked> {
  return t.once('control', async () => {
    for (const shape of t.ground.shapes) {
      const asked = await withSomeCount(t, shape);
      const stop = t.target.shape !== undefined || !isRefusal(asked.answer) || !mayConcern(asked.answer, 'shape');
      if (stop) return asked;
    }
    return t.cannot('no shape was accepted', { kind: 'setting', setting: 'shape' });
  });
}

async function withSomeCount(t: Context, shape: string): Promise<Asked> {
  const [one, ...more] = likelyCounts;
  let asked = await ask(t, t.here(), t.setting('board'), shape, one);
  for (const count of more) {
    if (!isRefusal(asked.answer, 'invalid_arguments') || !mayConcern(asked.answer, 'count')) break;
    asked = await ask(t, t.here(), t.setting('board'), shape, count);
  }
  const { issues } = body(asked.answer);
  if (isRefusal(asked.answer, 'invalid_arguments') && Array.isArray(issues) && mayConcern(asked.answer, 'count')) {
    t.cannot(`no number of images was accepted of ${likelyCounts.join(', ')}: ${brief(issues)}`);
  }
  return asked;
}

/** Whether a refusal may be about this field: it names it, or it is of a kind that the document does not describe. */
function mayConcern(answer: Answered, field: string): boolean {
  const { code, issues } = body(answer);
  if (declinedForCredits(answer) !== undefined) return false;
  if (code !== 'invalid_arguments') return !['workspace_ambiguous', 'board_not_found'].includes(String(code));
  return (
    !Array.isArray(issues) ||
    issues.some((issue) => JSON.stringify(isRecord(issue) ? issue.path : issue)?.includes(field))
  );
}

async function ask(t: Context, place: Args, board: string, shape: string, count: number): Promise<Asked> {
  const args = { ...place, board, brief: briefOf(t, 'control'), count, shape };
  return { args, answer: await t.call('images.generate', args) };
}

/** A request that was proposed with success, for calls that differ from it in one thing. */
export async function controlProposed(t: Context): Promise<Proposal> {
  return proposalOf(t, await controlAsked(t));
}

/** A proposal that nobody confirms: its request is nobody else's, as an equal one may be given the same id. */
export function leftAlone(t: Context): Promise<Proposal> {
  return t.once('left alone', () => propose(t, 'left alone'));
}

/** A fresh proposal of this check's own. */
export async function propose(t: Context, purpose: string, change: Args = {}): Promise<Proposal> {
  const { args } = await controlProposed(t);
  const changed = { ...args, brief: briefOf(t, purpose), ...change };
  return proposalOf(t, { args: changed, answer: await t.call('images.generate', changed) });
}

/** Proposes this request once more. */
export async function proposeAgain(t: Context, args: Args): Promise<Proposal> {
  return proposalOf(t, { args, answer: await t.call('images.generate', args) });
}

/** A proposal as a control: where it failed, the check at hand cannot be judged. */
export function proposalOf(t: Context, { args, answer }: Asked): Proposal {
  creditsSuffice(t, answer);
  t.control('image-proposals.proposed', lookAtShape(t, leftBehind(t, proposed(answer), answer), answer));
  const { confirmation_id: id } = body(answer);
  if (typeof id !== 'string' || id === '') {
    t.control('image-proposals.confirmation-id', {
      expected: 'confirmation_id to be a non-empty string',
      actual: `confirmation_id ${brief(id)}`,
      hint: 'without the id a proposal can never be confirmed',
      exchanges: [answer],
    });
    return t.cannot('a proposal without confirmation_id');
  }
  t.control('image-proposals.confirmation-id-new', givenTwice(t, id));
  return { args, answer, id };
}

/** A proposal: success with the status `confirmation_required`. */
export function proposed(answer: Answered): Finding | undefined {
  const failed = succeeds(answer, 'a valid request without confirmation_id ought to be answered with a proposal');
  const { status, run_id, issues } = body(answer);
  if (failed !== undefined) {
    return Array.isArray(issues) ? { ...failed, actual: `${failed.actual}, issues ${brief(issues)}` } : failed;
  }
  if (isProposal(answer)) return undefined;
  return {
    expected: 'status "confirmation_required"',
    actual: `status ${brief(status)}, run_id ${brief(run_id)}`,
    hint: 'the first call only proposes: nothing may run before the id that it issues comes back',
    exchanges: [answer],
  };
}

/** Ends a check whose request cannot be paid: the document leaves open how that is told. */
export function creditsSuffice(t: Context, answer: Answered): void {
  const code = declinedForCredits(answer);
  if (code !== undefined) t.cannot(`images are refused with ${code}: give the account of 'primary' more credits`);
}

/** A shape out of the configuration may be one that the service does not make. */
export function lookAtShape(t: Context, failed: Finding | undefined, answer: Answered): Finding | undefined {
  const { issues } = body(answer);
  const named = isRefusal(answer, 'invalid_arguments') && Array.isArray(issues) && mayConcern(answer, 'shape');
  if (failed === undefined || t.target.shape === undefined || !named) return failed;
  return {
    ...failed,
    hint: `look at \`shape\` in the configuration: ${brief(t.target.shape)} may not be offered here`,
  };
}

/** A call without an id that is told that its id is invalid is told so about another call: the one before that got the same. */
function leftBehind(t: Context, failed: Finding | undefined, answer: Answered): Finding | undefined {
  if (failed === undefined || !isRefusal(answer, 'confirmation_invalid')) return failed;
  const before = answeredOf(t).findLast((each) => each.seq < answer.seq && isRefusal(each, 'confirmation_invalid'));
  return {
    ...failed,
    hint: 'this call carries no confirmation_id: look for what an earlier confirmation_invalid leaves behind',
    exchanges: [...(before === undefined ? [] : [before]), answer],
  };
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
