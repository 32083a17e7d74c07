import { isToolName, toolNames } from '../../../fixtures/contract/tools.ts';
import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import { type ClosedRole, closedRoles, servedRoles } from '../../../fixtures/roles.ts';
import { type Completed, isKeyRefused, isSuccess } from '../../exchange/exchange.ts';
import { brief, member } from '../../json.ts';
import { failure, success } from '../answers.ts';
import { type Rule, row, type Step } from '../rule.ts';
import { sameHeaders, sameText } from '../same.ts';
import { situationOf, type Who } from '../situation.ts';
import { groupOf } from '../world/presentation.ts';
import { baseOf, hasObjectOrNoBody } from '../world/scope.ts';
import type { Seen } from '../world/seen.ts';

const unauthorized = 'Authentication, 5; Errors, 401';

/** Every tool returns 401 to this credential. For other paths and bodies, the order of errors is open. */
function refused(name: string, credential: string, who: Who, source = unauthorized): Step {
  return {
    id: `authentication.${name}-refused`,
    must: `The server MUST return 401 for ${credential}.`,
    source,
    severity: 'security',
    when: { who: [who], tool: toolNames, body: ['object', 'omitted'] },
    answers: [failure(401)],
    // If the API may be closed to all keys, a 403 may take precedence.
    control: (exchange, seen) =>
      (exchange.response.status === 403 ? seen.successes.at(baseOf(exchange)) : seen.successes.any) ||
      'authentication.bearer-accepted',
    hint: ({ request }) => {
      const isEnded = who === 'revoked' || who === 'expired';
      const accepted = isEnded ? `refuse a key that is ${who}` : 'accept only an exact key that is sent as Bearer';
      return `Check the credential before the arguments: ${accepted}, on ${request.tool} too.`;
    },
  };
}

export const refusedCredentials: readonly Step[] = [
  // A valid key in another place, such as a cookie or the query, is no bearer credential either.
  refused('absent', 'a request without a credential, on every tool', 'absent'),
  refused('unknown', 'an unknown key, on every tool', 'unknown'),
  refused(
    'other-scheme',
    'a valid key that is sent with a scheme other than Bearer',
    'other-scheme',
    'Authentication, 1 and 5',
  ),
  refused('longer-key', 'a valid key with one character appended', 'longer'),
  refused('shorter-key', 'a valid key without its last character', 'shorter'),
  refused('other-case-key', 'a valid key whose letter case was changed', 'other-case'),
  refused('revoked', 'a revoked key, on every tool', 'revoked'),
  refused('expired', 'an expired key, on every tool', 'expired'),
];

/** Whether a request asks for a tool, with a proper body. For others, the order of errors is open. */
const isProper = (exchange: Completed) => isToolName(exchange.request.tool ?? '') && hasObjectOrNoBody(exchange);

/** Returns the first 401 to a request without a credential, with a proper body, at the same base URL. */
function reference(exchange: Completed, seen: Seen, isComparable: (tool: string | null) => boolean) {
  return seen.byReason.first(
    groupOf(exchange),
    (other) => other.sender.kind === 'absent' && isProper(other) && isComparable(other.request.tool),
  );
}

/**
 * Builds the rule that a 401 is identical to the first one for a request without a credential. The arguments may
 * differ, and the judged request may have a body that is not JSON.
 *
 * - Bodies must match byte for byte. In a run, a difference counts at once.
 * - Headers must match, except volatile ones (`by-reason.ts`) and those that differ between equal requests. A
 *   difference counts if it persists for 6 repetitions of both requests in alternating order, and is dropped otherwise.
 *
 * @param compared whether the reference is for the same tool
 */
function same(id: RequirementId, statement: string, of: readonly Who[], compared: 'same tool' | 'other tool'): Rule {
  return row(id, {
    must: statement,
    source: unauthorized,
    severity: 'security',
    applies: (exchange, seen) => {
      if (exchange.response.status !== 401) return undefined;
      const { who, tool } = situationOf(exchange) ?? {};
      const isJudged = who !== undefined && of.includes(who) && isToolName(tool ?? '');
      const isCompared = (other: string | null) => (other === exchange.request.tool) === (compared === 'same tool');
      return isJudged && reference(exchange, seen, isCompared);
    },
    expect: (exchange, one, seen) => sameText(one, exchange, seen) ?? sameHeaders(one, exchange, seen),
    hint:
      compared === 'same tool'
        ? 'Return one constant 401 for every invalid credential, and include nothing that depends on the key.'
        : 'Authenticate before you look up the tool, and return the same 401 for every tool.',
  });
}

const likeAbsent = (name: string, what: string, ...of: readonly Who[]) =>
  same(
    `authentication.${name}-like-absent`,
    `The server MUST return the same 401, body and headers, for ${what} as for an absent credential.`,
    of,
    'same tool',
  );

/** What a valid key gets, and that no 401 tells its cause. */
export const credentials: readonly Rule[] = [
  row('authentication.bearer-accepted', {
    must: 'The server MUST accept a valid key that is sent as `Authorization: Bearer <key>`.',
    source: 'Authentication, 1',
    applies: (exchange) => {
      const { kind, role } = exchange.sender;
      const isServed = kind === 'key' && servedRoles.some((served) => served === role);
      const isAsked = exchange.request.tool === 'credits.balance' && isProper(exchange);
      return isServed && isAsked && (isSuccess(exchange) || isKeyRefused(exchange));
    },
    answers: [success],
    hint: ({ sender }) => `Accept the key in the role '${sender.role}': check whether the key is still valid.`,
  }),
  same(
    'authentication.uniform-across-tools',
    'The server MUST return the same 401 response for every tool.',
    ['absent'],
    'other tool',
  ),
  likeAbsent('unknown', 'an unknown key', 'unknown'),
  likeAbsent('other-scheme', 'a credential of another scheme', 'other-scheme'),
  likeAbsent('near-misses', 'a key that nearly matches a valid key', 'longer', 'shorter', 'other-case'),
  likeAbsent('revoked', 'a revoked key', 'revoked'),
  likeAbsent('expired', 'an expired key', 'expired'),
];

const source = 'Authentication, 4; Errors, 403';

const closed: readonly (readonly [name: string, role: ClosedRole, when: string, what: string])[] = [
  [
    'without-access',
    'withoutAccess',
    'if the holder of the key lacks `api.access`',
    "the holder's capability api.access",
  ],
  ['account-switch', 'accountSwitchOff', 'while the API switch of the account is off', "the account's API switch"],
  ['platform-switch', 'platformSwitchOff', 'while the API switch of the platform is off', "the platform's API switch"],
];

export const closedSurfaces: readonly Step[] = closed.map(([name, role, when, what]) => ({
  id: `surface.${name}-refused`,
  must: `The server MUST return 403 for every tool ${when}.`,
  source,
  severity: 'security',
  when: { who: [role], tool: toolNames, body: ['object', 'omitted'] },
  answers: [failure(403)],
  hint: ({ request }) => `Check ${what} on every request, on ${request.tool} too.`,
}));

/** Returns one response of the same tool per other role with a closed API, if this response closes the API. */
function toOthers(exchange: Completed, seen: Seen): Completed[] {
  const { sender, request, response } = exchange;
  const isClosed = sender.kind === 'key' && closedRoles.some((role) => role === sender.role);
  if (!isClosed || !isProper(exchange) || response.status !== 403) return [];
  const isToSameTool = (role: ClosedRole) => (other: Completed) =>
    other.sender.role === role && other.request.tool === request.tool;
  return closedRoles
    .filter((role) => role !== sender.role)
    .flatMap((role) => seen.byReason.first(groupOf(exchange), isToSameTool(role)) ?? []);
}

const codeOf = ({ response }: Completed) => member(response.json, 'error', 'code');

/** Comparisons between closed surfaces. */
export const surfaces: readonly Rule[] = [
  row('surface.codes-tell-causes-apart', {
    must: 'The server MUST send a different code for each cause of a 403.',
    source,
    applies: (exchange, seen) => {
      const others = toOthers(exchange, seen);
      return others.length > 0 && others;
    },
    expect: (exchange, others) => {
      const same = others.find((other) => codeOf(other) === codeOf(exchange));
      if (same === undefined) return undefined;
      return {
        at: { member: ['error', 'code'] },
        got: codeOf(exchange),
        expected: `a different error code for each cause, on ${exchange.request.tool} too`,
        actual: `error code ${brief(codeOf(exchange))} for ${same.sender.label} and for ${exchange.sender.label}`,
        exchanges: [same, exchange],
      };
    },
    hint: 'Use different error codes for the platform switch, the account switch and the missing capability.',
  }),
];
