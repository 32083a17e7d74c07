import { isToolName } from '../../../fixtures/contract/tools.ts';
import { must, type Requirement, type RequirementId } from '../../../fixtures/requirements/model.ts';
import { first } from '../../expectations/finding.ts';
import { boundaryError } from '../../expectations/responses.ts';
import { type Rule, rule } from '../../expectations/rule.ts';
import { sameHeaders, sameText } from '../../expectations/same.ts';
import type { Completed, CredentialKind } from '../../history/exchange.ts';
import { unauthorizedGroup } from '../../situations/reasons.ts';
import { baseOf, hasObjectOrNoBody, isToolRequest } from '../../situations/scope.ts';
import type { Seen } from '../../situations/seen.ts';

export type Which = (exchange: Completed) => boolean;

/**
 * Whether a request names a tool and has a proper body. For others, the specification does not define which error takes
 * precedence.
 */
const asksTool: Which = (exchange) => isToolName(exchange.request.tool ?? '') && hasObjectOrNoBody(exchange);

export const ofKind =
  (...kinds: readonly CredentialKind[]): Which =>
  ({ sender }) =>
    kinds.includes(sender.kind);

/**
 * No bearer credential: no credential at all, or a valid key in another place, such as a cookie or the query
 * (`misplaced`).
 */
export const noBearer = ofKind('absent');

export const unauthorized = 'Authentication, 5; Errors, 401';

/** Builds the rule that every tool returns 401 to this credential. */
export function refused(id: RequirementId, credential: string, which: Which, source = unauthorized): Rule {
  return rule(must(id, `The server MUST return 401 for ${credential}.`, source, 'security'), {
    applies: (exchange, seen) => {
      // If the API may be closed to all keys, a 403 may take precedence.
      const mayBeClosed = exchange.response.status === 403 && !seen.successes.at(baseOf(exchange));
      return which(exchange) && asksTool(exchange) && !mayBeClosed;
    },
    twin: (_, seen) => ({ succeeded: seen.successes.any, promisedBy: 'authentication.bearer-accepted' }),
    expect: (exchange) => {
      const { kind, role } = exchange.sender;
      const isEnded = kind === 'key' && (role === 'revoked' || role === 'expired');
      const accepted = isEnded ? `refuse a key that is ${role}` : 'accept only an exact key that is sent as Bearer';
      const hint = `Check the credential before the arguments: ${accepted}, on ${exchange.request.tool} too.`;
      return boundaryError(exchange, 401, undefined, hint);
    },
  });
}

/** Returns the first 401 to a request without a credential, with a proper body, at the same base URL. */
function reference(exchange: Completed, seen: Seen, other: Which): Completed | undefined {
  const group = unauthorizedGroup(baseOf(exchange));
  return seen.byReason.firstOfAnyReason(
    group,
    (exchange) => noBearer(exchange) && asksTool(exchange) && other(exchange),
  );
}

/**
 * Builds the rule that a 401 is identical to the first one for a request without a credential. The arguments may
 * differ, and the judged request may have a body that is not JSON.
 *
 * - Bodies must match byte for byte. In a run, a difference counts at once.
 * - Headers must match, except those that differ between equal requests. A difference counts if it persists for 6
 *   repetitions of both requests in alternating order, and is dropped otherwise.
 *
 * @param judged selects the requests to judge
 * @param comparedWith selects the request without a credential to compare with
 */
export function sameResponse(
  requirement: Requirement,
  judged: Which,
  comparedWith: (exchange: Completed) => Which,
  hint: string,
): Rule {
  return rule(requirement, {
    applies: (exchange, seen) => {
      const isTool = isToolName(exchange.request.tool ?? '') && isToolRequest(exchange) && !exchange.odd;
      const isJudged = judged(exchange) && isTool && exchange.response.status === 401;
      return isJudged && reference(exchange, seen, comparedWith(exchange)) !== undefined;
    },
    expect: (exchange, seen) => {
      const one = reference(exchange, seen, comparedWith(exchange));
      return one && first(sameText(one, exchange, seen, hint), sameHeaders(one, exchange, seen, hint));
    },
  });
}

export function likeAbsent(id: RequirementId, statement: string, which: Which): Rule {
  const sameTool = ({ request }: Completed): Which => {
    return (other) => other.request.tool === request.tool;
  };
  const hint = 'Return one constant 401 for every invalid credential, and include nothing that depends on the key.';
  return sameResponse(must(id, statement, unauthorized, 'security'), which, sameTool, hint);
}
