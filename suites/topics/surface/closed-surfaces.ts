import { isToolName, toolNames } from '../../../fixtures/contract/tools.ts';
import { must, type RequirementId } from '../../../fixtures/requirements/model.ts';
import { type ClosedRole, closedRoles } from '../../../fixtures/roles.ts';
import { boundaryError } from '../../expectations/responses.ts';
import { type Rule, rule } from '../../expectations/rule.ts';
import type { Completed } from '../../history/exchange.ts';
import { brief, member } from '../../json.ts';
import { effectOf } from '../../session/call.ts';
import { bearer, localAddress } from '../../session/credentials.ts';
import { closedGroup } from '../../situations/reasons.ts';
import { hasObjectOrNoBody } from '../../situations/scope.ts';
import type { Seen } from '../../situations/seen.ts';
import { witnessesOf } from '../declared/row-witnesses.ts';
import { story } from '../story.ts';

/** Returns the role of the sender if its API is closed. Returns undefined for unknown tools and malformed bodies. */
function closedRole(exchange: Completed): ClosedRole | undefined {
  const { sender, request } = exchange;
  if (sender.kind !== 'key' || !isToolName(request.tool ?? '') || !hasObjectOrNoBody(exchange)) return undefined;
  return closedRoles.find((role) => role === sender.role);
}

function closed(id: RequirementId, role: ClosedRole, when: string, what: string): Rule {
  const statement = `The server MUST return 403 for every tool ${when}.`;
  return rule(must(id, statement, 'Authentication, 4; Errors, 403', 'security'), {
    applies: (exchange) => closedRole(exchange) === role,
    expect: (exchange) =>
      boundaryError(exchange, 403, undefined, `Check ${what} on every request, on ${exchange.request.tool} too.`),
  });
}

/** Returns one response of the tool per other role with a closed API. */
function toOthers(exchange: Completed, seen: Seen): Completed[] {
  return closedRoles
    .filter((role) => role !== closedRole(exchange))
    .flatMap((role) => seen.byReason.of(closedGroup, `${role} ${exchange.request.tool}`).slice(0, 1));
}

const codeOf = ({ response }: Completed) => member(response.json, 'error', 'code');

/**
 * Sends requests to every tool with keys whose API is closed. Leaves out tools with side effects that the run does not
 * allow.
 */
export const closedSurfaces = story('closed surfaces', {
  needs: { roles: [] },
  steps: async (t) => {
    for (const as of closedRoles) {
      await t.part(async () => {
        const credential = bearer(t.key(as));
        const tools = toolNames.filter((tool) => {
          const effect = effectOf({ tool, credential });
          return effect === undefined || t.target.allow.includes(effect);
        });
        const requests = tools.map((tool) => ({ tool, args: {}, as }));
        await t.sendInParallel('call every tool', requests);
        // A server may resolve a named workspace, or trust a local address, on a code path without the check.
        const named = { tool: 'schedule.read', args: t.here(), as };
        await t.send('request a workspace from a local address', { ...named, headers: localAddress });
      });
    }
  },
  requirements: [
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
    rule(
      must(
        'surface.codes-tell-causes-apart',
        'The server MUST send a different code for each cause of a 403.',
        'Authentication, 4; Errors, 403',
      ),
      {
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
      },
    ),
  ],
  alsoTests: [...witnessesOf(403)],
});
