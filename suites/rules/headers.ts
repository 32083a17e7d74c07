import { type RefusalRow, refusals } from '../../fixtures/contract/codes.ts';
import { type HeaderRow, isOn, responseHeaders, headers as rows, statuses } from '../../fixtures/contract/headers.ts';
import { type RequirementId, requirementId } from '../../fixtures/requirements/index.ts';
import { body, type Completed, header, isRefusal, isSuccess } from '../history/exchange.ts';
import { isOutcomeStatus } from '../outcome-status.ts';
import type { Finding } from './finding.ts';
import { carries } from './match/responses.ts';
import { isToolRequest, knowsHeaders } from './match/scope.ts';
import { promisedBy } from './promises.ts';
import { type Rule, rule, type Twin } from './rule.ts';
import type { Seen } from './seen/seen.ts';

const toolError = responseHeaders.toolError;

const declined = 'Send false: the tool ran and declined by its own rule.';

/** The status whose headers a response carries: every 2xx is judged as if it were 200. */
const ruledStatus = (status: number): number => (isOutcomeStatus(status) ? 200 : status);

/** The rules of a header that responses carry whatever their outcome is. */
export function headerRules(row: HeaderRow): Rule[] {
  const { slug, name } = row;
  if (slug === undefined) return [];
  return statuses
    .filter((status) => isOn(row, status))
    .map((status) => ({
      id: requirementId(`headers.${slug}-on-${status}`),
      everyResponse: true,
      applies: (exchange, seen) =>
        knowsHeaders(exchange, seen) && isToolRequest(exchange) && ruledStatus(exchange.response.status) === status,
      expect: (exchange) => {
        const hint = `Set ${name} before the step that responds with ${status}, on every path of a tool.`;
        return carriesValue(exchange, row, hint);
      },
    }));
}

/** A response carries the header, with a value that the row allows. */
function carriesValue(exchange: Completed, { name, value }: HeaderRow, hint: string): Finding | undefined {
  if (typeof value === 'object' && 'constant' in value) return carries(exchange, name, value.constant, hint);
  const sent = header(exchange, name);
  const isWhole = typeof value !== 'object' || (/^\d+$/.test(sent ?? '') && Number(sent) >= value.least);
  if (sent !== undefined && sent.trim() !== '' && isWhole) return undefined;
  return {
    expected: typeof value === 'object' ? `${name}: a whole number of at least ${value.least}` : `${name}: any text`,
    actual: sent === undefined ? `no header ${name}` : `${name}: ${sent}`,
    hint,
    exchanges: [exchange],
  };
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
    judgesRefusals: true,
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
const ruledCodes: readonly unknown[] = refusals.map(({ code }) => code);

/** Who refused, by the code. */
export function toolErrorRule({ code, slug, toolError: value }: RefusalRow): Rule {
  const either = 'Send true if a boundary step refuses the arguments, false if the tool itself does.';
  const refused = 'Send true: the workspace is resolved before any tool runs.';
  return toolErrorOn(requirementId(`headers.tool-error-on-${slug}`), {
    applies: (exchange) => isRefusal(exchange, code),
    ...(value === 'false' ? { twin: reached } : {}),
    expect: (exchange) => {
      if (value === 'either') return carriesEither(exchange, either);
      return carries(exchange, toolError, value, value === 'true' ? refused : declined);
    },
  });
}

/** An item that nobody has, in a place that the key reaches: the library itself declines. */
function asksForNoItem(exchange: Completed, seen: Seen): boolean {
  const { request, invented } = exchange;
  return request.tool === 'library.get' && invented.join() === 'id' && reached(exchange, seen).succeeded;
}

/** What the headers of a response say. */
export const headers: readonly Rule[] = [
  ...rows.flatMap(headerRules),
  ...refusals.map(toolErrorRule),
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
