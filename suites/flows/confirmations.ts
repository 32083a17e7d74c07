import { refusalCodes } from '../../fixtures/contract/codes.ts';
import type { Role } from '../../fixtures/roles.ts';
import { type Completed, isRefusal } from '../history/exchange.ts';
import { isDispatch, isProposal } from '../rules/seen/ids.ts';
import { confirmed } from './confirmed.ts';
import { compareBalances } from './credits.ts';
import { flow } from './flow.ts';
import { briefFor, confirming, type Proposal, propose, proposeMore, proposing, without } from './images.ts';
import { otherCase } from './made-up-ids.ts';
import { asOtherAccount, elsewhere, home, nowhere } from './places.ts';
import type { Args, Steps } from './steps.ts';

const needs = { effects: ['proposals', 'spending'], settings: ['board'] } as const;

/** The life of an id that is confirmed at once, and of one that waits meanwhile. */
export const confirmations = flow(
  'confirmations',
  {
    lane: 'images',
    needs,
    uses: ['proposal'],
    images: 4,
    witnesses: [
      'confirmations.dispatched',
      'confirmations.run-id',
      'confirmations.run-id-new',
      'confirmations.confirmation-id-null',
      'confirmations.request-summary-null',
      'confirmations.reply-as-confirmed',
      'confirmations.changed-count',
      'confirmations.changed-shape',
      'confirmations.changed-board',
      'confirmations.others-leave-open',
      'confirmations.used-invalid',
      'confirmations.used-stays-invalid',
      'confirmations.used-like-never-issued',
      'confirmations.never-issued-invalid',
      'confirmations.recovery',
      'confirmations.message-tells-lifetime',
    ],
  },
  async (t) => {
    const open = await proposeMore(t, 'propose what waits');
    const first = await confirmed(t);
    await t.send('present the used id', confirming(first));
    for (let again = 2; again <= 3; again += 1) await t.send('present the used id again', confirming(first));
    await t.send('present the used id with another count', confirming(first, { count: open.args.count }));
    const otherBrief = briefFor(t, 'something else');
    await t.send('present the used id with another brief', confirming(first, { brief: otherBrief }));
    await t.send('present the used id in other case', confirming(first, { confirmation_id: otherCase(first.id) }));
    await t.send('present an id of another form', {
      ...confirming(first, { confirmation_id: 'constructor' }),
      invented: ['confirmation_id'],
    });
    await t.part(() => compareBalances(t));
    for (const as of otherKeys(t)) await t.send(`present the used id as ${as}`, { ...confirming(first), as });

    // A server that ignores every change gets one confirmation of each id: the second with another count and board.
    const second = await propose(t, 'propose the same again', first.args);
    const isOther = open.args.count !== first.args.count;
    const otherCount = { count: isOther ? open.args.count : Number(first.args.count) + 1 };
    const board = t.known.otherBoard === first.args.board ? undefined : t.known.otherBoard;
    const both = board === undefined ? [] : [{ ...otherCount, board }];
    await confirmWithOneOf(t, 'confirm with', second, [...both, otherCount, {}]);

    const shape = await findOtherShape(t);
    const firstCount = isOther ? { count: first.args.count } : {};
    const otherShape = shape === undefined ? {} : { shape };
    // And the one that waited with another count and shape.
    await confirmWhatWaited(t, open, [{ ...firstCount, ...otherShape }, otherShape, firstCount, {}]);
  },
);

/** The most shapes that are tried for one that is accepted beside the first. */
const mostShapes = 4;

/** Another shape that is accepted. */
async function findOtherShape(t: Steps): Promise<string | undefined> {
  const shapes = t.known.shapes.filter((shape) => shape !== t.proposal().shape).slice(0, mostShapes);
  const found = await t.firstAccepted(
    'propose another shape',
    shapes.map((shape) => proposing(t, { shape })),
    isProposal,
  );
  return found === undefined ? undefined : String(found.request.args?.shape);
}

/**
 * Confirms with the first of these changes: a server that ignores changes dispatches it, and nothing else is sent. If
 * it is refused, a fresh proposal is confirmed with the next one. A change of one argument that is refused is tried
 * again first, as often as somebody else may have ended the life of the id.
 */
async function confirmWithOneOf(t: Steps, step: string, proposal: Proposal, changes: readonly Args[]): Promise<void> {
  let open = proposal;
  // A change that the same id was refused for before.
  let refused: Args | undefined;
  for (const change of changes) {
    const names = Object.keys(change);
    const what = names.join(' and ') || 'nothing';
    // A refusal of what was refused before tells nothing of this change.
    const times = refused === undefined ? t.mostRepetitions : t.mostRepetitions + 1;
    for (let again = 1; again <= times; again += 1) {
      const reply = await t.send(`${step} ${what} changed`, confirming(open, change));
      if (isDispatch(reply)) return;
      if (refused !== undefined) await stillGood(t, proposal, open, refused);
      refused = isRefusal(reply, refusalCodes.boardNotFound) ? change : undefined;
      // The id is still good: it is not used up for what is refused.
      if (refused !== undefined) break;
      open = await propose(t, `${step}: propose afresh`, proposal.args);
      if (names.length > 1 || !isRefusal(reply, refusalCodes.confirmationInvalid)) break;
    }
  }
}

/** Refused for the board, an id is still good for what was proposed; anew where somebody may have ended its life. */
async function stillGood(t: Steps, proposal: Proposal, refused: Proposal, change: Args): Promise<void> {
  let open = refused;
  for (let again = 1; again <= t.mostRepetitions; again += 1) {
    const reply = await t.send('confirm as proposed, after the board was refused', confirming(open));
    if (!isRefusal(reply, refusalCodes.confirmationInvalid)) return;
    open = await propose(t, 'propose afresh', proposal.args);
    await t.send('confirm with the board that is refused', confirming(open, change));
  }
}

/**
 * Confirms what waited with the first of these changes: a server that ignores changes dispatches it, and nothing else
 * is sent. If it is refused, a fresh proposal is confirmed with the same changes. If that is refused too, waiting is
 * not the reason, and the other changes follow.
 */
async function confirmWhatWaited(t: Steps, open: Proposal, changes: readonly Args[]): Promise<void> {
  const [change = {}, ...others] = changes;
  const reply = await t.send('confirm what waited, with changes', confirming(open, change));
  if (isDispatch(reply)) return;
  const fresh = await propose(t, 'propose afresh what waited', open.args);
  const again = await t.send('confirm that, with the same changes', confirming(fresh, change));
  if (isDispatch(again)) return isRefusal(reply, refusalCodes.confirmationInvalid) ? overtaken(t) : undefined;
  await confirmWithOneOf(t, 'confirm what waited, with', await propose(t, 'propose it once more', open.args), others);
}

/** An id that waits while another one is proposed and confirmed, as often as somebody else may have ended its life. */
async function overtaken(t: Steps): Promise<void> {
  for (let again = 2; again <= t.mostRepetitions; again += 1) {
    const open = await propose(t, 'propose what waits, once more', { brief: briefFor(t, 'left open again') });
    await t.send('confirm another one', confirming(await propose(t, 'propose another one')));
    if (isDispatch(await t.send('confirm what waited, once more', confirming(open)))) return;
  }
}

/** A key that may be another one of the account. */
function otherKeys(t: Steps): Role[] {
  return (['defaulted', 'ambiguous', 'throttled'] as const).filter((role) => t.has(role)).slice(0, 1);
}

/** An id that is presented in ways that must be refused stays good for a correct presentation. */
export const wrongPresentations = flow(
  'wrong presentations',
  {
    lane: 'images',
    needs,
    uses: ['proposal'],
    images: 1,
    witnesses: [
      'confirmations.refusals-leave-open',
      'confirmations.request-missing-refused',
      'confirmations.unnamed-workspace',
    ],
  },
  async (t) => {
    const own = await t.send('read where the key works by itself', { tool: 'schedule.read', args: {} });
    for (let again = 1; again <= t.mostRepetitions && !(await survives(t, own)); again += 1) await t.disturbance();
  },
);

/** How often a wrong way is tried: some servers count. */
const attempts = 3;

/** Presents a fresh id in every wrong way and then as it should be; tells whether that was dispatched. */
async function survives(t: Steps, own: Completed): Promise<boolean> {
  const place = home(t, own);
  const proposal = await propose(t, 'propose', { ...place.args, brief: briefFor(t, 'shown elsewhere') });
  const here = place.args.workspace === undefined ? {} : { workspace: place.args.workspace };
  const { brief: _, ...unbriefed } = proposal.args;
  const wrong = [
    ['without the request', { args: { ...here, confirmation_id: proposal.id } }],
    ['without the brief', { args: { ...unbriefed, confirmation_id: proposal.id } }],
    ['without brief and shape', confirming({ ...proposal, args: without(proposal.args, 'brief', 'shape') })],
    ['without board and count', confirming({ ...proposal, args: without(proposal.args, 'board', 'count') })],
    ...Array.from({ length: attempts }, () => ['in another workspace', elsewhere(t, proposal)] as const),
    ...Array.from({ length: attempts }, () => ['as another account', asOtherAccount(t, proposal)] as const),
    ['in a workspace that does not exist', nowhere(t, proposal)],
  ] as const;
  for (const [way, asked] of wrong) {
    if (asked === undefined) continue;
    const reply = await t.send(`present it ${way}`, { tool: 'images.generate', ...asked });
    if (isDispatch(reply)) return t.cannot(`the id was dispatched when it was presented ${way}`);
  }
  if (place.byItself) {
    const { workspace: __, ...unplaced } = proposal.args;
    const reply = await t.send('confirm without naming the workspace', confirming({ ...proposal, args: unplaced }));
    if (isDispatch(reply)) return true;
  }
  return isDispatch(await t.send('confirm', confirming(proposal)));
}
