import { body, type Completed, isCompleted, isSuccess } from '../history/exchange.ts';
import { isRecord } from '../json.ts';
import {
  type Answer,
  distinct,
  elements,
  fieldNames,
  type Observation,
  outcome,
  recorded,
  resultsOf,
  sentFor,
  short,
} from './observation.ts';

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const isDate = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
const envelope = ['ok', 'workspace', 'working_in'];

/** Compares the requested day with the UTC day of `scheduled_for`. */
export const scheduledOnDay: Answer = (history) =>
  distinct(
    resultsOf(history, 'content.create_request')
      .filter(({ request, observes }) => observes === null && isDate(request.args?.day))
      .map((one): Observation => {
        const { scheduled_for: moment } = body(one);
        if (typeof moment !== 'string') return ['scheduled_for is null', one];
        const same = moment.startsWith(String(one.request.args?.day));
        return [same ? 'on the day, in UTC' : 'on another day, in UTC', one];
      }),
  );

/** Upper bound for the length that the server counts for an astral character: 1, 2 or 4. */
export const astralTitle: Answer = (history) => {
  const sent = sentFor(history, 'content-requests.astral-title').filter(isCompleted);
  const accepted = sent.find(isSuccess);
  if (accepted !== undefined) return [[accepted.observes?.what, accepted]];
  const last = sent.at(-1);
  return last === undefined ? [] : [[`more than 4: ${short(outcome(last))}`, last]];
};

const withExchange = (one: Completed, names: readonly string[]): Observation[] => names.map((name) => [name, one]);

export const statusFields: Answer = (history) =>
  distinct(
    resultsOf(history, 'content.status').flatMap((one) =>
      withExchange(
        one,
        fieldNames([body(one)]).filter((name) => !envelope.includes(name)),
      ),
    ),
  );

export const scheduleEntries: Answer = (history) =>
  distinct(
    resultsOf(history, 'schedule.read').flatMap((one) =>
      (['rows', 'pieces'] as const).flatMap((list) =>
        withExchange(
          one,
          fieldNames(elements(body(one)[list])).map((name) => `${list}[].${name}`),
        ),
      ),
    ),
  );

export const weekStart: Answer = (history) =>
  distinct(
    resultsOf(history, 'schedule.read').flatMap((one): Observation[] => {
      const { week_start: start } = body(one);
      const weekday = isDate(start) ? weekdays[new Date(`${start}T00:00:00Z`).getUTCDay()] : undefined;
      return weekday === undefined ? [] : [[weekday, one]];
    }),
  );

const itemsIn = (one: Completed) => elements(body(one).items).filter(isRecord);

const ofItems =
  (field: 'kind' | 'roll'): Answer =>
  (history) =>
    distinct(
      resultsOf(history, 'library.search').flatMap((one) =>
        itemsIn(one).map((item): Observation => [short(item[field]), one]),
      ),
    );

export const libraryKinds = ofItems('kind');
export const libraryRolls = ofItems('roll');

/** Names of the fields in a full item, prefixed with the containing object, such as `item.title`. */
export const itemFields: Answer = (history) =>
  distinct(
    resultsOf(history, 'library.get').flatMap((one) =>
      Object.entries(body(one))
        .filter(([name]) => !envelope.includes(name))
        .flatMap(([name, value]) => (isRecord(value) ? fieldNames([value]).map((inner) => `${name}.${inner}`) : [name]))
        .map((name): Observation => [short(name), one]),
    ),
  );

/** Outcomes for an existing kind with an invented ID. */
export const unknownItem: Answer = (history) => {
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
};

/** Whether the strongest hits come first, for results with at least two different strengths. */
export const knowledgeOrder: Answer = (history) =>
  distinct(
    resultsOf(history, 'knowledge.search').flatMap((one): Observation[] => {
      const strengths = elements(body(one).hits).map((hit) => (isRecord(hit) ? Number(hit.relevance) : Number.NaN));
      if (new Set(strengths).size < 2) return [];
      const falls = strengths.every((strength, at) => at === 0 || strength <= (strengths[at - 1] ?? strength));
      return [[falls ? 'the strongest first' : 'in another order', one]];
    }),
  );

export const connectionEntries: Answer = (history) =>
  distinct(
    resultsOf(history, 'connections.status').flatMap((one) => {
      const { connected, needs_attention: attention, available } = body(one);
      return withExchange(one, fieldNames([connected, attention, available].flatMap(elements)));
    }),
  );

/** Outcome of a search without a query, and whether it finds anything. */
export const absentQuery =
  (question: 'library.absent-query' | 'knowledge.absent-query'): Answer =>
  (history) =>
    sentFor(history, question)
      .filter(isCompleted)
      .map((one) => {
        const { items, hits } = body(one);
        const hitsText = elements(items ?? hits).length > 0 ? 'and finds something' : 'and finds nothing';
        return [isSuccess(one) ? `accepted, ${hitsText}` : outcome(one), one];
      });
