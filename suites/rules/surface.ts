import { isToolName } from '../../fixtures/contract/tools.ts';
import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { type ClosedRole, closedRoles } from '../../fixtures/roles.ts';
import type { Completed } from '../history/exchange.ts';
import { brief, member } from '../json.ts';
import { boundaryError } from './match/responses.ts';
import { isProperRequest } from './match/scope.ts';
import { type Rule, rule } from './rule.ts';
import { closedGroup } from './seen/causes.ts';
import type { Seen } from './seen/seen.ts';

/** The role of a key whose API is closed, where it asks a tool as the specification describes. */
function closedRole(exchange: Completed): ClosedRole | undefined {
  const { sender, request } = exchange;
  if (sender.kind !== 'key' || !isToolName(request.tool ?? '') || !isProperRequest(exchange)) return undefined;
  return closedRoles.find((role) => role === sender.role);
}

function closed(id: RequirementId, role: ClosedRole, hint: string): Rule {
  return rule(id, {
    applies: (exchange) => closedRole(exchange) === role,
    expect: (exchange) => boundaryError(exchange, 403, undefined, `${hint}, on ${exchange.request.tool} too.`),
  });
}

/** The responses of one tool to the other keys whose API is closed. */
function toOthers(exchange: Completed, seen: Seen): Completed[] {
  return closedRoles
    .filter((role) => role !== closedRole(exchange))
    .flatMap((role) => seen.byCause.of(closedGroup, `${role} ${exchange.request.tool}`).slice(0, 1));
}

const codeOf = ({ response }: Completed) => member(response.json, 'error', 'code');

/** Keys that are good but whose API is closed. */
export const surface: readonly Rule[] = [
  closed(
    'surface.without-access-refused',
    'withoutAccess',
    'Check the capability api.access of the holder on every request',
  ),
  closed('surface.account-switch-refused', 'accountSwitchOff', "Check the account's API switch on every request"),
  closed('surface.platform-switch-refused', 'platformSwitchOff', "Check the platform's API switch on every request"),
  rule('surface.codes-tell-causes-apart', {
    applies: (exchange, seen) =>
      closedRole(exchange) !== undefined && exchange.response.status === 403 && toOthers(exchange, seen).length > 0,
    expect: (exchange, seen) => {
      const same = toOthers(exchange, seen).find((other) => codeOf(other) === codeOf(exchange));
      if (same === undefined) return undefined;
      return {
        expected: `a different error code for each cause, on ${exchange.request.tool} too`,
        actual: `error code ${brief(codeOf(exchange))} for ${same.sender.label} and for ${exchange.sender.label}`,
        hint: 'Use different error codes for the platform switch, the account switch and the missing capability.',
        exchanges: [same, exchange],
      };
    },
  }),
];
