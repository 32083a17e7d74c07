import { quoted, refusalCodes } from '../../../fixtures/contract/codes.ts';
import { must } from '../../../fixtures/requirements/model.ts';
import { refuses } from '../../expectations/responses.ts';
import { rule, type Twin } from '../../expectations/rule.ts';
import type { Completed } from '../../history/exchange.ts';
import { isDispatch } from '../../situations/ids.ts';
import { atHome, isCorrect, isLive, type Presented, presented } from '../../situations/presentation.ts';
import type { Seen } from '../../situations/seen.ts';
import { asOtherAccount, elsewhere, home, nowhere } from '../requests/places.ts';
import { briefFor, confirming, propose, without } from '../requests/proposals.ts';
import type { Steps } from '../steps.ts';
import { story } from '../story.ts';
import { needs, presentation, runs, withProposal } from './presentations.ts';

/** Twin: any dispatched confirmation. */
const anyDispatch = (_: Completed, seen: Seen): Twin => ({
  succeeded: seen.ids.anyDispatched,
  promisedBy: 'confirmations.dispatched',
});

const requestMissing = rule(
  must(
    'confirmations.request-missing-refused',
    `The server MUST refuse a confirmation that omits a required field with ${quoted.invalidArguments}.`,
    'images.generate, request; Confirmation of a spending action, second row',
  ),
  {
    applies: (exchange, seen) =>
      presentation(
        exchange,
        seen,
        (attempt) => isLive(attempt) && atHome(attempt) && attempt.changed.length === 0 && attempt.missing.length > 0,
      ),
    twin: anyDispatch,
    expect: (exchange) =>
      refuses(
        exchange,
        refusalCodes.invalidArguments,
        'Require board, brief, count and shape on both calls; refuse a request without one before anything runs.',
      ),
  },
);

/** Whether the request and the proposal both name their workspace, or both omit it. */
const isNamedAlike = ({ issued }: Presented, { request }: Completed) =>
  (issued?.proposal.request.args?.workspace === undefined) === (request.args?.workspace === undefined);

const unnamedWorkspace = rule(
  must(
    'confirmations.unnamed-workspace',
    'The server MUST accept a confirmation in the workspace of the proposal, with or without the `workspace` argument.',
    'Confirmation of a spending action, second row; images.generate, call 2; Authentication, 6',
  ),
  {
    applies: (exchange, seen) =>
      presentation(exchange, seen, (attempt) => isCorrect(attempt) && !isNamedAlike(attempt, exchange)),
    // The twin is any dispatch of this ID, such as one that names the workspace as the proposal did.
    twin: (exchange, seen) => ({
      succeeded: [...(presented(exchange, seen)?.issued?.presentations.values() ?? [])].some(
        ({ outcome }) => outcome === 'dispatched',
      ),
      promisedBy: 'confirmations.refusals-leave-open',
    }),
    expect: (exchange, seen) => {
      const hint = 'Compare the resolved workspaces of the two calls, not their workspace arguments.';
      const finding = runs(exchange, seen, hint);
      if (finding === undefined) return undefined;
      // Decisive: a later dispatch of the ID shows that no other client had ended its life.
      const { refutable: _, ...decisive } = finding;
      return { ...decisive, exchanges: withProposal(exchange, seen) };
    },
  },
);

const refusalsLeaveOpen = rule(
  must(
    'confirmations.refusals-leave-open',
    'The server MUST keep an id valid after it refuses a request that presents it.',
    'Confirmation of a spending action, second to fourth row',
  ),
  {
    applies: (exchange, seen) =>
      presentation(exchange, seen, (attempt) => {
        const isJudged = isNamedAlike(attempt, exchange) || isDispatch(exchange);
        return isCorrect(attempt) && isJudged && attempt.before.length > 0;
      }),
    twin: anyDispatch,
    expect: (exchange, seen) => {
      const finding = runs(
        exchange,
        seen,
        'Validate the whole request first, and consume the confirmation atomically when you dispatch.',
      );
      const before = presented(exchange, seen)?.before ?? [];
      const refused = before
        .map((presentation) => presentation.exchange)
        .filter((exchange): exchange is Completed => exchange.response !== null);
      return finding && { ...finding, exchanges: [...refused.slice(-4), exchange] };
    },
  },
);

/** Checks that an ID stays valid after presentations that the server must refuse. */
export const wrongPresentations = story('invalid confirmations', {
  needs,
  uses: ['proposal'],
  images: 1,
  steps: async (t) => {
    const own = await t.send('read in the default workspace of the key', { tool: 'schedule.read', args: {} });
    for (let again = 1; again <= t.mostRepetitions && !(await survives(t, own)); again += 1) await t.randomPause();
  },
  requirements: [requestMissing, unnamedWorkspace, refusalsLeaveOpen],
});

/** Attempts for each error, because some servers limit them. */
const attempts = 3;

/** Presents a fresh ID with every error, and then correctly. Returns whether the last request was dispatched. */
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
    const reply = await t.send(`present the ID ${way}`, { tool: 'images.generate', ...asked });
    if (isDispatch(reply)) return t.cannot(`the id was dispatched when it was presented ${way}`);
  }
  if (place.byItself) {
    const { workspace: __, ...unplaced } = proposal.args;
    const reply = await t.send('confirm without naming the workspace', confirming({ ...proposal, args: unplaced }));
    if (isDispatch(reply)) return true;
  }
  return isDispatch(await t.send('confirm', confirming(proposal)));
}
