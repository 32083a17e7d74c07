import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { isRole, refusedRoles } from '../../../fixtures/roles.ts';
import {
  body,
  type Completed,
  type Exchange,
  isChunked,
  isCompleted,
  isKeyRefused,
  isRefusal,
} from '../../exchange/exchange.ts';
import type { Knowledge } from '../../exchange/history.ts';
import { mayComeFromIntermediary } from '../../exchange/intermediaries.ts';
import { runsInWorkspace } from '../world/scope.ts';
import { brokenFields, mayName } from '../world/violations.ts';

/** Properties of a response that do not depend on the rule, computed once for all rules. */
export interface ResponseEvidence {
  /** An intermediary may have refused the request, so no rule judges the response. */
  readonly ofIntermediary: boolean;
  readonly ordinary: boolean;
  /** The body of the request comes in chunks. A rule of its own judges how the server reads it, and no other does. */
  readonly chunked: boolean;
  /** The response is a refusal, and others may have changed the object of the request. */
  readonly mayHaveChanged: boolean;
  /** The response is an `invalid_arguments` refusal, and the arguments violate the published schema. */
  readonly refusesViolation: boolean;
}

export function responseEvidence(exchange: Exchange, knowledge: Knowledge): ResponseEvidence {
  if (!isCompleted(exchange)) {
    return { ofIntermediary: false, ordinary: false, chunked: false, mayHaveChanged: false, refusesViolation: false };
  }
  return {
    ofIntermediary: mayComeFromIntermediary(exchange),
    ordinary: isOrdinary(exchange) && !mayBeClosed(exchange, knowledge),
    chunked: isChunked(exchange),
    mayHaveChanged: mayHaveChanged(exchange, knowledge),
    refusesViolation: refusesViolation(exchange),
  };
}

/** Whether ordinary rules can judge a response. A 429 or a 5xx is inconclusive for them. */
function isOrdinary({ odd, request, response }: Completed): boolean {
  return !odd && (request.unread ?? response.unread) === undefined && response.status !== 429 && response.status < 500;
}

/** Whether the server need not refuse the key before it checks the arguments. */
const isServed = ({ sender: { kind, role } }: Completed): boolean =>
  kind === 'key' && !refusedRoles.some((refused) => refused === role);

/** Whether the arguments explain a refusal. The specification does not define the order of a server's checks. */
function refusesViolation(exchange: Completed): boolean {
  return isServed(exchange) && isRefusal(exchange, refusalCodes.invalidArguments) && brokenFields(exchange).length > 0;
}

/** Whether the key may have lost its access during the history. A key without a known role may expire. */
function mayBeClosed(exchange: Completed, { complete }: Knowledge): boolean {
  const { sender } = exchange;
  if (!isKeyRefused(exchange) || sender.kind !== 'key') return false;
  const isRefused = refusedRoles.some((role) => role === sender.role);
  return !isRefused && (!complete || !isRole(String(sender.role)));
}

/** Arguments that name objects which others may delete. */
const whatMayGo = ['workspace', 'board', 'kind', 'id'];

/** Whether another client may have changed the object of a refused request. */
function mayHaveChanged(exchange: Completed, { complete }: Knowledge): boolean {
  if (
    complete ||
    !isServed(exchange) ||
    !isRefusal(exchange) ||
    !runsInWorkspace(exchange) ||
    exchange.request.args === null
  )
    return false;
  const { issues } = body(exchange);
  const names = (field: string) => mayName(issues, field, 'path or message');
  return !isRefusal(exchange, refusalCodes.invalidArguments) || !Array.isArray(issues) || whatMayGo.some(names);
}
