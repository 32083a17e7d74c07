import { type Format, formats } from '../../../fixtures/contract/enums.ts';
import description from '../../../fixtures/contract/openapi.json' with { type: 'json' };
import { body, isSuccess } from '../../exchange/exchange.ts';
import { isRecord } from '../../json.ts';
import { has, holds, is, success } from '../../model/answers.ts';
import { repeated } from '../../model/finding.ts';
import { resultOf } from '../../model/rows/results.ts';
import { promisedBy, type Rule, row, sameRequest } from '../../model/rule.ts';
import { isWorkspaceRefusal } from '../../model/world/plain.ts';
import { isValid } from '../../model/world/violations.ts';
import { betweenReadings, costsNothing } from '../credits/costs-nothing.ts';
import { witnessesOfServiceRules } from '../declared/row-witnesses.ts';
import { createOnSomeDay, creating, titled } from '../requests/content.ts';
import { story, toWrite } from '../story.ts';
import { inRequested } from '../workspaces/named-workspaces.ts';
import { isElsewhere } from '../workspaces/reach.ts';
import { isRequest, mustBeAccepted, tool } from './titles.ts';

const formatAccepted = (format: Format): Rule =>
  row(`content-requests.format-${format.replace('_', '-')}`, {
    must: `The server MUST accept the format \`${format}\` and name it in the result.`,
    source: 'content.create_request, request',
    applies: (exchange, seen) => exchange.request.args?.format === format && mustBeAccepted(exchange, seen),
    // For posts, the requirement itself guarantees success.
    control: (exchange, seen) => format === 'posts' || sameRequest(exchange, seen, { except: ['format'] }),
    answers: [success, is('format', format)],
    hint: `Accept ${format}, and send it as the format of the result: it is one of the five formats.`,
  });

const required = description.components.schemas.ContentCreateRequestResult.required.filter((name) => name !== 'ok');

/** A member of a piece. The requirement on all fields covers a missing one. */
const ofPiece = (member: string) =>
  ({
    source: `Piece, ${member}`,
    applies: resultOf(tool, (exchange) => body(exchange)[member] !== undefined),
    answers: [has(member, { fits: 'ContentCreateRequestResult' })],
  }) as const;

const ofResult = { source: 'content.create_request, response; Piece' };

export const contentRequests = story('content requests', {
  turn: 'first',
  needs: toWrite,
  steps: async (t) => {
    await betweenReadings(t, async () => {
      for (const [index, format] of formats.entries()) {
        // Another story creates a request of the first format with a title.
        const isUntitled = index === 0 || index % 2 === 1;
        await createOnSomeDay(t, `create ${format}`, { format, title: isUntitled ? undefined : titled(t, format) });
      }
    });
    await t.send('create the same again as at first', creating(t));
    await t.part(async () => {
      const workspace = t.setting('otherWorkspace');
      await t.sendOnce('read in the other workspace', { tool: 'schedule.read', args: { workspace } });
      await t.send('create in the other workspace', creating(t, { workspace, title: titled(t, 'elsewhere') }));
    });
  },
  requirements: [
    row('content-requests.spends-nothing', {
      must: 'The server MUST NOT charge for a content request.',
      source: 'What the service does, rule 6',
      severity: 'spends-money',
      ...costsNothing({
        tool,
        what: 'content request',
        isDone: isSuccess,
        hint: 'Charge only when a confirmed run starts: an action that spends credits never runs in one call.',
      }),
    }),
    row('content-requests.created', {
      must: 'The server MUST accept a valid request for a future day.',
      source: tool,
      applies: (exchange, seen) => exchange.request.args?.format === 'posts' && mustBeAccepted(exchange, seen),
      answers: [success],
      hint: 'Accept a valid request for a future day.',
    }),
    ...formats.map(formatAccepted),
    row('content-requests.all-fields-present', {
      must: 'The server MUST send all seven fields of the result, even if they are `null`.',
      source: 'content.create_request, response',
      applies: resultOf(tool),
      answers: required.map((field) => holds(field, 'to be present', (value) => value !== undefined)),
      hint: 'Send null for a field without a value; do not omit the field.',
    }),
    row('content-requests.piece-id', {
      must: 'The server MUST send `piece_id` as a non-empty string.',
      ...ofResult,
      applies: resultOf(tool),
      answers: [has('piece_id', 'text')],
      hint: 'Send the ID of the piece, as a non-empty string.',
    }),
    row('content-requests.piece-id-new', {
      must: 'The server MUST send a different `piece_id` for every request.',
      ...ofResult,
      applies: (exchange, seen) => seen.pieces.size > 1 && seen.pieces.of(exchange),
      expect: (exchange, first) => repeated('piece_id', 'request', first, exchange),
      hint: 'Create a new piece for each request, even if the same request was sent before.',
    }),
    row('content-requests.scheduled-for-utc', {
      must: 'The server MUST send `scheduled_for` as `null` or as an ISO 8601 date and time in UTC.',
      ...ofPiece('scheduled_for'),
      hint: 'Send the date and time in UTC, such as 2027-01-05T09:00:00Z, or null.',
    }),
    row('content-requests.week-block-id', {
      must: 'The server MUST send `week_block_id` as a string or `null`.',
      ...ofPiece('week_block_id'),
      hint: 'Send the ID of the week block as a string, or null if no week block is open.',
    }),
    row('content-requests.filled-planned-slot', {
      must: 'The server MUST send `filled_planned_slot` as a boolean.',
      ...ofPiece('filled_planned_slot'),
      hint: 'Send true if the piece took a planned slot, otherwise false.',
    }),
    row('content-requests.working-in-complete', {
      must: 'The server MUST send `workspace`, `source`, `label` and `note` in `working_in`.',
      source: 'working_in object, last paragraph',
      applies: resultOf(tool, (exchange) => isRecord(body(exchange).working_in)),
      answers: ['workspace', 'source'].map((member) => has(`working_in.${member}`, { type: 'string' })),
      hint: 'Send workspace, source, label and note in working_in of the result.',
    }),
    row('content-requests.works-in-named-workspace', {
      must: 'The server MUST create the request in the requested workspace, even if the default is another one.',
      source: 'content.create_request, request',
      severity: 'data-isolation',
      applies: (exchange) =>
        isRequest(exchange) &&
        isValid(exchange) &&
        typeof exchange.request.args?.workspace === 'string' &&
        // The server refuses every other workspace to a key with one workspace.
        (isSuccess(exchange)
          ? body(exchange).workspace !== undefined
          : isWorkspaceRefusal(exchange) && exchange.sender.role !== 'sole'),
      control: (exchange, seen) => {
        const { role } = exchange.sender;
        const workspace = String(exchange.request.args?.workspace);
        if (isSuccess(exchange)) {
          const isDecided = !isElsewhere(exchange) || !seen.places.mayStay(role, tool);
          return isDecided || 'workspaces.argument-honoured-every-tool';
        }
        return seen.places.reaches(role, workspace, tool)
          ? sameRequest(exchange, seen, { except: ['workspace'] })
          : promisedBy(tool);
      },
      answers: inRequested,
      hint: 'Create the request in the workspace that the argument names.',
    }),
  ],
  alsoTests: witnessesOfServiceRules(tool),
});
