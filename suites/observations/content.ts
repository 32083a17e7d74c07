import { body, type Completed, isCompleted, isSuccess } from '../history/exchange.ts';
import { isRecord } from '../json.ts';
import {
  type Answer,
  each,
  elements,
  fieldNames,
  outcome,
  recorded,
  resultsOf,
  sentFor,
  short,
  type Told,
} from './told.ts';

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const isDate = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
const envelope = ['ok', 'workspace', 'working_in'];

/** The day that was asked for against the day, in UTC, of `scheduled_for`. */
export const scheduledOnDay: Answer = (history) =>
  each(
    resultsOf(history, 'content.create_request')
      .filter(({ request, observes }) => observes === null && isDate(request.args?.day))
      .map((one): Told => {
        const { scheduled_for: moment } = body(one);
        if (typeof moment !== 'string') return ['scheduled_for is null', one];
        const same = moment.startsWith(String(one.request.args?.day));
        return [same ? 'on the day, in UTC' : 'on another day, in UTC', one];
      }),
  );

/** The most that a letter outside the basic plane was found to count for, of 1, 2 and 4. */
export const astralTitle: Answer = (history) => {
  const sent = sentFor(history, 'content-requests.astral-title').filter(isCompleted);
  const accepted = sent.find(isSuccess);
  if (accepted !== undefined) return [[accepted.observes?.what, accepted]];
  const last = sent.at(-1);
  return last === undefined ? [] : [[`more than 4: ${short(outcome(last))}`, last]];
};

const named = (one: Completed, names: readonly string[]): Told[] => names.map((name) => [name, one]);

export const statusFields: Answer = (history) =>
  each(
    resultsOf(history, 'content.status').flatMap((one) =>
      named(
        one,
        fieldNames([body(one)]).filter((name) => !envelope.includes(name)),
      ),
    ),
  );

export const scheduleEntries: Answer = (history) =>
  each(
    resultsOf(history, 'schedule.read').flatMap((one) =>
      (['rows', 'pieces'] as const).flatMap((list) =>
        named(
          one,
          fieldNames(elements(body(one)[list])).map((name) => `${list}[].${name}`),
        ),
      ),
    ),
  );

export const weekStart: Answer = (history) =>
  each(
    resultsOf(history, 'schedule.read').flatMap((one): Told[] => {
      const { week_start: start } = body(one);
      const weekday = isDate(start) ? weekdays[new Date(`${start}T00:00:00Z`).getUTCDay()] : undefined;
      return weekday === undefined ? [] : [[weekday, one]];
    }),
  );

const itemsIn = (one: Completed) => elements(body(one).items).filter(isRecord);

const ofItems =
  (field: 'kind' | 'roll'): Answer =>
  (history) =>
    each(
      resultsOf(history, 'library.search').flatMap((one) =>
        itemsIn(one).map((item): Told => [short(item[field]), one]),
      ),
    );

export const libraryKinds = ofItems('kind');
export const libraryRolls = ofItems('roll');

/** Names of the fields of a full item, those of the object that holds it included: `item.title`. */
export const itemFields: Answer = (history) =>
  each(
    resultsOf(history, 'library.get').flatMap((one) =>
      Object.entries(body(one))
        .filter(([name]) => !envelope.includes(name))
        .flatMap(([name, value]) => (isRecord(value) ? fieldNames([value]).map((inner) => `${name}.${inner}`) : [name]))
        .map((name): Told => [short(name), one]),
    ),
  );

/** A kind that there is, with an id that the kit made up. */
export const unknownItem: Answer = (history) => {
  const kinds = resultsOf(history, 'library.search').flatMap(itemsIn);
  return each(
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

/** Whether hits come with the strongest first, as far as two of different strength are shown. */
export const knowledgeOrder: Answer = (history) =>
  each(
    resultsOf(history, 'knowledge.search').flatMap((one): Told[] => {
      const strengths = elements(body(one).hits).map((hit) => (isRecord(hit) ? Number(hit.relevance) : Number.NaN));
      if (new Set(strengths).size < 2) return [];
      const falls = strengths.every((strength, at) => at === 0 || strength <= (strengths[at - 1] ?? strength));
      return [[falls ? 'the strongest first' : 'in another order', one]];
    }),
  );

export const connectionEntries: Answer = (history) =>
  each(
    resultsOf(history, 'connections.status').flatMap((one) => {
      const { connected, needs_attention: attention, available } = body(one);
      return named(one, fieldNames([connected, attention, available].flatMap(elements)));
    }),
  );

/** What a tool does without a query, and whether it finds something. */
export const absentQuery =
  (question: 'library.absent-query' | 'knowledge.absent-query'): Answer =>
  (history) =>
    sentFor(history, question)
      .filter(isCompleted)
      .map((one) => {
        const { items, hits } = body(one);
        const found = elements(items ?? hits).length > 0 ? 'and finds something' : 'and finds nothing';
        return [isSuccess(one) ? `accepted, ${found}` : outcome(one), one];
      });
