import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { isRole, refusedRoles } from '../../../fixtures/roles.ts';
import { body, type Completed, isChunked, isKeyRefused, isRefusal } from '../../exchange/exchange.ts';
import type { Knowledge } from '../../exchange/history.ts';
import { mayComeFromIntermediary } from '../../exchange/intermediaries.ts';
import { isRecord } from '../../json.ts';
import type { Finding } from '../finding.ts';
import type { Rule } from '../rule.ts';
import { runsInWorkspace } from '../world/scope.ts';
import { brokenFields, mayName } from '../world/violations.ts';

/** Which rules can judge a response: all ordinary ones, or only those on every response or on chunked bodies. */
export type Evidence = 'ordinary' | NonNullable<Rule['judges']>;

/** Returns which rules can judge a response; undefined if an intermediary may have refused the request. */
export function evidenceOf(exchange: Completed, knowledge: Knowledge): Evidence | undefined {
  if (mayComeFromIntermediary(exchange)) return undefined;
  if (isChunked(exchange)) return 'chunked bodies';
  return isOrdinary(exchange) && !mayBeClosed(exchange, knowledge) ? 'ordinary' : 'every response';
}

/** Whether a rule can judge a response, which a 429 or an intermediary may have ended. */
export const isConclusive = ({ judges }: Rule, evidence: Evidence | undefined): boolean =>
  evidence !== undefined && (evidence === judges || (evidence === 'ordinary' && judges !== 'chunked bodies'));

/** Whether a finding is about the decision of the server: neither a header nor a member, except the invalid field. */
export const isOfDecision = ({ at, want }: Finding): boolean =>
  typeof at === 'string' || (isRecord(want) && 'names' in want);

/** Whether invalid arguments, or another client, may explain a finding about the decision of the server. */
export function isExcused(exchange: Completed, finding: Finding, knowledge: Knowledge): boolean {
  return (
    (typeof finding.at === 'string' && refusesViolation(exchange)) ||
    (isOfDecision(finding) && mayHaveChanged(exchange, knowledge))
  );
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
