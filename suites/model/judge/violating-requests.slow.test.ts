import { expect, test } from 'vitest';
import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../../fixtures/contract/headers.ts';
import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import { historyOf } from '../../../test/run-history.ts';
import { type Completed, type Exchange, isCompleted, isSuccess } from '../../exchange/exchange.ts';
import type { History } from '../../exchange/history.ts';
import { rules } from '../../topics/index.ts';
import { brokenFields, isValid } from '../world/violations.ts';
import { judge } from './judge.ts';

/** Returns the exchange with these arguments and a refusal as the specification describes, changed by `members`. */
function refused(exchange: Completed, args: Record<string, unknown>, toolError: string, members = {}): Completed {
  const request = { ...exchange.request, args, body: JSON.stringify(args) };
  const issues = brokenFields({ request }).map(({ field }) => ({ path: field, message: `${field} is invalid` }));
  const json = { ok: false, code: refusalCodes.invalidArguments, message: 'Correct the fields.', issues, ...members };
  const others = exchange.response.headers.filter(([name]) => name !== responseHeaders.toolError);
  const headers = [...others, [responseHeaders.toolError, toolError] as const];
  const response = { status: 200, headers, text: JSON.stringify(json), json };
  return { ...exchange, request, response };
}

/** Returns arguments that violate the published schema in one or two fields. */
function violations(exchange: Completed): Record<string, unknown>[] {
  const { args } = exchange.request;
  if (args === null) return [];
  const fields = Object.keys(args).filter((field) => field !== 'confirmation_id');
  const broken = fields.flatMap((field, index) => [
    { ...args, [field]: { value: 1 } },
    Object.fromEntries(Object.entries(args).filter(([name]) => name !== field)),
    { ...args, [field]: [], [fields[index - 1] ?? field]: true },
  ]);
  return broken.filter((changed) => !isValid({ ...exchange, request: { ...exchange.request, args: changed } }));
}

const findingsOf = (history: History) =>
  judge(rules, history).flatMap(({ id, findings }) => findings.map(({ actual }) => `${id}: ${actual}`));

/** Appends the refused violations to a history, each at a time of its own. */
function withViolations({ knowledge, exchanges }: History, toolError: string, members = {}): History {
  const latest = Math.max(...exchanges.map(({ receivedAt }) => receivedAt));
  const succeeded = exchanges.filter((exchange): exchange is Completed => isCompleted(exchange) && isSuccess(exchange));
  const distinct = new Map(succeeded.map((one) => [`${one.sender.label} ${Object.keys(one.request.args ?? {})}`, one]));
  const added: Exchange[] = [...succeeded.slice(0, 60), ...distinct.values()]
    .flatMap((exchange) => violations(exchange).map((args) => refused(exchange, args, toolError, members)))
    .map((exchange, index) => {
      const sentAt = latest + 2 * index + 1;
      return { ...exchange, number: exchanges.length + index + 1, sentAt, receivedAt: sentAt + 1, together: 1 };
    });
  return { knowledge, exchanges: [...exchanges, ...added] };
}

test.each(['false', 'true'])(
  'a request that violates the published schema and is refused is no finding (tool error %s)',
  async (toolError) => {
    const history = await historyOf();
    const more = withViolations(history, toolError);
    expect(more.exchanges.length).toBeGreaterThan(history.exchanges.length + 200);
    expect(findingsOf(more)).toEqual(findingsOf(history));
  },
  60_000,
);

test.each<[string, string, object, RequirementId]>([
  ['a list as message', 'false', { message: ['Correct the fields.'] }, 'envelopes.refusal-message'],
  ['an issue that is a text', 'false', { issues: ['brief'] }, 'envelopes.refusal-issues'],
  ['no issues', 'false', { issues: [] }, 'arguments.issues-listed'],
  [
    'another field in issues',
    'false',
    { issues: [{ path: 'size', message: 'no' }] },
    'image-proposals.brief-missing-refused',
  ],
  ['another value of the header', 'maybe', {}, 'headers.tool-error-on-invalid-arguments'],
])('a refusal of such a request with %s is a finding', async (_, toolError, members, id) => {
  const ofId = rules.filter((rule) => rule.id === id);
  const [judged] = judge(ofId, withViolations(await historyOf(), toolError, members));
  expect(judged?.findings.length).toBeGreaterThan(0);
});
