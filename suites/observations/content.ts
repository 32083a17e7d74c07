import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { body, type Completed, isRefusal, isSuccess } from '../exchange/exchange.ts';
import { isRecord, member } from '../json.ts';
import {
  type Answer,
  type Answers,
  distinctValues,
  elements,
  fieldNames,
  outcome,
  short,
  valueOfEach,
  valueOfMostTelling,
} from './observation.ts';

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const isDate = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
const envelope = ['ok', 'workspace', 'working_in'];

/** Answers with the different values of the successful results of one tool. */
const distinctIn = (tool: string, valuesOf: (one: Completed) => readonly unknown[]): Answer =>
  distinctValues((one) => one.request.tool === tool && isSuccess(one), valuesOf);

const itemsIn = (one: Completed) => elements(body(one).items).filter(isRecord);

const ofItems = (field: 'kind' | 'roll') =>
  distinctIn('library.search', (one) => itemsIn(one).map((item) => short(item[field])));

/** Returns the outcome of a search without a query, and whether it finds anything. */
function foundWithoutQuery(one: Completed): string {
  const { items, hits } = body(one);
  const hitsText = elements(items ?? hits).length > 0 ? 'and finds something' : 'and finds nothing';
  return isSuccess(one) ? `accepted, ${hitsText}` : outcome(one);
}

/** Answers about results, and about workspaces. */
export const content: Answers = {
  'connections.entries': distinctIn('connections.status', (one) => {
    const { connected, needs_attention: attention, available } = body(one);
    return fieldNames([connected, attention, available].flatMap(elements));
  }),
  /** Upper bound for the length that the server counts for an astral character: 1, 2 or 4. */
  ...valueOfMostTelling('content-requests.astral-title', isSuccess, (one) =>
    isSuccess(one) ? one.observes?.what : `more than 4: ${short(outcome(one))}`,
  ),
  /** Compares the requested day with the UTC day of `scheduled_for`. */
  'content-requests.scheduled-on-day': distinctIn('content.create_request', (one) => {
    if (one.observes !== null || !isDate(one.request.args?.day)) return [];
    const { scheduled_for: moment } = body(one);
    if (typeof moment !== 'string') return ['scheduled_for is null'];
    const same = moment.startsWith(String(one.request.args?.day));
    return [same ? 'on the day, in UTC' : 'on another day, in UTC'];
  }),
  'content-status.fields': distinctIn('content.status', (one) =>
    fieldNames([body(one)]).filter((name) => !envelope.includes(name)),
  ),
  ...valueOfEach('knowledge.absent-query', foundWithoutQuery),
  /** Whether the strongest hits come first, for results with at least two different strengths. */
  'knowledge.order': distinctIn('knowledge.search', (one) => {
    const strengths = elements(body(one).hits).map((hit) => (isRecord(hit) ? Number(hit.relevance) : Number.NaN));
    if (new Set(strengths).size < 2) return [];
    const falls = strengths.every((strength, at) => at === 0 || strength <= (strengths[at - 1] ?? strength));
    return [falls ? 'the strongest first' : 'in another order'];
  }),
  ...valueOfEach('library.absent-query', foundWithoutQuery),
  /** Names of the fields in a full item, prefixed with the containing object, such as `item.title`. */
  'library.get-fields': distinctIn('library.get', (one) =>
    Object.entries(body(one))
      .filter(([name]) => !envelope.includes(name))
      .flatMap(([name, value]) => (isRecord(value) ? fieldNames([value]).map((inner) => `${name}.${inner}`) : [name]))
      .map(short),
  ),
  'library.kinds': ofItems('kind'),
  'library.rolls': ofItems('roll'),
  /** Outcomes for an existing kind with an invented ID. */
  'library.unknown-id': distinctValues(
    ({ request, invented, sender }) =>
      request.tool === 'library.get' && sender.role === 'primary' && invented.join() === 'id',
    (one) => [outcome(one)],
  ),
  ...valueOfEach('order.arguments-or-workspace', (one) => {
    const issues = JSON.stringify(body(one).issues) ?? '';
    const first = isRefusal(one, refusalCodes.invalidArguments) && /\b(kind|id)\b/.test(issues);
    return first ? 'arguments first' : `workspace first: ${outcome(one)}`;
  }),
  'schedule.entries': distinctIn('schedule.read', (one) =>
    ['rows', 'pieces'].flatMap((list) => fieldNames(elements(body(one)[list])).map((name) => `${list}[].${name}`)),
  ),
  'schedule.week-start': distinctIn('schedule.read', (one) => {
    const { week_start: start } = body(one);
    const weekday = isDate(start) ? weekdays[new Date(`${start}T00:00:00Z`).getUTCDay()] : undefined;
    return weekday === undefined ? [] : [weekday];
  }),
  /** The ambiguous key gets this code only if the server treats null as an absent argument. */
  ...valueOfEach('workspaces.null-argument', (one) =>
    isRefusal(one, refusalCodes.workspaceAmbiguous) ? 'accepted' : outcome(one),
  ),
  ...valueOfEach('workspaces.pinned-with-argument', (one) => {
    const decides = body(one).workspace === one.request.args?.workspace ? 'the argument decides' : 'the pin decides';
    return isSuccess(one) ? decides : outcome(one);
  }),
  'workspaces.unreachable-code': distinctValues(
    (one, { knowledge }) => {
      const { request, sender, invented } = one;
      const named = knowledge.workspaces.filter(({ workspace }) => workspace === request.args?.workspace);
      const their = named.length > 0 && named.every(({ account }) => account !== 'own');
      const isOut = sender.role === 'primary' && (invented.includes('workspace') || their);
      return isOut && isRefusal(one) && !isRefusal(one, refusalCodes.invalidArguments);
    },
    (one) => [short(body(one).code)],
  ),
  'workspaces.working-in-on-refusals': distinctValues(
    (one) => isRefusal(one),
    (one) => {
      const present = member(one.response.json, 'working_in') !== undefined;
      return [`${short(body(one).code)}: ${present ? 'yes' : 'no'}`];
    },
  ),
};
