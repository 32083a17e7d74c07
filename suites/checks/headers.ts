import type { RequirementId } from '../../fixtures/requirements/index.ts';
import type { Needs } from '../check.ts';
import { check } from '../check.ts';
import type { Context } from '../engine/context.ts';
import { type Answered, body, header, isRefusal, isSuccess } from '../exchange.ts';
import { carries, describeAnswer } from '../expect/answers.ts';
import { rule } from '../rule.ts';
import { closedRoles } from '../scenes/closed.ts';
import { controlProposed, proposes } from '../scenes/images.ts';
import { everIssued, neverIssuedId } from '../scenes/issued-ids.ts';
import { plainArguments } from '../scenes/reading.ts';
import { ambiguous, invalidArguments, malformed, noSuchTool, toolAnswers, unauthorized } from '../scenes/refusals.ts';
import { overTheCap } from '../scenes/throttle.ts';

const beta = 'x-service-api';
const toolError = 'x-service-tool-error';

/** While the API is in beta, an answer of this status says so. */
function betaOn(
  status: 200 | 400 | 401 | 403 | 404 | 429,
  exercise: (t: Context) => Promise<readonly Answered[]>,
  needs: Needs = {},
) {
  return rule({
    requirement: `headers.beta-on-${status}`,
    needs,
    odd: true,
    head: true,
    applies: ({ answer, request }) => answer.status === status && request.tool !== null && request.method === 'POST',
    verdict: (exchange) =>
      carries(
        exchange,
        beta,
        'beta',
        `set the header before the step that answers ${status}, on every path below the tools`,
      ),
    exercise,
  });
}

/** A refusal with this code carries this value. */
function toolErrorOn(
  requirement: RequirementId,
  code: string,
  value: 'true' | 'false',
  exercise: (t: Context) => Promise<readonly Answered[]>,
  needs: Needs,
) {
  return rule({
    requirement,
    needs,
    applies: (exchange) => isRefusal(exchange, code) && !exchange.request.outOfReach,
    verdict: (exchange) =>
      carries(
        exchange,
        toolError,
        value,
        value === 'true'
          ? 'the workspace is resolved at the boundary, before any tool runs: the header says true'
          : 'the tool ran and declined by its own rule: the header says false',
      ),
    exercise,
  });
}

/** A refusal carries the header, with either value. */
function carriesEither(exchange: Answered, hint: string) {
  const value = header(exchange, toolError);
  if (value === 'true' || value === 'false') return undefined;
  return {
    expected: `${toolError}: true or false`,
    actual: value === undefined ? `no header ${toolError}` : `${toolError}: ${value}`,
    hint,
    exchanges: [exchange],
  };
}

export const headers = [
  betaOn(200, toolAnswers),
  betaOn(400, async (t) => [await malformed(t)]),
  betaOn(401, async (t) => [await unauthorized(t)]),
  betaOn(403, (t) => Promise.all(closedRoles(t).map((as) => t.call('schedule.read', {}, { as }))), { roles: [] }),
  betaOn(404, async (t) => [await noSuchTool(t)]),
  betaOn(429, overTheCap, { roles: ['throttled'], effects: ['throttling'], alone: 'cap' }),

  toolErrorOn('headers.tool-error-on-ambiguous', 'workspace_ambiguous', 'true', async (t) => [await ambiguous(t)], {
    roles: ['ambiguous'],
  }),
  toolErrorOn(
    'headers.tool-error-on-confirmation-invalid',
    'confirmation_invalid',
    'false',
    async (t) => {
      const { args, id } = await controlProposed(t);
      return [await t.call('images.generate', { ...args, confirmation_id: neverIssuedId(id, everIssued(t)) })];
    },
    proposes,
  ),
  toolErrorOn(
    'headers.tool-error-on-board-not-found',
    'board_not_found',
    'false',
    async (t) => {
      const { args } = await controlProposed(t);
      return [await t.call('images.generate', { ...args, board: neverIssuedId(String(args.board)) })];
    },
    proposes,
  ),
  rule({
    requirement: 'headers.tool-error-on-invalid-arguments',
    applies: (exchange) => isRefusal(exchange, 'invalid_arguments'),
    verdict: (exchange) =>
      carriesEither(exchange, 'whichever step refuses the arguments, the header says which it was'),
    exercise: async (t) => [await invalidArguments(t)],
  }),
  rule({
    requirement: 'headers.tool-error-on-success',
    applies: isSuccess,
    verdict: (exchange) =>
      header(exchange, toolError) === undefined || header(exchange, toolError) === 'false'
        ? undefined
        : {
            expected: `${toolError} absent or false`,
            actual: `${toolError}: ${header(exchange, toolError)}`,
            hint: 'the header tells of refusals; a result is none',
            exchanges: [exchange],
          },
    exercise: toolAnswers,
  }),
  {
    ...rule({
      requirement: 'headers.tool-error-on-other-refusals',
      applies: (exchange) =>
        isRefusal(exchange) &&
        !['invalid_arguments', 'workspace_ambiguous', 'confirmation_invalid', 'board_not_found'].includes(
          String(body(exchange).code),
        ),
      verdict: (exchange) =>
        carriesEither(exchange, 'every refusal tells whether the boundary or the tool itself refused'),
      exercise: async () => [],
    }),
    ...check({
      requirement: 'headers.tool-error-on-other-refusals',
      async run(t) {
        const known = await plainArguments(t, 'library.get');
        if (known === undefined)
          return t.cannot('no library item to ask for', { kind: 'data', what: 'a library item' });
        const answer = await t.call('library.get', { ...known, id: neverIssuedId(String(known.id)) });
        if (!isRefusal(answer) || body(answer).code === 'invalid_arguments') {
          t.cannot(`an unknown item was not refused by the tool: ${describeAnswer(answer)}`);
        }
        t.expect(
          carries(answer, toolError, 'false', 'the tool ran and declined by its own rule: the header says false'),
        );
      },
    }),
  },
];
