import type { ToolName } from '../../fixtures/contract/tools.ts';
import type { readingDefects as data } from '../../fixtures/defects/reading.ts';
import { refusal, success } from '../answers.ts';
import type { Call } from '../call.ts';
import {
  answering,
  aroundTool,
  type Body,
  both,
  type Change,
  code,
  type Deviation,
  each,
  field,
  fields,
  list,
  result,
  sentAs,
} from './patches.ts';
import { asked } from './places.ts';
import { around, calls, converting, defaulting, instead, refusing } from './steps.ts';

const schedule = (...changes: readonly Change[]) => answering(result('schedule.read'), ...changes);
const search = (...changes: readonly Change[]) => answering(result('library.search'), ...changes);
const knowledge = (...changes: readonly Change[]) => answering(result('knowledge.search'), ...changes);
const connections = (...changes: readonly Change[]) => answering(result('connections.status'), ...changes);
const balance = (...changes: readonly Change[]) => answering(result('credits.balance'), ...changes);

/** Refuses some calls of a tool for a reason of its own. */
const declining = (tool: ToolName, when: (call: Call) => boolean): Deviation =>
  instead(
    'runTool',
    (call) => calls(tool)(call) && when(call),
    () => refusal('tool', { code: 'unavailable', message: 'This cannot be read just now.' }),
  );

const byNumber = (name: string, tool: ToolName): Deviation =>
  converting(name, (value) => (typeof value === 'number' ? String(value) : value), tool);
const outOfAList = (name: string, tool: ToolName): Deviation =>
  converting(name, (value) => (Array.isArray(value) ? value.join(' ') : value), tool);

const dayMs = 86_400_000;
/** A day some days later; what another deviation made no day of stays as it is. */
const shifted = (day: unknown, days: number): unknown => {
  const time = Date.parse(String(day));
  return Number.isNaN(time) ? day : new Date(time + days * dayMs).toISOString().slice(0, 10);
};
const unknownItem = code('item_not_found');
const without =
  (name: string) =>
  ({ [name]: _, ...others }: Body): Body =>
    others;

/** Items of the workspace that a call names, before it is resolved. */
const itemsOf = (call: Call) => {
  const named = call.body.workspace ?? call.key?.storedDefault;
  const slug = call.key?.reach.find((each) => each === named);
  return slug === undefined ? [] : call.state.workspace(slug).content.library.map(({ listed }) => listed);
};

/** Deviations of the tools that read. */
export const readingDefects: Readonly<Record<keyof typeof data, Deviation>> = {
  'schedule-unread-while-named': declining('schedule.read', (call) => asked(call) !== undefined),
  'week-start-with-time': schedule(field('week_start', (day) => `${day}T00:00:00Z`)),
  'week-start-in-local-form': schedule(field('week_start', (day) => String(day).split('-').reverse().join('.'))),
  'days-as-objects': schedule(list('days', (days) => days.map((date) => ({ date })))),
  'days-empty': schedule(fields({ days: [] })),
  'days-with-times': schedule(list('days', (days) => days.map((day) => `${day}T00:00:00Z`))),
  'days-backwards': schedule(list('days', (days) => days.toReversed())),
  'day-of-25-hours': schedule(list('days', (days) => [...days.slice(0, 4), ...days.slice(3, 6)])),
  'weekend-first': schedule(list('days', (days) => [...days.slice(5), ...days.slice(0, 5)])),
  'week-start-a-day-early': schedule(field('week_start', (day) => shifted(day, -1))),
  'working-week': schedule(list('days', (days) => days.slice(0, 5))),
  'eighth-day': schedule(list('days', (days) => [...days, shifted(days.at(-1), 1)])),
  'meta-line-as-object': schedule(field('meta_line', (text) => ({ text }))),
  'meta-line-null': schedule(fields({ meta_line: null })),
  'rows-by-format': schedule(list('rows', (rows) => ({ ...rows }))),
  'rows-left-out': schedule(fields({ rows: undefined })),
  'pieces-null': schedule(fields({ pieces: null })),
  'pieces-counted': schedule(list('pieces', (pieces) => pieces.length)),

  'counts-refused': declining('content.status', (call) => asked(call) !== undefined),
  'status-workspace-null': answering(result('content.status'), fields({ workspace: null })),

  'empty-query-refused': refusing('query', (query) => query === '', 'library.search'),
  'total-as-text': search(field('total', String)),
  'total-negative': search(fields({ total: -1 })),
  'total-left-out': search(fields({ total: undefined })),
  'truncated-as-number': search(field('truncated', Number)),
  'truncated-left-out': search(fields({ truncated: undefined })),
  'items-by-kind': search(list('items', (items) => ({ ...items }))),
  'items-null': search(fields({ items: null })),
  'pinned-in-words': search(each('items', (item) => ({ ...item, pinned: item.pinned ? 'yes' : 'no' }))),
  'roll-left-out': search(each('items', (item) => (item.roll === 'archive' ? without('roll')(item) : item))),
  'item-title-null': search(each('items', (item) => (item.kind === 'clip' ? { ...item, title: null } : item))),
  'item-id-as-number': search(
    list('items', (items) => items.map((item, id) => (id === 0 ? { ...Object(item), id } : item))),
  ),
  'last-item-without-board': search(
    list('items', (items) =>
      items.map((item, at) => (at === items.length - 1 ? without('source_board_name')(Object(item)) : item)),
    ),
  ),
  'items-twice': search(list('items', (items) => [...items.slice(0, 1), ...items])),
  'same-item-of-two-boards': search(
    list('items', (items) =>
      items.flatMap((item, at) => (at === 3 ? [item, { ...Object(item), source_board_name: 'other' }] : [item])),
    ),
  ),
  'empty-query-finds-nothing': answering(
    both(result('library.search'), (_, { args }) => args.query === ''),
    fields({ items: [], total: 0, truncated: false }),
  ),
  'total-of-the-rest': search(field('total', (total) => Math.max(0, Number(total) - 20))),
  'never-truncated': search(fields({ truncated: false })),
  'search-query-by-number': byNumber('query', 'library.search'),
  'search-query-out-of-a-list': outOfAList('query', 'library.search'),
  'clips-not-got': declining('library.get', ({ args }) => args.kind !== 'image'),
  'items-got-by-title': converting('id', (id) => (typeof id === 'string' ? `title ${id}` : id), 'library.get'),
  'item-found-without-kind': defaulting(
    'kind',
    (call) => itemsOf(call).find(({ id }) => id === call.body.id)?.kind,
    'library.get',
  ),
  'item-found-without-id': defaulting(
    'id',
    (call) => itemsOf(call).find(({ kind }) => kind === call.body.kind)?.id,
    'library.get',
  ),
  'kind-by-number': byNumber('kind', 'library.get'),
  'kind-out-of-a-list': outOfAList('kind', 'library.get'),
  'id-by-number': byNumber('id', 'library.get'),
  'id-out-of-a-list': outOfAList('id', 'library.get'),
  'unknown-item-as-404': answering(unknownItem, sentAs(404)),
  'unknown-item-as-null': aroundTool('library.get', (get) => (call) => {
    const answer = get(call);
    const { slug } = call.place.workspace.content;
    const working_in = { label: slug, note: '', workspace: slug, source: call.place.source };
    return answer.body.code === 'item_not_found'
      ? success({ ok: true, item: null, workspace: slug, working_in })
      : answer;
  }),
  'nearest-item-got': aroundTool('library.get', (get) => (call) => {
    const answer = get(call);
    const other = call.place.workspace.content.library.find(({ listed }) => listed.kind === call.args.kind);
    return answer.body.code === 'item_not_found' && other !== undefined
      ? get({ ...call, args: { ...call.args, id: other.listed.id } })
      : answer;
  }),

  'whole-questions-refused': refusing('query', (query) => String(query).split(' ').length > 5, 'knowledge.search'),
  'query-trimmed': knowledge(field('query', (query) => String(query).trim())),
  'query-echoed-in-lower-case': knowledge(field('query', (query) => String(query).toLowerCase())),
  'query-escaped': knowledge(field('query', (query) => String(query).replaceAll('&', '&amp;').replaceAll('<', '&lt;'))),
  'query-normalised': knowledge(field('query', (query) => String(query).normalize('NFC'))),
  'query-not-echoed': knowledge(fields({ query: undefined })),
  'hits-null': knowledge(fields({ hits: null })),
  'hits-in-pages': knowledge(field('hits', (hits) => ({ pages: [hits] }))),
  'relevance-as-text': knowledge(each('hits', (hit) => ({ ...hit, relevance: String(hit.relevance) }))),
  'relevance-null-of-the-weakest': knowledge(
    list('hits', (hits) => [...hits.slice(0, -1), { ...Object(hits.at(-1)), relevance: null }]),
  ),
  'source-as-object': knowledge(each('hits', ({ source, ...hit }) => ({ ...hit, source: { name: source } }))),
  'excerpt-left-out': knowledge(each('hits', without('excerpt'))),
  'question-by-number': byNumber('query', 'knowledge.search'),
  'question-out-of-a-list': outOfAList('query', 'knowledge.search'),

  'connections-refused': declining(
    'connections.status',
    ({ place }) => (place?.workspace.content.connections.needs_attention.length ?? 0) > 0,
  ),
  'connected-by-name': connections(list('connected', (group) => ({ ...group }))),
  'connected-left-out': connections(fields({ connected: undefined })),
  'empty-group-left-out': connections(fields({ needs_attention: undefined })),
  'needs-attention-in-camel-case': connections(({ body: { needs_attention, ...body }, ...answer }) => ({
    ...answer,
    body: { ...body, needsAttention: needs_attention },
  })),
  'available-counted': connections(list('available', (group) => group.length)),
  'available-null': connections(fields({ available: null })),

  'balance-as-text': balance(field('balance', String)),
  'balance-null': balance(field('balance', (value, { key }) => (key?.storedDefault === null ? null : value))),
  'balance-null-elsewhere': balance(field('balance', (value, { key }) => (key?.account === 'first' ? value : null))),
  'balance-as-object': balance(field('balance', (amount) => ({ amount, unit: 'credits' }))),
  'balance-wants-a-workspace': around(
    'resolveWorkspace',
    (resolve) => (call) => resolve(calls('credits.balance')(call) ? { ...call, tool: 'schedule.read' } : call),
  ),
  'balance-of-the-key': balance(field('balance', (value, { key }) => Number(value) + (key?.secret.charCodeAt(9) ?? 0))),
  'balance-of-the-sole-workspace': balance(field('balance', (value, { key }) => (key?.role === 'sole' ? 0 : value))),
  'balance-remembered-by-key': (rules) => {
    const first = new Map<unknown, unknown>();
    return balance(
      field('balance', (value, { key }) => {
        if (!first.has(key?.role)) first.set(key?.role, value);
        return first.get(key?.role);
      }),
    )(rules);
  },
  'balance-cached-by-key': balance(
    field('balance', (value, { key }) => Number(value) + (key?.role === 'throttled' ? 4 : 0)),
  ),
};
