import { toolsWithoutSideEffects } from '../../../fixtures/contract/tools.ts';
import { must, type Requirement } from '../../../fixtures/requirements/model.ts';
import { fieldIsText } from '../../expectations/fields.ts';
import type { KitFinding } from '../../expectations/finding.ts';
import { belowServerError, describe } from '../../expectations/responses.ts';
import { type Rule, rule } from '../../expectations/rule.ts';
import { body, type Completed, isOutcomeStatus, isRefusal } from '../../history/exchange.ts';
import { brief, isRecord } from '../../json.ts';
import { mustBeAnswered } from '../../situations/violations.ts';
import { witnessesOf, witnessesOfServiceRules } from '../declared/row-witnesses.ts';
import { resemblingId } from '../requests/made-up-ids.ts';
import { readAll } from '../requests/read-all.ts';
import { story } from '../story.ts';
import { described, everyResponse, isJsonType, isOrdinary, isWhole, refusalArray } from './every-response.ts';

const isOutcome = (exchange: Completed) => isOrdinary(exchange) && isOutcomeStatus(exchange.response.status);

function isJsonObject(exchange: Completed): KitFinding | undefined {
  if (isRecord(exchange.response.json)) return undefined;
  return { expected: 'a JSON object as body', actual: describe(exchange), hint: 'Send one JSON object as the body.' };
}

/** Builds the rule that a refusal has a non-empty text in this field. */
function refusalText(requirement: Requirement, field: 'code' | 'message'): Rule {
  return rule(requirement, {
    judgesRefusals: true,
    applies: (exchange) => isRefusal(exchange),
    expect: (exchange) =>
      fieldIsText(
        exchange,
        field,
        'Send a refusal as {ok: false, code, message}: the code for programs, the message for a person.',
      ),
  });
}

export const plainRequests = story('plain requests', {
  steps: async (t) => {
    const readings = await readAll(t, 'read', t.here(), { once: true });
    await t.sendOnce('read the balance', { tool: 'credits.balance', args: {} });
    await t.send('request an empty workspace', { tool: 'schedule.read', args: { workspace: '' } });
    const item = readings.find(({ asked }) => asked.tool === 'library.get')?.asked.args;
    const what = 'a library item';
    if (item === undefined) return t.cannot('the library shows no item', { kind: 'data', what });
    const { kind, id } = item;
    const unknown = resemblingId(String(id), t.text(`unknown item like ${id}`, 16));
    const args = t.here({ kind, id: unknown });
    const reply = await t.send('fetch an unknown item', { tool: 'library.get', args, invented: ['id'] });
    if (!isRefusal(reply)) t.cannot('an unknown item was not refused');
  },
  requirements: [
    everyResponse(
      must(
        'envelopes.json-200',
        'The server MUST send every tool result as an `application/json` object.',
        'Endpoints, first paragraph',
      ),
      // The content type can show that an unread body is not JSON.
      (exchange) => isOutcome(exchange) && (isWhole(exchange) || isJsonType(exchange) !== undefined),
      (exchange) => isJsonType(exchange) ?? isJsonObject(exchange),
    ),
    rule(
      must(
        'envelopes.ok-boolean',
        'The server MUST send the boolean `ok` in every 200 response.',
        'What the service does, rule 5',
      ),
      {
        applies: (exchange) => isOutcome(exchange) && isRecord(exchange.response.json),
        expect: (exchange) => {
          const { ok } = body(exchange);
          if (typeof ok === 'boolean') return undefined;
          const hint = 'Send ok as true or false in every 200 response: clients decide only by ok.';
          return {
            at: { member: ['ok'] },
            want: { type: 'boolean' },
            got: ok,
            expected: 'ok to be true or false',
            actual: `ok ${brief(ok)}`,
            hint,
          };
        },
      },
    ),
    everyResponse(
      must(
        'envelopes.outcome-is-200',
        'The server MUST return status 200 both if a tool ran and if the tool declined.',
        'What the service does, rule 5',
      ),
      (exchange) => isOutcome(exchange) || (isOrdinary(exchange) && typeof body(exchange).ok === 'boolean'),
      (exchange) => {
        if (exchange.response.status === 200) return undefined;
        return {
          expected: 'HTTP 200 for a tool that ran or declined',
          actual: describe(exchange),
          hint: 'Send results and refusals of tools with status 200: clients decide by ok.',
        };
      },
    ),
    everyResponse(
      must(
        'envelopes.described-status',
        'The server MUST return one of the statuses 200, 400, 401, 403, 404 and 429.',
        'What the service does, rule 5; Errors, boundary errors',
      ),
      (exchange) => isOrdinary(exchange) && exchange.response.status < 500,
      (exchange) => {
        const { status } = exchange.response;
        // Another requirement covers 2xx other than 200.
        if (described.includes(status) || isOutcomeStatus(status)) return undefined;
        return {
          expected: `one of the statuses ${described.join(', ')}`,
          actual: describe(exchange),
          hint: 'Return one of these statuses. Look for a redirect or a gateway: the kit does not follow redirects.',
        };
      },
    ),
    everyResponse(
      must('envelopes.no-server-error', 'The server MUST NOT return a 5xx status.', 'Errors'),
      // Other methods are observed, whatever the response.
      ({ request }) => request.method === 'POST',
      belowServerError,
    ),
    rule(
      must(
        'envelopes.answers-every-request',
        'The server MUST return a response to every valid request.',
        'Endpoints; Errors',
      ),
      {
        applies: (exchange) => mustBeAnswered(exchange),
        expect: () => undefined,
        unanswered: ({ request, closedInARow }) =>
          closedInARow === undefined
            ? undefined
            : {
                expected: `a response of ${request.tool}`,
                actual: `${closedInARow} new connections in a row closed without a response`,
                hint: `Look for a crash in ${request.tool}: the server responds to other requests.`,
              },
      },
    ),
    refusalText(
      must(
        'envelopes.refusal-code',
        'The server MUST send a non-empty string `code` with every refusal.',
        'Error envelopes, tool refusal',
      ),
      'code',
    ),
    refusalText(
      must(
        'envelopes.refusal-message',
        'The server MUST send a non-empty string `message` with every refusal.',
        'Error envelopes, tool refusal',
      ),
      'message',
    ),
    refusalArray(
      must(
        'envelopes.refusal-issues',
        'If a refusal has `issues`, the server MUST send an array of objects with the strings `path` and `message`.',
        'Error envelopes, tool refusal',
      ),
      'issues',
      '{path: string, message: string}',
      (issue) => isRecord(issue) && typeof issue.path === 'string' && typeof issue.message === 'string',
      'Send each issue as an object with two strings; join a path that a validator gives as an array.',
    ),
  ],
  alsoTests: [
    ...witnessesOf(200),
    ...witnessesOfServiceRules(...toolsWithoutSideEffects),
    'headers.tool-error-on-invalid-arguments',
    'headers.tool-error-on-success',
    'headers.tool-error-on-other-refusals',
  ],
});
