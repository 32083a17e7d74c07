import { statuses } from '../../../fixtures/contract/headers.ts';
import { requirementOf } from '../../../fixtures/requirements/model.ts';
import { body, type Completed, header, isCompleted, isOutcomeStatus, isRefusal } from '../../exchange/exchange.ts';
import { isRecord, member } from '../../json.ts';
import { type Answers, check, has, holds } from '../answers.ts';
import { describe, outcomeOf } from '../outcome.ts';
import { type Rule, row } from '../rule.ts';
import { isToolRequest } from '../world/scope.ts';
import { mustBeAnswered, oddityOf } from '../world/violations.ts';

const described: readonly number[] = statuses;

const isOrdinary = (exchange: Completed) => isToolRequest(exchange) && !exchange.odd;

const isWhole = ({ response }: Completed) => response.unread === undefined;

const isOutcome = (exchange: Completed) => isOrdinary(exchange) && isOutcomeStatus(exchange.response.status);

const isBoundary = (exchange: Completed) => {
  const { status } = exchange.response;
  return isOrdinary(exchange) && !isOutcomeStatus(status) && described.includes(status);
};

/** Allows `application/json`, with any parameters. A recording without headers may have no content type. */
function jsonType(exchange: Completed): Answers {
  const type = header(exchange, 'content-type');
  const isJson = type === undefined ? exchange.response.stripped === true : /^application\/json *(;|$)/i.test(type);
  return isJson ? [] : [{ at: { header: 'content-type' }, want: { oneOf: ['application/json'] } }];
}

const typeHint = 'Send every response of the tools as application/json. Parameters such as charset are allowed.';

const refusalHint = 'Send a refusal as {ok: false, code, message}: the code for programs, the message for a person.';

/** The members of a refusal in the published schema: what the server must send, and what to change. */
const refusalMembers = [
  ['code', 'The server MUST send a non-empty string `code` with every refusal.', refusalHint],
  ['message', 'The server MUST send a non-empty string `message` with every refusal.', refusalHint],
  [
    'issues',
    'If a refusal has `issues`, the server MUST send an array of objects with the strings `path` and `message`.',
    'Send each issue as an object with two strings; join a path that a validator gives as an array.',
  ],
  [
    'workspaces',
    'If a refusal has `workspaces`, the server MUST send them as an array of strings.',
    'Send an array with each slug as a string of its own: no text with commas, and no objects.',
  ],
] as const;

const refusalRows: readonly Rule[] = refusalMembers.map(([name, must, hint]) =>
  row(`envelopes.refusal-${name}`, {
    must,
    source: 'Error envelopes, tool refusal',
    applies: (exchange) =>
      isRefusal(exchange) && (name === 'code' || name === 'message' || body(exchange)[name] !== undefined),
    answers: [has(name, { fits: 'Refusal' })],
    hint,
  }),
);

/** The only requirement on requests without a response. */
const answersEveryRequest: Rule = {
  id: 'envelopes.answers-every-request',
  requirement: requirementOf('envelopes.answers-every-request', {
    must: 'The server MUST return a response to every valid request.',
    source: 'Endpoints; Errors',
  }),
  judge(exchange) {
    const { request, closedInARow } = exchange;
    if (isCompleted(exchange)) return mustBeAnswered(exchange) ? null : undefined;
    if (closedInARow === undefined) return undefined;
    return {
      at: 'exchanges',
      expected: `a response of ${request.tool}`,
      actual: `${closedInARow} new connections in a row closed without a response`,
      hint: `Look for a crash in ${request.tool}: the server responds to other requests.`,
      exchanges: [exchange],
    };
  },
};

/** Forms of results and refusals. */
export const outcomes: readonly Rule[] = [
  row('envelopes.json-200', {
    must: 'The server MUST send every tool result as an `application/json` object.',
    source: 'Endpoints, first paragraph',
    judges: 'every response',
    // The content type can show that an unread body is not JSON.
    applies: (exchange) => isOutcome(exchange) && (isWhole(exchange) || jsonType(exchange).length > 0),
    expect: (exchange) =>
      check(jsonType(exchange), exchange) ??
      (!isRecord(exchange.response.json) && { expected: 'a JSON object as body' }),
    hint: (_, { at }) => (at === 'response' ? 'Send one JSON object as the body.' : typeHint),
  }),
  row('envelopes.ok-boolean', {
    must: 'The server MUST send the boolean `ok` in every 200 response.',
    source: 'What the service does, rule 5',
    applies: (exchange) => isOutcome(exchange) && isRecord(exchange.response.json),
    answers: [has('ok', { type: 'boolean' })],
    hint: 'Send ok as true or false in every 200 response: clients decide only by ok.',
  }),
  row('envelopes.outcome-is-200', {
    must: 'The server MUST return status 200 both if a tool ran and if the tool declined.',
    source: 'What the service does, rule 5',
    judges: 'every response',
    applies: (exchange) => isOutcome(exchange) || (isOrdinary(exchange) && typeof body(exchange).ok === 'boolean'),
    expect: ({ response }) => response.status !== 200 && { expected: 'HTTP 200 for a tool that ran or declined' },
    hint: 'Send results and refusals of tools with status 200: clients decide by ok.',
  }),
  row('envelopes.described-status', {
    must: 'The server MUST return one of the statuses 200, 400, 401, 403, 404 and 429.',
    source: 'What the service does, rule 5; Errors, boundary errors',
    judges: 'every response',
    applies: (exchange) => isOrdinary(exchange) && exchange.response.status < 500,
    // Another requirement covers 2xx other than 200.
    expect: ({ response: { status } }) =>
      !described.includes(status) &&
      !isOutcomeStatus(status) && { expected: `one of the statuses ${statuses.join(', ')}` },
    hint: 'Return one of these statuses. Look for a redirect or a gateway: the kit does not follow redirects.',
  }),
  row('envelopes.no-server-error', {
    must: 'The server MUST NOT return a 5xx status.',
    source: 'Errors',
    judges: 'every response',
    // Other methods are observed, whatever the response.
    applies: ({ request }) => request.method === 'POST',
    expect: (exchange) => {
      if (exchange.response.status < 500) return undefined;
      const below = { want: { below: 500 }, expected: 'a status below 500' };
      const oddity = oddityOf(exchange.request);
      if (oddity === undefined) return below;
      const got = { ...outcomeOf(exchange), for: oddity };
      return { ...below, got, actual: `${describe(exchange)} for ${oddity}` };
    },
    hint: 'Find the unhandled error of this request: the specification describes a response even to bad input.',
  }),
  answersEveryRequest,
  ...refusalRows,
];

const isCoded = (error: unknown) =>
  isRecord(error) && typeof error.code === 'string' && error.code !== '' && typeof error.message === 'string';

const errorKeys = ['code', 'message', 'retry_after_seconds'];

/** Forms of error responses. */
export const errors: readonly Rule[] = [
  row('envelopes.json-4xx', {
    must: 'The server MUST send every 4xx response as `application/json`.',
    source: 'Endpoints, first paragraph',
    judges: 'every response',
    applies: isBoundary,
    answers: jsonType,
    hint: typeHint,
  }),
  row('envelopes.boundary-error', {
    must: 'The server MUST send an object `error` with the strings `code` and `message` in every 4xx response.',
    source: 'Error envelopes, boundary error',
    judges: 'every response',
    // `envelopes.outcome-is-200` covers tool results with a wrong status.
    applies: (exchange) => isBoundary(exchange) && isWhole(exchange) && typeof body(exchange).ok !== 'boolean',
    answers: [holds('error', 'to be {"code": string, "message": string}', isCoded)],
    hint: 'Send every 4xx in this envelope. Look for an error page of a framework or a gateway.',
  }),
  row('envelopes.boundary-no-other-keys', {
    must: 'The server MUST NOT add other members to a 4xx response, next to `error` or inside `error`.',
    source: 'Error envelopes, boundary error',
    judges: 'every response',
    applies: (exchange) => isBoundary(exchange) && isRecord(member(exchange.response.json, 'error')),
    expect: (exchange) => {
      const beside = Object.keys(body(exchange)).filter((key) => key !== 'error');
      const within = Object.keys(member(exchange.response.json, 'error') ?? {}).filter(
        (key) => !errorKeys.includes(key),
      );
      const extra = [...beside, ...within.map((key) => `error.${key}`)];
      if (extra.length === 0) return undefined;
      return {
        at: 'exchanges',
        got: extra,
        expected: 'no key beside error, and in error none beside code, message and retry_after_seconds',
        actual: `also ${extra.join(', ')}`,
      };
    },
    hint: 'Remove these members: put their content into the message, a header or a log.',
  }),
  row('envelopes.retry-after-seconds-only-on-429', {
    must: 'The server MUST NOT send `retry_after_seconds` in a 4xx response other than a 429.',
    source: 'Error envelopes, boundary error',
    applies: isBoundary,
    answers: [has('error.retry_after_seconds', { oneOf: [undefined] })],
    hint: 'Omit retry_after_seconds from this error; do not send null or 0.',
  }),
];
