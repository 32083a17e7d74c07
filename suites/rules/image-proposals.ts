import { refusalCodes } from '../../fixtures/contract/codes.ts';
import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { body, type Completed, isRefusal, isSuccess } from '../history/exchange.ts';
import { hasBoard, mayDiffer } from '../history/history.ts';
import { brief, member } from '../json.ts';
import { proposedTwin } from './confirmations.ts';
import type { Finding } from './finding.ts';
import { declinedForCredits } from './match/declined.ts';
import { fieldIs, fieldIsText } from './match/fields.ts';
import { describe } from './match/responses.ts';
import { type Rule, rule } from './rule.ts';
import { mayBeTooMany } from './seen/house-rules.ts';
import { isProposal, issuedId } from './seen/ids.ts';
import type { Seen } from './seen/seen.ts';
import { brokenField } from './violations.ts';

const tool = 'images.generate';

/** A request as the first call is shown, with nothing that might be taken for a confirmation. */
function isPlainProposal({ request, sender }: Completed): boolean {
  const known = ['workspace', 'board', 'brief', 'count', 'shape'];
  const usual = ['authorization', 'content-type'];
  return (
    request.tool === tool &&
    sender.kind === 'key' &&
    !request.url.includes('?') &&
    request.args !== null &&
    Object.keys(request.args).every((name) => known.includes(name)) &&
    request.headers.every(([name]) => usual.includes(name))
  );
}

/** Whether the board of a request is known to be in the workspace that it names. */
function isBoardKnown({ request, sender }: Completed, { knowledge }: Seen): boolean {
  return hasBoard(sender.role, request.args?.workspace, request.args?.board, knowledge);
}

/** Codes that cannot be right for a request that names its workspace and a board of it. */
const impossible = [refusalCodes.workspaceAmbiguous, refusalCodes.boardNotFound, refusalCodes.confirmationInvalid];

/** Whether success is promised for a proposal: it was accepted before, or is refused for what it certainly has. */
function isPromised(exchange: Completed, seen: Seen): boolean {
  if (isSuccess(exchange)) return true;
  if (brokenField(exchange) !== undefined || exchange.invented.length > 0) return false;
  if (declinedForCredits(exchange) !== undefined || seen.places.mayBePinned(exchange.sender.role)) return false;
  // What is proposed again after confirmation_invalid has a requirement of its own.
  if (seen.recoveries.before(exchange) !== undefined) return false;
  if (mayBeTooMany(exchange, seen.ids)) return false;
  if (proposedTwin(exchange, seen).succeeded) return true;
  const own = !mayDiffer(exchange.sender.role, 'primary', seen.knowledge);
  // Where all but the brief was accepted before, its words may be what is declined.
  const { role } = exchange.sender;
  const byWords = seen.successes.has({ role, tool, args: exchange.request.args ?? {} });
  const isWrong = exchange.response.status === 400 || impossible.some((code) => isRefusal(exchange, code));
  return own && !byWords && isBoardKnown(exchange, seen) && isWrong;
}

const proposed = rule('image-proposals.proposed', {
  applies: (exchange, seen) => isPlainProposal(exchange) && isPromised(exchange, seen),
  unlessChanged: true,
  expect: (exchange) => {
    if (isProposal(exchange)) return undefined;
    const { issues, run_id: run } = body(exchange);
    const more = issues === undefined ? '' : `, issues ${brief(issues)}`;
    return {
      expected: 'ok true with status "confirmation_required"',
      actual: `${describe(exchange)}${run === undefined || run === null ? more : `, run_id ${brief(run)}`}`,
      hint: 'Return a proposal for a valid request without confirmation_id, and run nothing before it is confirmed.',
      exchanges: [exchange],
    };
  },
});

/** What holds for every proposal. */
function everyProposal(id: RequirementId, expect: (exchange: Completed) => Finding | undefined): Rule {
  return rule(id, { applies: (exchange) => exchange.request.tool === tool && isProposal(exchange), expect });
}

/** A field of every proposal is what the request asked for. */
function asAsked(id: RequirementId, field: string, argument: 'count' | 'shape' | 'board', hint: string): Rule {
  return rule(id, {
    // What must not have been accepted belongs to the requirement that refuses it.
    applies: (exchange) =>
      exchange.request.tool === tool &&
      exchange.request.args !== null &&
      isProposal(exchange) &&
      brokenField(exchange)?.field !== argument,
    expect: (exchange) => fieldIs(exchange, field, exchange.request.args?.[argument], hint),
  });
}

const idNew = rule('image-proposals.confirmation-id-new', {
  applies: (exchange) => isPlainProposal(exchange) && issuedId(exchange) !== undefined,
  expect: (exchange, seen) => {
    const id = issuedId(exchange) ?? '';
    const issued = seen.ids.issued(id);
    if (issued?.twice !== true || issued.unclear || issued.latest !== exchange) return undefined;
    if (mayDiffer(issued.proposal.sender.role, exchange.sender.role, seen.knowledge)) return undefined;
    const used = [...issued.presentations.values()].find(({ outcome }) => outcome === 'dispatched')?.exchange;
    const other = used?.response ? (used as Completed) : issued.proposal;
    return {
      expected: 'a confirmation_id for this request alone, and not used before',
      actual:
        `confirmation_id ${brief(id)} issued ` + `${used === undefined ? 'for two requests' : 'again after its use'}`,
      hint: 'Generate each confirmation_id at random; do not derive it from the time or the request.',
      exchanges: [other, exchange],
    };
  },
});

/** The first call of `images.generate`. */
export const imageProposals: readonly Rule[] = [
  proposed,
  everyProposal('image-proposals.confirmation-id', (exchange) =>
    fieldIsText(exchange, 'confirmation_id', 'Issue a confirmation_id with every proposal, as a non-empty string.'),
  ),
  idNew,
  everyProposal('image-proposals.request-summary', (exchange) =>
    fieldIsText(exchange, 'request_summary', 'Send one plain sentence for the person who approves.'),
  ),
  everyProposal('image-proposals.run-id-null', (exchange) =>
    fieldIs(exchange, 'run_id', null, 'Send null as run_id: nothing runs before the confirmation.'),
  ),
  asAsked('image-proposals.count-as-asked', 'count', 'count', 'Repeat the number of images that the person approves.'),
  asAsked(
    'image-proposals.aspect-ratio-as-asked',
    'aspect_ratio',
    'shape',
    'Repeat the shape that the person approves.',
  ),
  asAsked('image-proposals.board-as-asked', 'board_id', 'board', 'Repeat the board that the person approves.'),
  everyProposal('image-proposals.working-in-source', (exchange) => {
    const source = member(exchange.response.json, 'working_in', 'source');
    if (typeof source === 'string') return undefined;
    return {
      expected: 'working_in.source to be a string',
      actual: `working_in.source ${brief(source)}`,
      hint: 'Send source in working_in of a proposal.',
      exchanges: [exchange],
    };
  }),
];
