import { type Answered, body, header, isRefusal } from '../exchange.ts';
import { belowServerError, describeAnswer } from '../expect/answers.ts';
import type { Finding } from '../finding.ts';
import { brief, isRecord, member } from '../json.ts';
import { rule } from '../rule.ts';
import { ambiguous, boundaryErrors, invalidArguments, toolAnswers } from '../scenes/refusals.ts';

const described = [200, 400, 401, 403, 404, 429];

const isBoundary = ({ answer, request }: Answered) =>
  !request.odd && answer.status !== 200 && described.includes(answer.status);
const isOutcome = ({ answer, request }: Answered) => !request.odd && answer.status === 200;
const anyRefusal = (exchange: Answered) => isRefusal(exchange);

function finding(exchange: Answered, expected: string, actual: string, hint: string): Finding | undefined {
  return { expected, actual, hint, exchanges: [exchange] };
}

function isJsonType(exchange: Answered): Finding | undefined {
  const type = header(exchange, 'content-type');
  if (type !== undefined && /^application\/json *(;|$)/i.test(type)) return undefined;
  return finding(
    exchange,
    'content-type application/json',
    type === undefined ? 'no header content-type' : `content-type: ${type}`,
    'send every answer of the tools as application/json; parameters such as charset are fine',
  );
}

function isJsonObject(exchange: Answered): Finding | undefined {
  if (isRecord(exchange.answer.json)) return undefined;
  return finding(
    exchange,
    'a JSON object as body',
    describeAnswer(exchange),
    'the body of every answer is one JSON object',
  );
}

/** A non-empty text at `code` or `message` of a refusal. */
function refusalText(exchange: Answered, field: 'code' | 'message'): Finding | undefined {
  const value = body(exchange)[field];
  if (typeof value === 'string' && value !== '') return undefined;
  return finding(
    exchange,
    `${field} to be a non-empty string`,
    `${field} ${brief(value)}`,
    'a refusal is {ok: false, code, message}: the code for programs, the message for a person',
  );
}

export const envelopes = [
  rule({
    requirement: 'envelopes.json-200',
    head: true,
    // Of a body that is not there, the header alone can show that it is no JSON.
    applies: (exchange) =>
      isOutcome(exchange) && (exchange.answer.unread === undefined || isJsonType(exchange) !== undefined),
    verdict: (exchange) => isJsonType(exchange) ?? isJsonObject(exchange),
    exercise: toolAnswers,
  }),
  rule({
    requirement: 'envelopes.json-4xx',
    head: true,
    applies: isBoundary,
    verdict: isJsonType,
    exercise: boundaryErrors,
  }),
  rule({
    requirement: 'envelopes.ok-boolean',
    applies: (exchange) => isOutcome(exchange) && isRecord(exchange.answer.json),
    verdict: (exchange) =>
      typeof body(exchange).ok === 'boolean'
        ? undefined
        : finding(
            exchange,
            'ok to be true or false',
            `ok ${brief(body(exchange).ok)}`,
            'clients branch on the boolean ok of a 200 answer and on nothing else',
          ),
    exercise: toolAnswers,
  }),
  rule({
    requirement: 'envelopes.outcome-is-200',
    applies: (exchange) => typeof body(exchange).ok === 'boolean',
    verdict: (exchange) =>
      exchange.answer.status === 200
        ? undefined
        : finding(
            exchange,
            'HTTP 200 for a tool that ran or declined',
            describeAnswer(exchange),
            'a refusal by a tool is not an HTTP error: send it with status 200',
          ),
    exercise: toolAnswers,
  }),
  rule({
    requirement: 'envelopes.described-status',
    head: true,
    applies: ({ answer, request }) => !request.odd && answer.status < 500,
    verdict: (exchange) =>
      described.includes(exchange.answer.status)
        ? undefined
        : finding(
            exchange,
            `one of the statuses ${described.join(', ')}`,
            describeAnswer(exchange),
            'the document describes no other status for a tool; redirects are not followed',
          ),
    exercise: toolAnswers,
  }),
  rule({
    requirement: 'envelopes.no-server-error',
    head: true,
    odd: true,
    applies: () => true,
    verdict: belowServerError,
    exercise: toolAnswers,
  }),
  rule({
    requirement: 'envelopes.refusal-code',
    applies: anyRefusal,
    verdict: (exchange) => refusalText(exchange, 'code'),
    exercise: async (t) => [await invalidArguments(t)],
  }),
  rule({
    requirement: 'envelopes.refusal-message',
    applies: anyRefusal,
    verdict: (exchange) => refusalText(exchange, 'message'),
    exercise: async (t) => [await invalidArguments(t)],
  }),
  rule({
    requirement: 'envelopes.refusal-workspaces',
    needs: { roles: ['ambiguous'] },
    applies: (exchange) => isRefusal(exchange) && body(exchange).workspaces !== undefined,
    verdict: (exchange) => {
      const { workspaces } = body(exchange);
      if (Array.isArray(workspaces) && workspaces.every((slug) => typeof slug === 'string')) return undefined;
      return finding(
        exchange,
        'workspaces to be an array of strings',
        `workspaces ${brief(workspaces)}`,
        'list the slugs themselves, not objects that describe them',
      );
    },
    exercise: async (t) => [await ambiguous(t)],
  }),
  rule({
    requirement: 'envelopes.refusal-issues',
    applies: (exchange) => isRefusal(exchange) && body(exchange).issues !== undefined,
    verdict: (exchange) => {
      const { issues } = body(exchange);
      const good = (issue: unknown) =>
        isRecord(issue) && typeof issue.path === 'string' && typeof issue.message === 'string';
      if (Array.isArray(issues) && issues.every(good)) return undefined;
      return finding(
        exchange,
        'issues to be an array of {path: string, message: string}',
        `issues ${brief(issues)}`,
        'a path that a validator gives as an array has to be joined into one string',
      );
    },
    exercise: async (t) => [await invalidArguments(t)],
  }),
  rule({
    requirement: 'envelopes.boundary-error',
    // What a tool says of itself with a wrong status is told by `envelopes.outcome-is-200`.
    applies: (exchange) => isBoundary(exchange) && typeof body(exchange).ok !== 'boolean',
    verdict: (exchange) => {
      const error = member(exchange.answer.json, 'error');
      const good =
        isRecord(error) && typeof error.code === 'string' && error.code !== '' && typeof error.message === 'string';
      if (good) return undefined;
      return finding(
        exchange,
        '{"error": {"code": string, "message": string}}',
        exchange.answer.json === undefined ? describeAnswer(exchange) : brief(exchange.answer.json),
        'every 4xx has the same envelope; look for an error page of a framework or gateway in front of the tools',
      );
    },
    exercise: boundaryErrors,
  }),
  rule({
    requirement: 'envelopes.boundary-no-other-keys',
    applies: (exchange) => isBoundary(exchange) && isRecord(member(exchange.answer.json, 'error')),
    verdict: (exchange) => {
      const beside = Object.keys(body(exchange)).filter((key) => key !== 'error');
      const error = member(exchange.answer.json, 'error');
      const within = Object.keys(isRecord(error) ? error : {}).filter(
        (key) => !['code', 'message', 'retry_after_seconds'].includes(key),
      );
      const extra = [...beside, ...within.map((key) => `error.${key}`)];
      if (extra.length === 0) return undefined;
      return finding(
        exchange,
        'no key beside error, and in error none beside code, message and retry_after_seconds',
        `also ${extra.join(', ')}`,
        'boundary errors are closed objects: move what else there is to tell into a header or a log',
      );
    },
    exercise: boundaryErrors,
  }),
  rule({
    requirement: 'envelopes.retry-after-seconds-only-on-429',
    applies: (exchange) => isBoundary(exchange) && exchange.answer.status !== 429,
    verdict: (exchange) => {
      const value = member(exchange.answer.json, 'error', 'retry_after_seconds');
      if (value === undefined) return undefined;
      return finding(
        exchange,
        'no retry_after_seconds',
        `retry_after_seconds ${brief(value)}`,
        'leave the key out where it does not apply, rather than sending null or 0',
      );
    },
    exercise: boundaryErrors,
  }),
];
