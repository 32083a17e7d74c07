import { toolNames } from '../../../fixtures/contract/tools.ts';
import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import { type ClosedRole, closedRoles } from '../../../fixtures/roles.ts';
import type { Completed } from '../../exchange/exchange.ts';
import { brief, member } from '../../json.ts';
import { failure } from '../answers.ts';
import type { Step } from '../row.ts';
import { row } from '../row.ts';
import type { Rule } from '../rule.ts';
import { situationOf } from '../situation.ts';
import { closedGroup } from '../world/reasons.ts';
import type { Seen } from '../world/seen.ts';

const source = 'Authentication, 4; Errors, 403';

function closed(id: RequirementId, role: ClosedRole, when: string, what: string): Step {
  return {
    id,
    must: `The server MUST return 403 for every tool ${when}.`,
    source,
    severity: 'security',
    when: { who: [role], tool: toolNames, body: ['object', 'omitted'] },
    answers: [failure(403)],
    hint: ({ request }) => `Check ${what} on every request, on ${request.tool} too.`,
  };
}

export const closedSurfaces: readonly Step[] = [
  closed(
    'surface.without-access-refused',
    'withoutAccess',
    'if the holder of the key lacks `api.access`',
    'the capability api.access of the holder',
  ),
  closed(
    'surface.account-switch-refused',
    'accountSwitchOff',
    'while the API switch of the account is off',
    "the account's API switch",
  ),
  closed(
    'surface.platform-switch-refused',
    'platformSwitchOff',
    'while the API switch of the platform is off',
    "the platform's API switch",
  ),
];

/** Returns one response of the same tool per other role with a closed API, if this response closes the API. */
function toOthers(exchange: Completed, seen: Seen): Completed[] {
  const { who, tool, body } = situationOf(exchange) ?? {};
  const isClosed = closedSurfaces.some(({ when }) => who !== undefined && when.who.includes(who));
  const isProper = toolNames.some((name) => name === tool) && (body === 'object' || body === 'omitted');
  if (!isClosed || !isProper || exchange.response.status !== 403) return [];
  return closedRoles
    .filter((role) => role !== who)
    .flatMap((role) => seen.byReason.of(closedGroup, `${role} ${tool}`).slice(0, 1));
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
        hint: 'Use different error codes for the platform switch, the account switch and the missing capability.',
        exchanges: [same, exchange],
      };
    },
  }),
];
