import { statuses } from '../../fixtures/contract/headers.ts';
import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { body, type Completed, header, isRefusal } from '../history/exchange.ts';
import { brief, isRecord, member } from '../json.ts';
import { isOutcomeStatus } from '../outcome-status.ts';
import type { Finding } from './finding.ts';
import { belowServerError, describe } from './match/responses.ts';
import { isToolRequest } from './match/scope.ts';
import { type Rule, rule } from './rule.ts';

const described: readonly number[] = statuses;

const isOrdinary = (exchange: Completed) => isToolRequest(exchange) && !exchange.odd;
const isOutcome = (exchange: Completed) => isOrdinary(exchange) && isOutcomeStatus(exchange.response.status);
const isBoundary = (exchange: Completed) => {
  const { status } = exchange.response;
  return isOrdinary(exchange) && !isOutcomeStatus(status) && described.includes(status);
};
const isWhole = ({ response }: Completed) => response.unread === undefined;

function finding(exchange: Completed, expected: string, actual: string, hint: string): Finding {
  return { expected, actual, hint, exchanges: [exchange] };
}

function isJsonType(exchange: Completed): Finding | undefined {
  const type = header(exchange, 'content-type');
  if (type === undefined && exchange.response.stripped === true) return undefined;
  if (type !== undefined && /^application\/json *(;|$)/i.test(type)) return undefined;
  return finding(
    exchange,
    'content-type application/json',
    type === undefined ? 'no header content-type' : `content-type: ${type}`,
    'Send every response of the tools as application/json. Parameters such as charset are allowed.',
  );
}

function isJsonObject(exchange: Completed): Finding | undefined {
  if (isRecord(exchange.response.json)) return undefined;
  return finding(exchange, 'a JSON object as body', describe(exchange), 'Send one JSON object as the body.');
}

/** What holds for every response of some kind, whatever was asked for. */
function everyResponse(id: RequirementId, applies: Rule['applies'], expect: Rule['expect']): Rule {
  return rule(id, { everyResponse: true, applies, expect });
}

/** The refusal of a tool has a non-empty text at `code` or `message`. */
function refusalText(id: RequirementId, field: 'code' | 'message'): Rule {
  return rule(id, {
    judgesRefusals: true,
    applies: (exchange) => isRefusal(exchange),
    expect: (exchange) => {
      const value = body(exchange)[field];
      if (typeof value === 'string' && value !== '') return undefined;
      const hint = 'Send a refusal as {ok: false, code, message}: the code for programs, the message for a person.';
      return finding(exchange, `${field} to be a non-empty string`, `${field} ${brief(value)}`, hint);
    },
  });
}

/** An array of a refusal, where it is given, has only such elements. */
function refusalArray(id: RequirementId, field: string, of: string, good: (each: unknown) => boolean, hint: string) {
  return rule(id, {
    judgesRefusals: true,
    applies: (exchange) => isRefusal(exchange) && body(exchange)[field] !== undefined,
    expect: (exchange) => {
      const value = body(exchange)[field];
      if (Array.isArray(value) && value.every(good)) return undefined;
      return finding(exchange, `${field} to be an array of ${of}`, `${field} ${brief(value)}`, hint);
    },
  });
}

const errorKeys = ['code', 'message', 'retry_after_seconds'];

/** What holds for every response, whichever request it answers. */
export const envelopes: readonly Rule[] = [
  everyResponse(
    'envelopes.json-200',
    // Of a body that was not read, the header alone can show that it is no JSON.
    (exchange) => isOutcome(exchange) && (isWhole(exchange) || isJsonType(exchange) !== undefined),
    (exchange) => isJsonType(exchange) ?? isJsonObject(exchange),
  ),
  everyResponse('envelopes.json-4xx', isBoundary, isJsonType),
  rule('envelopes.ok-boolean', {
    applies: (exchange) => isOutcome(exchange) && isRecord(exchange.response.json),
    expect: (exchange) => {
      const { ok } = body(exchange);
      if (typeof ok === 'boolean') return undefined;
      const hint = 'Send ok as true or false in every 200 response: clients decide by it alone.';
      return finding(exchange, 'ok to be true or false', `ok ${brief(ok)}`, hint);
    },
  }),
  everyResponse(
    'envelopes.outcome-is-200',
    (exchange) => isOutcome(exchange) || (isOrdinary(exchange) && typeof body(exchange).ok === 'boolean'),
    (exchange) =>
      exchange.response.status === 200
        ? undefined
        : finding(
            exchange,
            'HTTP 200 for a tool that ran or declined',
            describe(exchange),
            'Send results and refusals of tools with status 200: clients decide by ok.',
          ),
  ),
  everyResponse(
    'envelopes.described-status',
    (exchange) => isOrdinary(exchange) && exchange.response.status < 500,
    (exchange) =>
      // Another 2xx has a requirement of its own.
      described.includes(exchange.response.status) || isOutcomeStatus(exchange.response.status)
        ? undefined
        : finding(
            exchange,
            `one of the statuses ${described.join(', ')}`,
            describe(exchange),
            'Return one of these statuses. Look for a redirect or a gateway: the kit does not follow redirects.',
          ),
  ),
  everyResponse('envelopes.no-server-error', () => true, belowServerError),
  refusalText('envelopes.refusal-code', 'code'),
  refusalText('envelopes.refusal-message', 'message'),
  refusalArray(
    'envelopes.refusal-workspaces',
    'workspaces',
    'strings',
    (slug) => typeof slug === 'string',
    'List the slugs themselves, not objects that describe them.',
  ),
  refusalArray(
    'envelopes.refusal-issues',
    'issues',
    '{path: string, message: string}',
    (issue) => isRecord(issue) && typeof issue.path === 'string' && typeof issue.message === 'string',
    'Send each issue as an object with two strings; join a path that a validator gives as an array.',
  ),
  everyResponse(
    'envelopes.boundary-error',
    // What a tool says of itself with a wrong status is told by `envelopes.outcome-is-200`.
    (exchange) => isBoundary(exchange) && isWhole(exchange) && typeof body(exchange).ok !== 'boolean',
    (exchange) => {
      const { json } = exchange.response;
      const error = member(json, 'error');
      const coded = isRecord(error) && typeof error.code === 'string' && error.code !== '';
      if (coded && typeof error.message === 'string') return undefined;
      return finding(
        exchange,
        '{"error": {"code": string, "message": string}}',
        json === undefined ? describe(exchange) : brief(json),
        'Send every 4xx in this envelope. Look for an error page of a framework or a gateway.',
      );
    },
  ),
  everyResponse(
    'envelopes.boundary-no-other-keys',
    (exchange) => isBoundary(exchange) && isRecord(member(exchange.response.json, 'error')),
    (exchange) => {
      const error = member(exchange.response.json, 'error');
      const beside = Object.keys(body(exchange)).filter((key) => key !== 'error');
      const within = Object.keys(isRecord(error) ? error : {}).filter((key) => !errorKeys.includes(key));
      const extra = [...beside, ...within.map((key) => `error.${key}`)];
      if (extra.length === 0) return undefined;
      return finding(
        exchange,
        'no key beside error, and in error none beside code, message and retry_after_seconds',
        `also ${extra.join(', ')}`,
        'Remove these members: put what they say into the message, a header or a log.',
      );
    },
  ),
  rule('envelopes.retry-after-seconds-only-on-429', {
    applies: isBoundary,
    expect: (exchange) => {
      const value = member(exchange.response.json, 'error', 'retry_after_seconds');
      if (value === undefined) return undefined;
      const hint = 'Omit retry_after_seconds from this error; do not send null or 0.';
      return finding(exchange, 'no retry_after_seconds', `retry_after_seconds ${brief(value)}`, hint);
    },
  }),
];
