import { must } from '../../../fixtures/requirements/model.ts';
import { describe } from '../../expectations/responses.ts';
import { rule } from '../../expectations/rule.ts';
import { body, type Completed, isOutcomeStatus } from '../../history/exchange.ts';
import { brief, isRecord, member } from '../../json.ts';
import { noCredential } from '../../session/credentials.ts';
import { witnessesOf } from '../declared/row-witnesses.ts';
import { unknownName } from '../requests/unknown-name.ts';
import { story } from '../story.ts';
import { described, everyResponse, isJsonType, isOrdinary, isWhole } from './every-response.ts';

const isBoundary = (exchange: Completed) => {
  const { status } = exchange.response;
  return isOrdinary(exchange) && !isOutcomeStatus(status) && described.includes(status);
};

const errorKeys = ['code', 'message', 'retry_after_seconds'];

export const boundaryErrors = story('error responses', {
  steps: async (t) => {
    await t.send('send no credential', { tool: 'schedule.read', args: {}, as: noCredential });
    await t.send('send a body that is not JSON', { tool: 'schedule.read', body: '{"workspace": ' });
    await t.send('call a tool that does not exist', { tool: unknownName(t), args: {}, invented: ['tool'] });
  },
  requirements: [
    everyResponse(
      must(
        'envelopes.json-4xx',
        'The server MUST send every 4xx response as `application/json`.',
        'Endpoints, first paragraph',
      ),
      isBoundary,
      isJsonType,
    ),
    everyResponse(
      must(
        'envelopes.boundary-error',
        'The server MUST send an object `error` with the strings `code` and `message` in every 4xx response.',
        'Error envelopes, boundary error',
      ),
      // `envelopes.outcome-is-200` covers tool results with a wrong status.
      (exchange) => isBoundary(exchange) && isWhole(exchange) && typeof body(exchange).ok !== 'boolean',
      (exchange) => {
        const { json } = exchange.response;
        const error = member(json, 'error');
        const coded = isRecord(error) && typeof error.code === 'string' && error.code !== '';
        if (coded && typeof error.message === 'string') return undefined;
        return {
          at: { member: ['error'] },
          got: error,
          expected: '{"error": {"code": string, "message": string}}',
          actual: json === undefined ? describe(exchange) : brief(json),
          hint: 'Send every 4xx in this envelope. Look for an error page of a framework or a gateway.',
        };
      },
    ),
    everyResponse(
      must(
        'envelopes.boundary-no-other-keys',
        'The server MUST NOT add other members to a 4xx response, next to `error` or inside `error`.',
        'Error envelopes, boundary error',
      ),
      (exchange) => isBoundary(exchange) && isRecord(member(exchange.response.json, 'error')),
      (exchange) => {
        const error = member(exchange.response.json, 'error');
        const beside = Object.keys(body(exchange)).filter((key) => key !== 'error');
        const within = Object.keys(isRecord(error) ? error : {}).filter((key) => !errorKeys.includes(key));
        const extra = [...beside, ...within.map((key) => `error.${key}`)];
        if (extra.length === 0) return undefined;
        return {
          at: 'exchanges',
          got: extra,
          expected: 'no key beside error, and in error none beside code, message and retry_after_seconds',
          actual: `also ${extra.join(', ')}`,
          hint: 'Remove these members: put their content into the message, a header or a log.',
        };
      },
    ),
    rule(
      must(
        'envelopes.retry-after-seconds-only-on-429',
        'The server MUST NOT send `retry_after_seconds` in a 4xx response other than a 429.',
        'Error envelopes, boundary error',
      ),
      {
        applies: isBoundary,
        expect: (exchange) => {
          const value = member(exchange.response.json, 'error', 'retry_after_seconds');
          if (value === undefined) return undefined;
          const hint = 'Omit retry_after_seconds from this error; do not send null or 0.';
          return {
            at: { member: ['error', 'retry_after_seconds'] },
            want: { oneOf: [undefined] },
            got: value,
            expected: 'no retry_after_seconds',
            actual: `retry_after_seconds ${brief(value)}`,
            hint,
          };
        },
      },
    ),
  ],
  alsoTests: [...witnessesOf(400, 401, 404)],
});
