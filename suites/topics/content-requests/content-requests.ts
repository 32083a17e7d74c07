import { type Format, formats } from '../../../fixtures/contract/enums.ts';
import { must } from '../../../fixtures/requirements/model.ts';
import { isWorkspaceRefusal } from '../../expectations/answers.ts';
import { fieldIs, fieldIsText } from '../../expectations/fields.ts';
import { sameRequest } from '../../expectations/promises.ts';
import { succeeds } from '../../expectations/responses.ts';
import { everyResult, resultField } from '../../expectations/results.ts';
import { type Rule, rule } from '../../expectations/rule.ts';
import { body, type Completed, isSuccess } from '../../history/exchange.ts';
import { brief, isRecord, member } from '../../json.ts';
import { isValid } from '../../situations/violations.ts';
import { witnessesOfServiceRules } from '../declared/row-witnesses.ts';
import { createOnSomeDay, creating, needs, titled } from '../requests/content.ts';
import { story } from '../story.ts';
import { isElsewhere } from '../workspaces/reach.ts';
import { isRequest, mayDecline, mustBeAccepted, tool } from './accepted.ts';

const schema = 'ContentCreateRequestResult';

function formatAccepted(format: Format): Rule {
  const statement = `The server MUST accept the format \`${format}\` and name it in the result.`;
  const id = `content-requests.format-${format.replace('_', '-')}` as const;
  return rule(must(id, statement, 'content.create_request, request'), {
    applies: (exchange, seen) => exchange.request.args?.format === format && mustBeAccepted(exchange, seen),
    mayDecline,
    // For posts, the requirement itself guarantees success.
    twin: (exchange, seen) =>
      format === 'posts'
        ? { succeeded: true, promisedBy: 'content-requests.created' }
        : sameRequest(exchange, seen, { except: ['format'] }),
    expect: (exchange) =>
      succeeds(exchange, `Accept ${format}: it is one of the five formats.`) ??
      fieldIs(exchange, 'format', format, 'Send the requested format in the result.'),
  });
}

const required = [
  'piece_id',
  'format',
  'scheduled_for',
  'week_block_id',
  'filled_planned_slot',
  'workspace',
  'working_in',
];

/** The requirement on all fields covers a missing field. */
const has = (field: string) => (exchange: Completed) => body(exchange)[field] !== undefined;

export const contentRequests = story('content requests', {
  needs,
  steps: async (t) => {
    const turn = t.turn('formats without a title');
    for (const [index, format] of formats.entries()) {
      // Another story creates a request of the first format with a title.
      const isUntitled = index === 0 || (turn + index) % 2 === 0;
      await createOnSomeDay(t, `create ${format}`, { format, title: isUntitled ? undefined : titled(t, format) });
    }
    await t.part(async () => {
      const workspace = t.setting('otherWorkspace');
      await t.send('read in the other workspace', { tool: 'schedule.read', args: { workspace } });
      await t.send('create in the other workspace', creating(t, { workspace, title: titled(t, 'elsewhere') }));
    });
  },
  requirements: [
    rule(
      must(
        'content-requests.created',
        'The server MUST accept a valid request for a future day.',
        'content.create_request',
      ),
      {
        applies: (exchange, seen) => exchange.request.args?.format === 'posts' && mustBeAccepted(exchange, seen),
        mayDecline,
        expect: (exchange) => succeeds(exchange, 'Accept a valid request for a future day.'),
      },
    ),
    ...formats.map(formatAccepted),
    everyResult(
      must(
        'content-requests.all-fields-present',
        'The server MUST send all seven fields of the result, even if they are `null`.',
        'content.create_request, response',
      ),
      tool,
      (exchange) => {
        const missing = required.filter((field) => !Object.hasOwn(body(exchange), field));
        const [first] = missing;
        if (first === undefined) return undefined;
        return {
          at: { member: [first] },
          want: { schema: 'required' },
          expected: `the fields ${required.join(', ')}`,
          actual: `no ${missing.join(', ')}`,
          hint: 'Send null for a field without a value; do not omit the field.',
        };
      },
    ),
    everyResult(
      must(
        'content-requests.piece-id',
        'The server MUST send `piece_id` as a non-empty string.',
        'content.create_request, response; Piece',
      ),
      tool,
      (exchange) => fieldIsText(exchange, 'piece_id', 'Send the ID of the piece, as a non-empty string.'),
    ),
    rule(
      must(
        'content-requests.piece-id-new',
        'The server MUST send a different `piece_id` for every request.',
        'content.create_request, response; Piece',
      ),
      {
        applies: (exchange, seen) => seen.pieces.of(exchange) !== undefined && seen.pieces.size > 1,
        expect: (exchange, seen) => {
          const first = seen.pieces.of(exchange);
          if (first === undefined || first === exchange) return undefined;
          return {
            at: { member: ['piece_id'] },
            got: body(exchange).piece_id,
            expected: 'a different piece_id for each request',
            actual: `piece_id ${brief(body(exchange).piece_id)} twice`,
            hint: 'Create a new piece for each request, even if the same request was sent before.',
            exchanges: [first, exchange],
          };
        },
      },
    ),
    resultField(
      must(
        'content-requests.scheduled-for-utc',
        'The server MUST send `scheduled_for` as `null` or as an ISO 8601 date and time in UTC.',
        'Piece, scheduled_for',
      ),
      tool,
      schema,
      'scheduled_for',
      'Send the date and time in UTC, such as 2027-01-05T09:00:00Z, or null.',
      has('scheduled_for'),
    ),
    resultField(
      must(
        'content-requests.week-block-id',
        'The server MUST send `week_block_id` as a string or `null`.',
        'Piece, week_block_id',
      ),
      tool,
      schema,
      'week_block_id',
      'Send the ID of the week block as a string, or null if no week block is open.',
      has('week_block_id'),
    ),
    resultField(
      must(
        'content-requests.filled-planned-slot',
        'The server MUST send `filled_planned_slot` as a boolean.',
        'Piece, filled_planned_slot',
      ),
      tool,
      schema,
      'filled_planned_slot',
      'Send true if the piece took a planned slot, otherwise false.',
      has('filled_planned_slot'),
    ),
    everyResult(
      must(
        'content-requests.working-in-complete',
        'The server MUST send `workspace`, `source`, `label` and `note` in `working_in`.',
        'working_in object, last paragraph',
      ),
      tool,
      (exchange) => {
        const { working_in } = body(exchange);
        const bad = ['workspace', 'source'].find((field) => typeof member(working_in, field) !== 'string');
        if (bad === undefined) return undefined;
        const value = member(working_in, bad);
        return {
          at: { member: ['working_in', bad] },
          want: { type: 'string' },
          got: value,
          expected: `working_in.${bad} to be a string`,
          actual: `working_in.${bad} ${value === undefined ? '(missing)' : brief(value)}`,
          hint: 'Send workspace, source, label and note in working_in of the result.',
        };
      },
      (exchange) => isRecord(body(exchange).working_in),
    ),
    rule(
      must(
        'content-requests.works-in-named-workspace',
        'The server MUST create the request in the requested workspace, even if the default is another one.',
        'content.create_request, request',
        'data-isolation',
      ),
      {
        applies: (exchange) =>
          isRequest(exchange) &&
          isValid(exchange) &&
          typeof exchange.request.args?.workspace === 'string' &&
          // The server refuses every other workspace to a key with one workspace.
          (isSuccess(exchange)
            ? body(exchange).workspace !== undefined
            : isWorkspaceRefusal(exchange) && exchange.sender.role !== 'sole'),
        unlessChanged: true,
        twin: (exchange, seen) => {
          const { role } = exchange.sender;
          const workspace = String(exchange.request.args?.workspace);
          if (isSuccess(exchange)) {
            const decided = !isElsewhere(exchange) || !seen.places.mayStay(role, tool);
            return { succeeded: decided, promisedBy: 'workspaces.argument-honoured-every-tool' };
          }
          const twin = sameRequest(exchange, seen, { except: ['workspace'] });
          return { ...twin, succeeded: twin.succeeded && seen.places.reaches(role, workspace, tool) };
        },
        expect: (exchange) => {
          const hint = 'Create the request in the workspace that the argument names.';
          const { workspace } = exchange.request.args ?? {};
          if (isSuccess(exchange))
            return isElsewhere(exchange) ? fieldIs(exchange, 'workspace', workspace, hint) : undefined;
          return succeeds(exchange, hint);
        },
      },
    ),
  ],
  alsoTests: witnessesOfServiceRules(tool),
});
