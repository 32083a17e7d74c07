import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { body, type Completed, header, isRefusal, isSuccess } from '../history/exchange.ts';
import type { Finding } from './finding.ts';
import { carries } from './match/responses.ts';
import { isToolRequest, knowsHeaders } from './match/scope.ts';
import { promisedBy } from './promises.ts';
import { type Rule, rule, type Twin } from './rule.ts';
import type { Seen } from './seen/seen.ts';

const toolError = 'x-service-tool-error';

const declined = 'Send false: the tool ran and declined by its own rule.';

/** While the API is in beta, a response of this status says so. */
function betaOn(status: 200 | 400 | 401 | 403 | 404 | 429): Rule {
  return rule(`headers.beta-on-${status}`, {
    everyResponse: true,
    applies: (exchange, seen) =>
      knowsHeaders(exchange, seen) && isToolRequest(exchange) && exchange.response.status === status,
    expect: (exchange) => {
      const hint = `Set x-service-api before the step that responds with ${status}, on every path of a tool.`;
      return carries(exchange, 'x-service-api', 'beta', hint);
    },
  });
}

/** The key was served in the workspace that the request names, so that whatever refused it was not its resolution. */
function reached({ sender, request }: Completed, seen: Seen): Twin {
  const named = request.args?.workspace;
  const reached = sender.role === null ? undefined : seen.places.reached(sender.role);
  const succeeded = named === undefined || (typeof named === 'string' && reached?.has(named) === true);
  return { succeeded, promisedBy: promisedBy('schedule.read') };
}

function toolErrorOn(id: RequirementId, parts: Omit<Rule, 'id'>): Rule {
  return rule(id, {
    ...parts,
    applies: (exchange, seen) => knowsHeaders(exchange, seen) && parts.applies(exchange, seen),
  });
}

/** A refusal carries the header, with either value. */
function carriesEither(exchange: Completed, hint: string): Finding | undefined {
  const value = header(exchange, toolError);
  if (value === 'true' || value === 'false') return undefined;
  return {
    expected: `${toolError}: true or false`,
    actual: value === undefined ? `no header ${toolError}` : `${toolError}: ${value}`,
    hint,
    exchanges: [exchange],
  };
}

/** Refusals with codes that have a requirement of their own. */
const ruledCodes: readonly unknown[] = [
  'invalid_arguments',
  'workspace_ambiguous',
  'confirmation_invalid',
  'board_not_found',
];

/** An item that nobody has, in a place that the key reaches: the library itself declines. */
function asksForNoItem(exchange: Completed, seen: Seen): boolean {
  const { request, invented } = exchange;
  return request.tool === 'library.get' && invented.join() === 'id' && reached(exchange, seen).succeeded;
}

/** What the headers of a response say. */
export const headers: readonly Rule[] = [
  ...([200, 400, 401, 403, 404, 429] as const).map(betaOn),
  toolErrorOn('headers.tool-error-on-ambiguous', {
    applies: (exchange) => isRefusal(exchange, 'workspace_ambiguous'),
    expect: (exchange) =>
      carries(exchange, toolError, 'true', 'Send true: the workspace is resolved before any tool runs.'),
  }),
  toolErrorOn('headers.tool-error-on-confirmation-invalid', {
    applies: (exchange) => isRefusal(exchange, 'confirmation_invalid'),
    twin: reached,
    expect: (exchange) => carries(exchange, toolError, 'false', declined),
  }),
  toolErrorOn('headers.tool-error-on-board-not-found', {
    applies: (exchange) => isRefusal(exchange, 'board_not_found'),
    twin: reached,
    expect: (exchange) => carries(exchange, toolError, 'false', declined),
  }),
  toolErrorOn('headers.tool-error-on-invalid-arguments', {
    applies: (exchange) => isRefusal(exchange, 'invalid_arguments'),
    expect: (exchange) =>
      carriesEither(exchange, 'Send true if a boundary step refuses the arguments, false if the tool itself does.'),
  }),
  toolErrorOn('headers.tool-error-on-other-refusals', {
    applies: (exchange) => isRefusal(exchange) && !ruledCodes.includes(body(exchange).code),
    expect: (exchange, seen) =>
      asksForNoItem(exchange, seen)
        ? carries(exchange, toolError, 'false', declined)
        : carriesEither(
            exchange,
            'Send the header with every refusal: true if the boundary refused, false if the tool itself declined.',
          ),
  }),
  toolErrorOn('headers.tool-error-on-success', {
    applies: isSuccess,
    expect: (exchange) => {
      const value = header(exchange, toolError);
      if (value === undefined || value === 'false') return undefined;
      return {
        expected: `${toolError} absent or false`,
        actual: `${toolError}: ${value}`,
        hint: 'Omit the header from a result: it marks refusals.',
        exchanges: [exchange],
      };
    },
  }),
];
