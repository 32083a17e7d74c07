import { isToolName } from '../../fixtures/contract/tools.ts';
import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { isRole, servedRoles } from '../../fixtures/roles.ts';
import { type Completed, isSuccess } from '../history/exchange.ts';
import { first } from './finding.ts';
import { boundaryError, describe } from './match/responses.ts';
import { baseOf, isProperRequest, isToolRequest } from './match/scope.ts';
import { type Rule, rule } from './rule.ts';
import { sameHeaders, sameText } from './same.ts';
import { unauthorizedGroup } from './seen/causes.ts';
import type { Seen } from './seen/seen.ts';

type Which = (exchange: Completed) => boolean;

/**
 * A request of a tool as the specification describes it; with other bodies and names it is not said which error wins.
 */
const asksTool: Which = (exchange) => isToolName(exchange.request.tool ?? '') && isProperRequest(exchange);

/** No bearer credential: none at all, or a good key in another place, such as a cookie or the query (`misplaced`). */
const noBearer: Which = ({ sender }) => sender.kind === 'absent';
const unknown: Which = ({ sender }) => sender.kind === 'unknown';
const otherScheme: Which = ({ sender }) => sender.kind === 'other-scheme';
const revoked: Which = ({ sender }) => sender.kind === 'key' && sender.role === 'revoked';
const expired: Which = ({ sender }) => sender.kind === 'key' && sender.role === 'expired';
const nearMiss: Which = ({ sender }) => ['longer', 'shorter', 'other-case'].includes(sender.kind);

/** Every tool refuses such a credential with 401. */
function refused(id: RequirementId, which: Which): Rule {
  return rule(id, {
    applies: (exchange, seen) => {
      // Where the whole API may be closed, 403 may win.
      const mayBeClosed = exchange.response.status === 403 && !seen.successes.at(baseOf(exchange));
      return which(exchange) && asksTool(exchange) && !mayBeClosed;
    },
    twin: (_, seen) => ({ succeeded: seen.successes.any, promisedBy: 'authentication.bearer-accepted' }),
    expect: (exchange) => {
      const hint = 'Check the credential first: accept only a current key, compared exactly and sent as Bearer';
      return boundaryError(exchange, 401, undefined, `${hint}, on ${exchange.request.tool} too.`);
    },
  });
}

/** The first 401 to a request without a credential that was sent to the same base URL. */
function reference(exchange: Completed, seen: Seen, other: Which): Completed | undefined {
  const group = unauthorizedGroup(baseOf(exchange));
  return seen.byCause.first(group, (each) => noBearer(each) && asksTool(each) && other(each));
}

/**
 * Such a credential gets the same 401 as a request without one, whatever its arguments are: the same body to the byte,
 * and the same headers but for volatile ones (`match/parts.ts`). A header counts only if it still differs after 6
 * repetitions of both requests, which `engine/suspicions.ts` sends.
 */
function sameResponse(id: RequirementId, which: Which, to: (exchange: Completed) => Which, hint: string): Rule {
  return rule(id, {
    applies: (exchange, seen) => {
      const isTool = isToolName(exchange.request.tool ?? '') && isToolRequest(exchange) && !exchange.odd;
      const isJudged = which(exchange) && isTool && exchange.response.status === 401;
      return isJudged && reference(exchange, seen, to(exchange)) !== undefined;
    },
    expect: (exchange, seen) => {
      const one = reference(exchange, seen, to(exchange));
      return one && first(sameText(one, exchange, seen, hint), sameHeaders(one, exchange, seen, hint));
    },
  });
}

function likeAbsent(id: RequirementId, which: Which): Rule {
  const sameTool = ({ request }: Completed): Which => {
    return (other) => other.request.tool === request.tool;
  };
  const hint = 'Return one constant 401 for every bad credential: put nothing into it that depends on the key.';
  return sameResponse(id, which, sameTool, hint);
}

/** Which credentials are served, and what the others get. */
export const authentication: readonly Rule[] = [
  rule('authentication.bearer-accepted', {
    applies: (exchange) => {
      const { sender, request, response } = exchange;
      const good =
        sender.kind === 'key' && sender.role !== null && isRole(sender.role) && servedRoles.includes(sender.role);
      const told = isSuccess(exchange) || response.status === 401 || response.status === 403;
      return good && request.tool === 'credits.balance' && isProperRequest(exchange) && told;
    },
    expect: (exchange) => {
      if (isSuccess(exchange)) return undefined;
      const hint = `Accept the key in the role '${exchange.sender.role}': check whether it is current.`;
      return { expected: 'HTTP 200 with ok true', actual: describe(exchange), hint, exchanges: [exchange] };
    },
  }),
  refused('authentication.absent-refused', noBearer),
  refused('authentication.unknown-refused', unknown),
  refused('authentication.revoked-refused', revoked),
  refused('authentication.expired-refused', expired),
  refused('authentication.other-scheme-refused', otherScheme),
  refused('authentication.longer-key-refused', ({ sender }) => sender.kind === 'longer'),
  refused('authentication.shorter-key-refused', ({ sender }) => sender.kind === 'shorter'),
  refused('authentication.other-case-key-refused', ({ sender }) => sender.kind === 'other-case'),
  sameResponse(
    'authentication.uniform-across-tools',
    noBearer,
    ({ request }) =>
      (other) =>
        other.request.tool !== request.tool,
    'Authenticate before you look up the tool, and return the same 401 for every tool.',
  ),
  likeAbsent('authentication.unknown-like-absent', unknown),
  likeAbsent('authentication.revoked-like-absent', revoked),
  likeAbsent('authentication.expired-like-absent', expired),
  likeAbsent('authentication.other-scheme-like-absent', otherScheme),
  likeAbsent('authentication.near-misses-like-absent', nearMiss),
];
