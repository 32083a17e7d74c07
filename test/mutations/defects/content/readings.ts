import { success } from '../../../../stub/server/responses.ts';
import { defect } from '../../../../stub/variants/defect.ts';
import {
  afterTool,
  aroundTool,
  both,
  type Change,
  changing,
  each,
  field,
  fields,
  list,
  result,
} from '../../changes/responses.ts';
import { asked, declining, refusing } from '../../changes/steps.ts';

const schedule = (...changes: readonly Change[]) => changing(result('schedule.read'), ...changes);

const ofEmptyQuery = both(result('library.search'), (_, { args }) => args.query === '');

const dayMs = 86_400_000;

/** Adds days to a date. Invalid dates, which other defects can produce, stay unchanged. */
const shifted = (day: unknown, days: number): unknown => {
  const time = Date.parse(String(day));
  return Number.isNaN(time) ? day : new Date(time + days * dayMs).toISOString().slice(0, 10);
};

const search = (...changes: readonly Change[]) => changing(result('library.search'), ...changes);

const knowledge = (...changes: readonly Change[]) => changing(result('knowledge.search'), ...changes);

const connections = (...changes: readonly Change[]) => changing(result('connections.status'), ...changes);
const balance = (...changes: readonly Change[]) => changing(result('credits.balance'), ...changes);

/** Returns whether a hit matches no query word. The stub returns weak hits for every query. */
const weak = (hit: unknown) => typeof hit === 'object' && hit !== null && 'relevance' in hit && hit.relevance === 0.1;

/** Defects in the results of tools that only read. */
export const readingDefects = {
  'schedule-unread-while-named': defect('refuses schedule.read if the request names a workspace')
    .breaks('schedule.answers')
    .by(declining('schedule.read', (call) => asked(call) !== undefined)),
  'week-start-in-local-form': defect('writes week_start as DD.MM.YYYY')
    .breaks('schedule.week-start', 'schedule.days-from-week-start')
    .by(schedule(field('week_start', (day) => String(day).split('-').reverse().join('.')))),
  'day-of-25-hours': defect('lists a day twice, because it adds 24 hours for each day even if the clocks go back')
    .breaks('schedule.days-consecutive')
    .by(schedule(list('days', (days) => [...days.slice(0, 4), ...days.slice(3, 6)]))),
  'weekend-first': defect('lists the last two days of the week before the others')
    .breaks('schedule.days-consecutive', 'schedule.days-from-week-start')
    .by(schedule(list('days', (days) => [...days.slice(5), ...days.slice(0, 5)]))),
  'eighth-day': defect('also lists the first day of the next week')
    .breaks('schedule.seven-days')
    .by(schedule(list('days', (days) => [...days, shifted(days.at(-1), 1)]))),
  'meta-line-null': defect('sends meta_line as null')
    .breaks('schedule.meta-line')
    .by(schedule(fields({ meta_line: null }))),
  'rows-by-format': defect('sends the member rows as an object instead of an array')
    .breaks('schedule.rows')
    .by(schedule(list('rows', (rows) => ({ ...rows })))),
  'status-workspace-null': defect('sends null as the workspace in the results of content.status')
    .breaks(
      'content-status.answers',
      'workspaces.result-names-workspace',
      'workspaces.argument-honoured',
      'workspaces.argument-honoured-every-tool',
      'workspaces.working-in-agrees',
    )
    .by(changing(result('content.status'), fields({ workspace: null }))),
  'empty-query-refused': defect('refuses an empty query of library.search')
    .breaks('library.search-answers', 'workspaces.argument-honoured-every-tool', 'workspaces.ambiguous-library-search')
    .by(refusing('query', (query) => query === '', 'library.search')),
  'total-negative': defect('sends -1 as the total')
    .breaks('library.total', 'library.total-covers-items', 'library.untruncated-is-all', 'library.total-counts-items')
    .by(search(fields({ total: -1 }))),
  'roll-left-out': defect('leaves out the member roll from some items')
    .breaks('library.item-fields')
    .by(search(each('items', (item) => (item.roll === 'archive' ? { ...item, roll: undefined } : item)))),
  'items-twice': defect('lists the first item twice')
    .breaks(
      'library.item-unique',
      'library.total-covers-items',
      'library.untruncated-is-all',
      'library.total-counts-items',
    )
    .by(search(list('items', (items) => [...items.slice(0, 1), ...items]))),
  'same-item-of-two-boards': defect('lists an item once for each board that it is on')
    .breaks('library.item-unique')
    .by(
      search(
        list('items', (items) =>
          items.flatMap((item, at) => (at === 3 ? [item, { ...Object(item), source_board_name: 'other' }] : [item])),
        ),
      ),
    ),
  'empty-query-finds-nothing': defect('returns no items for an empty query')
    .breaks('library.empty-query-finds')
    .by(changing(ofEmptyQuery, fields({ items: [], total: 0, truncated: false }))),
  'unknown-item-as-null': defect('returns ok: true and item: null for an unknown library item')
    .breaks('library.unknown-id-refused')
    .by(
      aroundTool('library.get', (get) => (call) => {
        const response = get(call);
        const { slug } = call.place.workspace.content;
        const working_in = { label: slug, note: '', workspace: slug, source: call.place.source };
        return response.body.code === 'item_not_found'
          ? success({ ok: true, item: null, workspace: slug, working_in })
          : response;
      }),
    ),
  'query-normalised': defect('converts the query that knowledge.search echoes to Unicode normalization form NFC')
    .breaks('knowledge.query-echoed')
    .by(knowledge(field('query', (query) => String(query).normalize('NFC')))),
  'relevance-as-text': defect('sends the relevance of a hit as a string')
    .breaks('knowledge.hit-fields')
    .by(knowledge(each('hits', (hit) => ({ ...hit, relevance: String(hit.relevance) })))),
  'ok-as-number': defect('sends the member ok as the number 1 in the results of connections.status')
    .breaks('envelopes.ok-boolean', 'connections.answers')
    .by(connections(fields({ ok: 1 }))),
  'connected-left-out': defect('leaves out the group connected')
    .breaks('connections.connected')
    .by(connections(fields({ connected: undefined }))),
  'empty-group-left-out': defect('leaves out the group needs_attention')
    .breaks('connections.needs-attention')
    .by(connections(fields({ needs_attention: undefined }))),
  'available-null': defect('sends the group available as null')
    .breaks('connections.available')
    .by(connections(fields({ available: null }))),
  'balance-of-the-key': defect('keeps a separate balance for each key')
    .breaks('credits.one-balance')
    .by(balance(field('balance', (value, { key }) => Number(value) + (key?.secret.charCodeAt(9) ?? 0)))),
  'balance-cached-by-key': defect('returns an outdated balance for some keys of an account')
    .breaks('credits.one-balance')
    .by(balance(field('balance', (value, { key }) => Number(value) + (key?.role === 'throttled' ? 4 : 0)))),
  'knowledge-costs-credits': defect('charges one credit for a search of the knowledge base that finds something')
    .breaks('credits.reads-cost-nothing')
    .by(
      afterTool('knowledge.search', ({ body }, { account }) => {
        if (Array.isArray(body.hits) && body.hits.length > 0) account.credits -= 1;
      }),
    ),
  'reading-charges': defect('charges one credit for each reading of the balance')
    .breaks('credits.reading-costs-nothing')
    .by(
      aroundTool('credits.balance', (read) => (call) => {
        call.account.credits -= 1;
        return read(call);
      }),
    ),
  'hits-null-where-none-match': defect('sends hits as null if nothing matches the query')
    .breaks('knowledge.hits')
    .by(knowledge(list('hits', (hits) => (hits.every(weak) ? null : hits)))),
  'question-in-the-spelling-kept': defect(
    'ignores letter case when it caches responses of knowledge.search, so the echoed query can be an earlier one',
  )
    .breaks('knowledge.query-echoed')
    .by((behavior) => {
      const kept = new Map<string, unknown>();
      return changing(
        result('knowledge.search'),
        field('query', (query) => {
          const plain = String(query).trim().toLowerCase();
          if (!kept.has(plain)) kept.set(plain, query);
          return kept.get(plain);
        }),
      )(behavior);
    }),
};
