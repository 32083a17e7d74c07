import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { type Format, formats, type Source } from '../../fixtures/contract/enums.ts';
import { counted, limits } from '../../fixtures/contract/limits.ts';
import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { body, type Completed, isRefusal, isSuccess } from '../history/exchange.ts';
import { brief, isRecord, member } from '../json.ts';
import { isPlainRequest, isWorkspaceRefusal } from './answers.ts';
import { declinedWith } from './match/declined.ts';
import { fieldIs, fieldIsText } from './match/fields.ts';
import { succeeds } from './match/responses.ts';
import { isElsewhere } from './reach.ts';
import { everyResult, resultField } from './results.ts';
import { type Rule, rule, type Twin } from './rule.ts';
import type { Seen } from './seen/seen.ts';
import { isValid } from './violations.ts';

const tool = 'content.create_request';
const schema = 'ContentCreateRequestResult';
const dayMs = 24 * 3600 * 1000;

/** No particular day, title or format is promised to be open. */
const mayDecline = () => true;

/** The day of a request begins at least a day later, so that it is a coming one in every time zone. */
function isComing({ request, sentAt, clockMoved }: Completed, { knowledge: { clock, startedAt } }: Seen): boolean {
  const day = Date.parse(`${request.args?.day}T00:00:00Z`);
  const exists = !Number.isNaN(day) && new Date(day).toISOString().startsWith(String(request.args?.day));
  return clock && startedAt !== undefined && exists && day >= startedAt + sentAt + clockMoved + dayMs;
}

/** A fit request for a coming day in a workspace that its key reaches, or one that was accepted. */
function isGood(exchange: Completed, seen: Seen, title: (text: string) => boolean = isUsualTitle): boolean {
  const { args } = exchange.request;
  return (
    isPlainRequest(exchange, tool, seen) &&
    title(String(args?.title ?? 'untitled')) &&
    (isSuccess(exchange) || (isComing(exchange, seen) && !isWorkspaceRefusal(exchange)))
  );
}

/**
 * The shortest and the longest title have requirements of their own, and so has a title of rare letters. A title of
 * white space may be refused.
 */
const isUsualTitle = (title: string) =>
  /^[\w .:()-]+$/.test(title) &&
  title.trim() !== '' &&
  title.length > limits.title.least &&
  title.length < limits.title.most;

/** The same request apart from these arguments, accepted. */
function created({ sender, request }: Completed, seen: Seen, ...except: string[]): Twin {
  const { role } = sender;
  return {
    succeeded: seen.successes.has({ role, tool, args: request.args ?? {}, except }),
    promisedBy: 'content-requests.created',
  };
}

function formatAccepted(id: RequirementId, format: Format): Rule {
  return rule(id, {
    applies: (exchange, seen) => exchange.request.args?.format === format && isGood(exchange, seen),
    mayDecline,
    // That anything is created at all is promised for posts.
    twin: (exchange, seen) =>
      format === 'posts'
        ? { succeeded: true, promisedBy: 'content-requests.created' }
        : created(exchange, seen, 'format'),
    expect: (exchange) =>
      succeeds(exchange, `Accept ${format}: it is one of the five formats.`) ??
      fieldIs(exchange, 'format', format, 'Send the requested format in the result.'),
  });
}

function titleAccepted(id: RequirementId, length: number): Rule {
  return rule(id, {
    applies: (exchange, seen) => isGood(exchange, seen, (title) => /^[ -~]+$/.test(title) && title.length === length),
    mayDecline,
    twin: (exchange, seen) => created(exchange, seen),
    expect: (exchange) => succeeds(exchange, `Accept a title of ${counted(length, 'character')}.`),
  });
}

/** Requests that are accepted. */
const accepting: readonly Rule[] = [
  rule('content-requests.created', {
    applies: (exchange, seen) => exchange.request.args?.format === 'posts' && isGood(exchange, seen),
    mayDecline,
    expect: (exchange) => succeeds(exchange, 'Accept a valid request for a coming day.'),
  }),
  ...formats.map((format) => formatAccepted(`content-requests.format-${dashed(format)}`, format)),
  titleAccepted('content-requests.title-shortest', limits.title.least),
  titleAccepted('content-requests.title-longest', limits.title.most),
];

type Dashed<F extends string> = F extends `${infer A}_${infer B}` ? `${A}-${B}` : F;

function dashed<F extends Format>(format: F): Dashed<F> {
  // The requirements have dashes where the formats have underscores.
  return format.replace('_', '-') as Dashed<F>;
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

/** A field that is missing is told by the requirement which asks for all of them. */
const has = (field: string) => (exchange: Completed) => body(exchange)[field] !== undefined;

/** What the result of a request tells. */
const telling: readonly Rule[] = [
  everyResult('content-requests.all-fields-present', tool, (exchange) => {
    const missing = required.filter((field) => !Object.hasOwn(body(exchange), field));
    if (missing.length === 0) return undefined;
    return {
      expected: `the fields ${required.join(', ')}`,
      actual: `no ${missing.join(', ')}`,
      hint: 'Send null for a field without a value; do not omit it.',
      exchanges: [exchange],
    };
  }),
  everyResult('content-requests.piece-id', tool, (exchange) =>
    fieldIsText(exchange, 'piece_id', 'Send the id of the piece, as a non-empty string.'),
  ),
  rule('content-requests.piece-id-new', {
    applies: (exchange, seen) => seen.pieces.of(exchange) !== undefined && seen.pieces.size > 1,
    expect: (exchange, seen) => {
      const first = seen.pieces.of(exchange);
      if (first === undefined || first === exchange) return undefined;
      return {
        expected: 'a different piece_id for each request',
        actual: `piece_id ${brief(body(exchange).piece_id)} twice`,
        hint: 'Create a new piece for each request, even if the same request was sent before.',
        exchanges: [first, exchange],
      };
    },
  }),
  resultField(
    'content-requests.scheduled-for-utc',
    tool,
    schema,
    'scheduled_for',
    'Send the date and time in UTC, such as 2027-01-05T09:00:00Z, or null.',
    has('scheduled_for'),
  ),
  resultField(
    'content-requests.week-block-id',
    tool,
    schema,
    'week_block_id',
    'Send the id of the week block as a string, or null while none is open.',
    has('week_block_id'),
  ),
  resultField(
    'content-requests.filled-planned-slot',
    tool,
    schema,
    'filled_planned_slot',
    'Send true if the piece took a planned slot, otherwise false.',
    has('filled_planned_slot'),
  ),
  everyResult(
    'content-requests.working-in-complete',
    tool,
    (exchange) => {
      const { working_in } = body(exchange);
      if (['workspace', 'source'].every((field) => typeof member(working_in, field) === 'string')) return undefined;
      return {
        expected: 'working_in with the strings workspace and source',
        actual: `working_in ${brief(working_in)}`,
        hint: 'Send workspace, source, label and note in working_in of the result.',
        exchanges: [exchange],
      };
    },
    (exchange) => isRecord(body(exchange).working_in),
  ),
];

const rungs: Readonly<Record<string, Source>> = {
  pinned: 'key-pin',
  defaulted: 'stored-default',
  sole: 'sole-reachable',
};

const isRequest = ({ sender, request, invented }: Completed) =>
  request.tool === tool && sender.kind === 'key' && request.body !== null && invented.length === 0;

/** Where a request runs. */
const places: readonly Rule[] = [
  rule('content-requests.works-in-named-workspace', {
    applies: (exchange) =>
      isRequest(exchange) &&
      isValid(exchange) &&
      typeof exchange.request.args?.workspace === 'string' &&
      // A key of one workspace is refused every other.
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
      const twin = created(exchange, seen, 'workspace');
      return { ...twin, succeeded: twin.succeeded && seen.places.reaches(role, workspace, tool) };
    },
    expect: (exchange) => {
      const hint = 'Create the request in the workspace that the argument names.';
      const { workspace } = exchange.request.args ?? {};
      if (isSuccess(exchange))
        return isElsewhere(exchange) ? fieldIs(exchange, 'workspace', workspace, hint) : undefined;
      return succeeds(exchange, hint);
    },
  }),
  rule('content-requests.source-of-each-rung', {
    applies: (exchange) =>
      isRequest(exchange) &&
      isValid(exchange) &&
      exchange.sender.role !== null &&
      Object.hasOwn(rungs, exchange.sender.role) &&
      exchange.request.args?.workspace === undefined,
    unlessHouseRule: true,
    // What the holder of a key may do besides is not known: a refusal counts where the request works once it names a
    // workspace.
    twin: (exchange, seen) => {
      const resolved = isSuccess(exchange) || isRefusal(exchange, refusalCodes.workspaceAmbiguous);
      return resolved
        ? { succeeded: true, promisedBy: 'content-requests.created' }
        : created(exchange, seen, 'workspace');
    },
    expect: (exchange) => {
      const source = rungs[String(exchange.sender.role)];
      const actual = member(exchange.response.json, 'working_in', 'source');
      const hint = `Check how ${tool} resolves the workspace of the key in the role '${exchange.sender.role}'.`;
      const refused = succeeds(exchange, hint);
      // Declined once, the request may have met a rule of the service that meets every twentieth request.
      if (refused !== undefined) return { ...refused, shaky: declinedWith(exchange) !== undefined };
      if (actual === source) return undefined;
      return {
        expected: `working_in.source ${brief(source)}`,
        actual: `working_in.source ${brief(actual)}`,
        hint,
        exchanges: [exchange],
      };
    },
  }),
];

export const contentRequests: readonly Rule[] = [...accepting, ...telling, ...places];
