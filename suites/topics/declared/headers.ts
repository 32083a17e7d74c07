import { type RefusalRow, refusals } from '../../../fixtures/contract/codes.ts';
import {
  type HeaderRow,
  isOn,
  responseHeaders,
  headers as rows,
  statuses,
} from '../../../fixtures/contract/headers.ts';
import { must, type Requirement } from '../../../fixtures/requirements/model.ts';
import type { KitFinding } from '../../expectations/finding.ts';
import { promisedBy } from '../../expectations/promises.ts';
import { carries } from '../../expectations/responses.ts';
import { type KitJudging, type Rule, rule, type Twin } from '../../expectations/rule.ts';
import { body, type Completed, header, isRefusal, isSuccess } from '../../history/exchange.ts';
import { isOutcomeStatus } from '../../outcome-status.ts';
import { isToolRequest, knowsHeaders } from '../../situations/scope.ts';
import type { Seen } from '../../situations/seen.ts';

const toolError = responseHeaders.toolError;

const declined = 'Send false: the tool ran and declined by its own rule.';

/** Returns the status whose header rules apply: 200 for every 2xx. */
const ruledStatus = (status: number): number => (isOutcomeStatus(status) ? 200 : status);

/** Builds the rules of a header that does not depend on the outcome. */
export function headerRules(row: HeaderRow): Rule[] {
  const { slug, name, source = `Response headers, ${name}`, severity } = row;
  if (slug === undefined) return [];
  return statuses
    .filter((status) => isOn(row, status))
    .map((status) => {
      const statement = `The server MUST send ${inWords(row)} with every ${status} response.`;
      return rule(must(`headers.${slug}-on-${status}`, statement, source, severity), {
        everyResponse: true,
        applies: (exchange, seen) =>
          knowsHeaders(exchange, seen) && isToolRequest(exchange) && ruledStatus(exchange.response.status) === status,
        expect: (exchange) => {
          const hint = `Set ${name} before the step that responds with ${status}, for every tool.`;
          return carriesValue(exchange, row, hint);
        },
      });
    });
}

/** Describes the header and value that a row requires. */
function inWords({ name, value }: HeaderRow): string {
  if (typeof value === 'string') return value === 'text' ? `a non-empty \`${name}\`` : `\`${name}\``;
  if ('constant' in value) return `\`${name}: ${value.constant}\``;
  return `\`${name}\`, a whole number of at least ${value.least},`;
}

/** Expects the header with a value that the row allows. */
function carriesValue(exchange: Completed, { name, value }: HeaderRow, hint: string): KitFinding | undefined {
  if (typeof value === 'object' && 'constant' in value) return carries(exchange, name, value.constant, hint);
  const sent = header(exchange, name);
  const isWhole = typeof value !== 'object' || (/^\d+$/.test(sent ?? '') && Number(sent) >= value.least);
  if (sent !== undefined && sent.trim() !== '' && isWhole) return undefined;
  return {
    expected: typeof value === 'object' ? `${name}: a whole number of at least ${value.least}` : `${name}: any text`,
    actual: sent === undefined ? `no header ${name}` : `${name}: ${sent}`,
    hint,
  };
}

/** Twin: any success of the key in the named workspace, which excludes the workspace as the cause of the refusal. */
function reached({ sender, request }: Completed, seen: Seen): Twin {
  const workspace = request.args?.workspace;
  const reached = sender.role === null ? undefined : seen.places.reached(sender.role);
  const succeeded = workspace === undefined || (typeof workspace === 'string' && reached?.has(workspace) === true);
  return { succeeded, promisedBy: promisedBy('schedule.read') };
}

function toolErrorOn(requirement: Requirement, parts: KitJudging): Rule {
  return rule(requirement, {
    judgesRefusals: true,
    ...parts,
    applies: (exchange, seen) => knowsHeaders(exchange, seen) && parts.applies(exchange, seen),
  });
}

/** Expects the header with either value. */
function carriesEither(exchange: Completed, hint: string): KitFinding | undefined {
  const value = header(exchange, toolError);
  if (value === 'true' || value === 'false') return undefined;
  return {
    expected: `${toolError}: true or false`,
    actual: value === undefined ? `no header ${toolError}` : `${toolError}: ${value}`,
    hint,
  };
}

/** Codes with a requirement of their own. */
const ruledCodes: readonly unknown[] = refusals.map(({ code }) => code);

/** Builds the rule that the header says which step refused the request, as the code determines. */
export function toolErrorRule({ code, slug, toolError: value }: RefusalRow): Rule {
  const either = 'Send true if a boundary step refuses the arguments, false if the tool itself does.';
  const refused = 'Send true: the workspace is resolved before any tool runs.';
  const sent = value === 'either' ? `\`${toolError}\`, \`true\` or \`false\`,` : `\`${toolError}: ${value}\``;
  const statement = `The server MUST send ${sent} with \`${code}\`.`;
  return toolErrorOn(must(`headers.tool-error-on-${slug}`, statement, `Response headers, ${toolError}`), {
    applies: (exchange) => isRefusal(exchange, code),
    ...(value === 'false' ? { twin: reached } : {}),
    expect: (exchange) => {
      if (value === 'either') return carriesEither(exchange, either);
      return carries(exchange, toolError, value, value === 'true' ? refused : declined);
    },
  });
}

/** Whether a request names an unknown item in an accessible workspace, so that the library itself declines. */
function asksForNoItem(exchange: Completed, seen: Seen): boolean {
  const { request, invented } = exchange;
  return request.tool === 'library.get' && invented.join() === 'id' && reached(exchange, seen).succeeded;
}

export const headers: readonly Rule[] = [
  ...rows.flatMap(headerRules),
  ...refusals.map(toolErrorRule),
  toolErrorOn(
    must(
      'headers.tool-error-on-other-refusals',
      `The server MUST send \`${responseHeaders.toolError}\` with refusals that have an undocumented code: ` +
        '`false` if the tool itself declined.',
      `Response headers, ${responseHeaders.toolError}`,
    ),
    {
      applies: (exchange) => isRefusal(exchange) && !ruledCodes.includes(body(exchange).code),
      expect: (exchange, seen) =>
        asksForNoItem(exchange, seen)
          ? carries(exchange, toolError, 'false', declined)
          : carriesEither(
              exchange,
              'Send the header with every refusal: true if the boundary refused, false if the tool itself declined.',
            ),
    },
  ),
  toolErrorOn(
    must(
      'headers.tool-error-on-success',
      `The server MUST NOT send \`${responseHeaders.toolError}: true\` with a successful result.`,
      `Response headers, ${responseHeaders.toolError}`,
    ),
    {
      applies: isSuccess,
      expect: (exchange) => {
        const value = header(exchange, toolError);
        if (value === undefined || value === 'false') return undefined;
        return {
          expected: `${toolError} absent or false`,
          actual: `${toolError}: ${value}`,
          hint: 'Omit the header from a successful result: the header marks refusals.',
        };
      },
    },
  ),
];
