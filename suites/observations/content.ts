import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { body, type Completed, isCompleted, isRefusal, isSuccess } from '../exchange/exchange.ts';
import { isRecord, member } from '../json.ts';
import {
  type Answer,
  type Answers,
  distinct,
  distinctValues,
  elements,
  fieldNames,
  outcome,
  recorded,
  resultsOf,
  sentFor,
  short,
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

/** Outcome of a search without a query, and whether it finds anything. */
const absentQuery =
  (question: 'library.absent-query' | 'knowledge.absent-query'): Answer =>
  (history) =>
    sentFor(history, question)
      .filter(isCompleted)
      .map((one) => {
        const { items, hits } = body(one);
        const hitsText = elements(items ?? hits).length > 0 ? 'and finds something' : 'and finds nothing';
        return [isSuccess(one) ? `accepted, ${hitsText}` : outcome(one), one];
      });

/** Answers about results, and about workspaces. */
export const content: Answers = {
  'connections.entries': distinctIn('connections.status', (one) => {
    const { connected, needs_attention: attention, available } = body(one);
    return fieldNames([connected, attention, available].flatMap(elements));
  }),
  /** Upper bound for the length that the server counts for an astral character: 1, 2 or 4. */
  'content-requests.astral-title': (history) => {
    const sent = sentFor(history, 'content-requests.astral-title').filter(isCompleted);
    const accepted = sent.find(isSuccess);
    if (accepted !== undefined) return [[accepted.observes?.what, accepted]];
    const last = sent.at(-1);
    return last === undefined ? [] : [[`more than 4: ${short(outcome(last))}`, last]];
  },
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
  'knowledge.absent-query': absentQuery('knowledge.absent-query'),
  /** Whether the strongest hits come first, for results with at least two different strengths. */
  'knowledge.order': distinctIn('knowledge.search', (one) => {
    const strengths = elements(body(one).hits).map((hit) => (isRecord(hit) ? Number(hit.relevance) : Number.NaN));
    if (new Set(strengths).size < 2) return [];
    const falls = strengths.every((strength, at) => at === 0 || strength <= (strengths[at - 1] ?? strength));
    return [falls ? 'the strongest first' : 'in another order'];
  }),
  'library.absent-query': absentQuery('library.absent-query'),
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
  'library.unknown-id': (history) => {
    const kinds = resultsOf(history, 'library.search').flatMap(itemsIn);
    return distinct(
      recorded(history)
        .filter(
          ({ request, invented, sender }) =>
            request.tool === 'library.get' &&
            sender.role === 'primary' &&
            invented.includes('id') &&
            !invented.includes('workspace') &&
            kinds.some(({ kind }) => kind === request.args?.kind),
        )
        .map((one) => [outcome(one), one]),
    );
  },
  'order.arguments-or-workspace': (history) =>
    sentFor(history, 'order.arguments-or-workspace')
      .filter(isCompleted)
      .map((one) => {
        const issues = JSON.stringify(body(one).issues) ?? '';
        const first = isRefusal(one, refusalCodes.invalidArguments) && /\b(kind|id)\b/.test(issues);
        return [first ? 'arguments first' : `workspace first: ${outcome(one)}`, one];
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
  'workspaces.null-argument': (history) =>
    sentFor(history, 'workspaces.null-argument')
      .filter(isCompleted)
      .map((one) => [isRefusal(one, refusalCodes.workspaceAmbiguous) ? 'accepted' : outcome(one), one]),
  'workspaces.pinned-with-argument': (history) => {
    const sent = sentFor(history, 'workspaces.pinned-with-argument').filter(isCompleted);
    // The key may lack access to some workspaces. A result says more than a refusal.
    const one = sent.find(isSuccess) ?? sent[0];
    if (one === undefined) return [];
    const decides = body(one).workspace === one.request.args?.workspace ? 'the argument decides' : 'the pin decides';
    return [[isSuccess(one) ? decides : outcome(one), one]];
  },
  'workspaces.unreachable-code': (history) => {
    const isOut = ({ request, sender, invented }: Completed) => {
      const named = history.knowledge.workspaces.filter(({ workspace }) => workspace === request.args?.workspace);
      const their = named.length > 0 && named.every(({ account }) => account !== 'own');
      return sender.role === 'primary' && (invented.includes('workspace') || their);
    };
    const refused = recorded(history).filter(
      (one) => isRefusal(one) && isOut(one) && !isRefusal(one, refusalCodes.invalidArguments),
    );
    return distinct(refused.map((one) => [short(body(one).code), one]));
  },
  'workspaces.working-in-on-refusals': distinctValues(
    (one) => isRefusal(one),
    (one) => {
      const present = member(one.response.json, 'working_in') !== undefined;
      return [`${short(body(one).code)}: ${present ? 'yes' : 'no'}`];
    },
  ),
};
