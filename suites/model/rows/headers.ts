import { type BoundaryRow, boundaryErrors, type RefusalRow, refusals } from '../../../fixtures/contract/codes.ts';
import {
  headers as contract,
  type HeaderRow,
  isOn,
  responseHeaders,
  statuses,
} from '../../../fixtures/contract/headers.ts';
import { body, type Completed, isOutcomeStatus, isRefusal, isSuccess } from '../../exchange/exchange.ts';
import type { Answers, Want } from '../answers.ts';
import { type Control, promisedBy, type Rule, row } from '../rule.ts';
import { isToolRequest, knowsHeaders } from '../world/scope.ts';
import type { Seen } from '../world/seen.ts';

const toolError = responseHeaders.toolError;
const source = `Response headers, ${toolError}`;

const sends = (...values: readonly (string | undefined)[]): Answers => [
  { at: { header: toolError }, want: { oneOf: values } },
];
const either = sends('true', 'false');

/** Returns the status whose header rows apply: 200 for every 2xx. */
const ruledStatus = (status: number): number => (isOutcomeStatus(status) ? 200 : status);

/** Returns the rows of a header that does not depend on the outcome. */
function headerRows({ slug, name, value, severity, ...header }: HeaderRow): Rule[] {
  if (slug === undefined || value === 'by-outcome') return [];
  const [want, words] = wanted(name, value);
  return statuses
    .filter((status) => isOn(header, status))
    .map((status) =>
      row(`headers.${slug}-on-${status}`, {
        must: `The server MUST send ${words} with every ${status} response.`,
        source: header.source ?? `Response headers, ${name}`,
        severity,
        judges: 'every response',
        applies: (exchange, seen) =>
          knowsHeaders(exchange, seen) && isToolRequest(exchange) && ruledStatus(exchange.response.status) === status,
        answers: [{ at: { header: name }, want }],
        hint: `Set ${name} before the step that responds with ${status}, for every tool.`,
      }),
    );
}

function wanted(name: string, value: Exclude<HeaderRow['value'], 'by-outcome'>): readonly [Want, string] {
  if (value === 'text') return ['text', `a non-empty \`${name}\``];
  if ('constant' in value) return [{ oneOf: [value.constant] }, `\`${name}: ${value.constant}\``];
  return [{ least: value.least }, `\`${name}\`, a whole number of at least ${value.least},`];
}

/** Control: any success of the key in the named workspace, which excludes the workspace as the cause of the refusal. */
function reached({ sender, request }: Completed, seen: Seen): Control {
  const workspace = request.args?.workspace;
  const reached = sender.role === null ? undefined : seen.places.reached(sender.role);
  const isReached = workspace === undefined || (typeof workspace === 'string' && reached?.has(workspace) === true);
  return isReached || promisedBy('schedule.read');
}

const hints = {
  either: 'Send true if a boundary step refuses the arguments, false if the tool itself does.',
  true: 'Send true: the workspace is resolved before any tool runs.',
  false: 'Send false: the tool ran and declined by its own rule.',
};

/** Returns the row that the header says which step refused the request, as the code determines. */
function toolErrorRow({ code, slug, toolError: value }: RefusalRow): Rule {
  const sent = value === 'either' ? `\`${toolError}\`, \`true\` or \`false\`,` : `\`${toolError}: ${value}\``;
  return row(`headers.tool-error-on-${slug}`, {
    must: `The server MUST send ${sent} with \`${code}\`.`,
    source,
    applies: (exchange, seen) => knowsHeaders(exchange, seen) && isRefusal(exchange, code),
    ...(value === 'false' ? { control: reached } : {}),
    answers: value === 'either' ? either : sends(value),
    hint: hints[value],
  });
}

/** Codes with a requirement of their own. */
const ruledCodes: readonly unknown[] = refusals.map(({ code }) => code);

/** Whether a request names an unknown item in an accessible workspace, so that the library itself declines. */
function asksForNoItem(exchange: Completed, seen: Seen): boolean {
  const { request, invented } = exchange;
  return request.tool === 'library.get' && invented.join() === 'id' && reached(exchange, seen) === true;
}

export const headers: readonly Rule[] = [
  ...contract.flatMap(headerRows),
  ...refusals.map(toolErrorRow),
  row('headers.tool-error-on-other-refusals', {
    must:
      `The server MUST send \`${toolError}\` with refusals that have an undocumented code: ` +
      '`false` if the tool itself declined.',
    source,
    applies: (exchange, seen) =>
      knowsHeaders(exchange, seen) && isRefusal(exchange) && !ruledCodes.includes(body(exchange).code),
    answers: (exchange, seen) => (asksForNoItem(exchange, seen) ? sends('false') : either),
    hint: 'Send the header with every refusal: true if the boundary refused, false if the tool itself declined.',
  }),
  row('headers.tool-error-on-success', {
    must: `The server MUST NOT send \`${toolError}: true\` with a successful result.`,
    source,
    applies: (exchange, seen) => knowsHeaders(exchange, seen) && isSuccess(exchange),
    answers: sends('false', undefined),
    hint: 'Omit the header from a successful result: the header marks refusals.',
  }),
];

/** Returns the row on the code of every response with a status, if the specification defines that code. */
function codeRows({ status, code, fixed, requirement, role }: BoundaryRow): Rule[] {
  if (!fixed || requirement === undefined) return [];
  const whom = role === undefined ? '' : ` for a key with the role \`${role}\``;
  return [
    row(requirement, {
      must: `The server MUST send the code \`${code}\` with every ${status}${whom}.`,
      source: `Errors, ${status}`,
      judges: 'every response',
      applies: (exchange) =>
        exchange.response.status === status &&
        isToolRequest(exchange) &&
        !exchange.odd &&
        exchange.response.unread === undefined &&
        (role === undefined || exchange.sender.role === role),
      answers: [{ at: { member: ['error', 'code'] }, want: { oneOf: [code] } }],
      hint: `Send the code ${code} with every ${status}.`,
    }),
  ];
}

export const codes: readonly Rule[] = boundaryErrors.flatMap(codeRows);
