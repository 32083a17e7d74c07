import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import type { Role } from '../../../fixtures/roles.ts';
import { body, type Completed, isRefusal, isSuccess } from '../../exchange/exchange.ts';
import { hasBoard, mayDiffer } from '../../exchange/history.ts';
import { brief } from '../../json.ts';
import { type Answer, has, is, success } from '../../model/answers.ts';
import { describe } from '../../model/outcome.ts';
import { type Rule, row, sameRequest } from '../../model/rule.ts';
import { declinedForCredits, hasShownCode, mayBeTooMany } from '../../model/world/house-rules.ts';
import { isProposal, issuedId } from '../../model/world/ids.ts';
import type { Seen } from '../../model/world/seen.ts';
import { brokenField, mayName } from '../../model/world/violations.ts';
import { proposedControl } from '../confirmations/invalid-ids.ts';
import { betweenReadings, costsNothing } from '../credits/costs-nothing.ts';
import { witnessesOfServiceRules } from '../declared/row-witnesses.ts';
import { places } from '../requests/places.ts';
import { briefFor, forUnknownBoard, otherShapes, proposing } from '../requests/proposals.ts';
import { story, toPropose } from '../story.ts';

export const tool = 'images.generate';

/** Control: a successful proposal with other values of the arguments in `except`. */
export const controlWithout =
  (...except: readonly string[]) =>
  (exchange: Completed, seen: Seen) =>
    sameRequest(exchange, seen, { except, texts: 'same' });

export const isFirstCall = ({ request, sender }: Completed) =>
  request.tool === tool && request.args?.confirmation_id === undefined && sender.kind === 'key';

/** Whether the brief may be the cause of a refusal. The specification does not show its limits. */
export const mayBeForBrief = (exchange: Completed) =>
  isRefusal(exchange, refusalCodes.invalidArguments) && mayName(body(exchange).issues, 'brief', 'path or message');

const firstCall = 'Confirmation of a spending action, first row; images.generate, call 1';

const worksInNamed = row('image-proposals.works-in-named-workspace', {
  must: 'The server MUST make the proposal in the requested workspace, even if the default is another one.',
  source: 'images.generate, request',
  severity: 'data-isolation',
  applies: (exchange, seen) => {
    const { board, workspace } = exchange.request.args ?? {};
    const known = hasBoard(exchange.sender.role, workspace, board, seen.knowledge);
    const away = typeof workspace === 'string' && workspace !== seen.knowledge.workspaces[0]?.workspace;
    const own = exchange.sender.role === 'primary' && !seen.places.mayBePinned('primary');
    if (!isFirstCall(exchange) || mayBeForBrief(exchange)) return false;
    return known && away && own && (isSuccess(exchange) || hasShownCode(exchange));
  },
  control: controlWithout('workspace', 'board', 'brief'),
  answers: ({ request }) => [success, is('workspace', request.args?.workspace)],
  hint: 'Propose in the requested workspace, and look up the board there.',
});

export const documented = ['workspace', 'board', 'brief', 'count', 'shape', 'confirmation_id'];

export const usualHeaders = ['authorization', 'content-type'];

/** Returns which parts a request has in addition to the arguments of a proposal and the usual headers. */
export function beside({ request }: Completed) {
  const args = request.args ?? {};
  return {
    headers: request.headers.some(([name]) => !usualHeaders.includes(name)),
    query: request.url.includes('?'),
    args: Object.keys(args).some((name) => !documented.includes(name)),
    id: args.confirmation_id,
  };
}

/** Whether a request has only the documented arguments of the first call, and nothing that may claim a confirmation. */
function isPlainProposal(exchange: Completed): boolean {
  const { headers, query, args } = beside(exchange);
  return isFirstCall(exchange) && exchange.request.args !== null && !headers && !query && !args;
}

/** Codes that are wrong for a request with a workspace and a board of that workspace. */
const impossible = [refusalCodes.workspaceAmbiguous, refusalCodes.boardNotFound, refusalCodes.confirmationInvalid];

/**
 * Whether the server must accept a proposal: the same request succeeded before, or the refusal is wrong for its values.
 */
function isPromised(exchange: Completed, seen: Seen): boolean {
  if (isSuccess(exchange)) return true;
  if (brokenField(exchange) !== undefined || exchange.invented.length > 0) return false;
  if (declinedForCredits(exchange) !== undefined || seen.places.mayBePinned(exchange.sender.role)) return false;
  // Another requirement covers proposals after `confirmation_invalid`.
  if (seen.ids.refusedBefore(exchange) !== undefined) return false;
  if (mayBeTooMany(exchange, seen.ids)) return false;
  if (proposedControl(exchange, seen) === true) return true;
  const { role } = exchange.sender;
  const args = exchange.request.args ?? {};
  const own = !mayDiffer(role, 'primary', seen.knowledge);
  // If the server accepted everything but the brief before, it may decline the words of the brief.
  const byWords = seen.successes.has({ role, tool, args });
  const isWrong = exchange.response.status === 400 || impossible.some((code) => isRefusal(exchange, code));
  return own && !byWords && hasBoard(role, args.workspace, args.board, seen.knowledge) && isWrong;
}

const proposed = row('image-proposals.proposed', {
  must: 'The server MUST return the `status` `confirmation_required` for a valid request without `confirmation_id`.',
  source: firstCall,
  severity: 'spends-money',
  applies: (exchange, seen) => isPlainProposal(exchange) && isPromised(exchange, seen),
  expect: (exchange) => {
    if (isProposal(exchange)) return undefined;
    const { issues, run_id: run } = body(exchange);
    const more = issues === undefined ? '' : `, issues ${brief(issues)}`;
    return {
      want: { status: 200, ok: true, result: 'confirmation_required' },
      expected: 'ok true with status "confirmation_required"',
      actual: `${describe(exchange)}${run === undefined || run === null ? more : `, run_id ${brief(run)}`}`,
    };
  },
  hint: 'Return a proposal for a valid request without confirmation_id, and run nothing before it is confirmed.',
});

const isReply = (exchange: Completed) => exchange.request.tool === tool && isProposal(exchange);

/** What every proposal has. */
const inProposal = (what: string, answer: Answer) => ({
  must: `The server MUST send ${what}.`,
  source: firstCall,
  applies: isReply,
  answers: [answer],
});

function asAsked(id: RequirementId, field: string, argument: 'count' | 'shape' | 'board', what: string): Rule {
  const where = field === argument ? 'in a proposal' : `as the \`${field}\` of a proposal`;
  return row(id, {
    must: `The server MUST send the requested \`${argument}\` ${where}.`,
    source: firstCall,
    // Another requirement covers invalid values of this argument.
    applies: (exchange) =>
      isReply(exchange) && exchange.request.args !== null && brokenField(exchange)?.field !== argument,
    answers: ({ request }) => [is(field, request.args?.[argument])],
    hint: `Repeat the ${what} that the person approves.`,
  });
}

const idNew = row('image-proposals.confirmation-id-new', {
  must: 'The server MUST NOT issue a used `confirmation_id` again, or issue the same one for two different requests.',
  source: `${firstCall}; rules 1 and 2`,
  severity: 'spends-money',
  applies: (exchange) => isPlainProposal(exchange) && issuedId(exchange),
  expect: (exchange, id, seen) => {
    const issued = seen.ids.issued(id);
    if (issued?.twice !== true || issued.latest !== exchange || issued.proposal.request.args === null) return undefined;
    if (mayDiffer(issued.proposal.sender.role, exchange.sender.role, seen.knowledge)) return undefined;
    const used = issued.presentations.find(({ outcome }) => outcome === 'dispatched')?.exchange;
    const other = used?.response ? (used as Completed) : issued.proposal;
    return {
      at: { member: ['confirmation_id'] },
      got: id,
      expected: 'a confirmation_id for this request alone, and not used before',
      actual: `confirmation_id ${brief(id)} issued ${used === undefined ? 'for two requests' : 'again after its use'}`,
      exchanges: [other, exchange],
    };
  },
  hint: 'Generate each confirmation_id at random; do not derive it from the time or the request.',
});

export const proposals = story('proposals', {
  needs: toPropose,
  steps: async (t) => {
    const { there } = places(t);
    const { secondBoard } = t.deployment;
    // Sends the proposals simultaneously, to detect a response with values of another request.
    await t.sendInParallel('propose in two workspaces', [
      proposing(t),
      proposing(t, { brief: longBrief }),
      // A server that shortens texts by bytes may cut a character in two.
      proposing(t, { brief: `${briefFor(t, 'first line')}\n${'\u{1F98A}'.repeat(60)}` }),
      ...(there?.board === undefined ? [] : [proposing(t, { ...there, brief: briefFor(t, "another's wall") })]),
      proposing(t, { count: Number(t.proposal().count) + 1, ...(secondBoard && { board: secondBoard }) }),
      proposing(t, otherShapes(t)[0]),
    ]);
  },
  requirements: [
    worksInNamed,
    proposed,
    row('image-proposals.confirmation-id', {
      ...inProposal('a non-empty string `confirmation_id` with a proposal', has('confirmation_id', 'text')),
      hint: 'Issue a confirmation_id with every proposal, as a non-empty string.',
    }),
    idNew,
    row('image-proposals.request-summary', {
      ...inProposal('the `request_summary` of a proposal as a non-empty string', has('request_summary', 'text')),
      hint: 'Send one plain sentence for the person who approves.',
    }),
    row('image-proposals.run-id-null', {
      ...inProposal('`null` as the `run_id` of a proposal', is('run_id', null)),
      hint: 'Send null as run_id: nothing runs before the confirmation.',
    }),
    asAsked('image-proposals.count-as-asked', 'count', 'count', 'number of images'),
    asAsked('image-proposals.aspect-ratio-as-asked', 'aspect_ratio', 'shape', 'shape'),
    asAsked('image-proposals.board-as-asked', 'board_id', 'board', 'board'),
    row('image-proposals.working-in-source', {
      ...inProposal('`source` in the `working_in` of a proposal', has('working_in.source', { type: 'string' })),
      source: 'images.generate, response',
      hint: 'Send source in working_in of a proposal.',
    }),
  ],
  alsoTests: witnessesOfServiceRules('images.generate'),
});

/** A brief of realistic length, which may be too long for the service. */
const longBrief = `A grey square on a white wall, {0} or 100% of it in the "morning's" light. `.repeat(6);

/** Keys whose proposals the server may refuse, which must not cost anything either. Two of them propose. */
const otherKeys: readonly Role[] = ['sole', 'pinned', 'ambiguous', 'defaulted'];

/** Proposes several times, because a server may charge for some proposals only. */
export const proposalsCostNothing = story('proposals cost nothing', {
  turn: 'first',
  needs: toPropose,
  steps: async (t) => {
    // A server may return the ID of an earlier attempt for an identical proposal.
    const brief = briefFor(t, `to compare balances, attempt ${t.attempt}`);
    const count = Number(t.proposal().count);
    const others = t.present(otherKeys).slice(0, 2);
    const { there } = places(t);
    await betweenReadings(t, async () => {
      await t.sendInParallel('propose', [
        ...[count, count + 1].map((each) => proposing(t, { brief, count: each })),
        proposing(t, { brief, count: count + 3, ...(there?.board && there) }),
        ...others.map((as) => ({
          ...proposing(t, { brief, ...(as === 'ambiguous' ? {} : { workspace: undefined }) }),
          as,
        })),
      ]);
      const nobodys = forUnknownBoard(t, proposing(t), 'board without a charge');
      await t.send('propose for a board that does not exist', nobodys);
      await t.send('propose without a count', proposing(t, { count: undefined }));
    });
  },
  requirements: [
    row('image-proposals.spends-nothing', {
      must: 'The server MUST NOT charge for a proposal or for a refused request.',
      source: 'What the service does, rule 6; Confirmation, first row',
      severity: 'spends-money',
      ...costsNothing({
        tool,
        what: 'proposal',
        isDone: isProposal,
        hint: 'Charge when a confirmed run starts: neither for a proposal nor for a refused request.',
      }),
    }),
  ],
});
