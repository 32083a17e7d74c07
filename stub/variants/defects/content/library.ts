import type { Call } from '../../../server/behavior.ts';
import { success } from '../../../server/responses.ts';
import { byNumber, converting, defaulting, outOfList, refusing } from '../../changes/arguments.ts';
import {
  aroundTool,
  both,
  type Change,
  changing,
  each,
  field,
  fields,
  itemNotFound,
  list,
  result,
  sentAs,
} from '../../changes/responses.ts';
import { declining } from '../../changes/steps.ts';
import { defect } from '../defect.ts';

const search = (...changes: readonly Change[]) => changing(result('library.search'), ...changes);

/** Returns the library items of the requested workspace, before the workspace is resolved. */
const itemsOf = (call: Call) => {
  const named = call.body.workspace ?? call.key?.storedDefault;
  const slug = call.key?.reach.find((each) => each === named);
  return slug === undefined ? [] : call.state.workspace(slug).content.library.map(({ listed }) => listed);
};

export const libraryDefects = {
  'empty-query-refused': defect('refuses an empty query of library.search')
    .breaks('library.search-answers', 'workspaces.argument-honoured-every-tool', 'workspaces.ambiguous-library-search')
    .by(refusing('query', (query) => query === '', 'library.search')),
  'total-as-text': defect('sends the member total as a string')
    .breaks('library.total')
    .by(search(field('total', String))),
  'total-negative': defect('sends -1 as the total')
    .breaks('library.total', 'library.total-covers-items', 'library.untruncated-is-all', 'library.total-counts-items')
    .by(search(fields({ total: -1 }))),
  'total-left-out': defect('leaves out the member total')
    .breaks('library.total')
    .by(search(fields({ total: undefined }))),
  'truncated-as-number': defect('sends the member truncated as 0 or 1')
    .breaks('library.truncated')
    .by(search(field('truncated', Number))),
  'truncated-left-out': defect('leaves out the member truncated')
    .breaks('library.truncated')
    .by(search(fields({ truncated: undefined }))),
  'items-by-kind': defect('sends the member items as an object instead of an array')
    .breaks('library.items')
    .by(search(list('items', (items) => ({ ...items })))),
  'items-null': defect('sends the member items as null')
    .breaks('library.items')
    .by(search(fields({ items: null }))),
  'pinned-in-words': defect('sends yes or no instead of a boolean as the member pinned')
    .breaks('library.item-fields')
    .by(search(each('items', (item) => ({ ...item, pinned: item.pinned ? 'yes' : 'no' })))),
  'roll-left-out': defect('leaves out the member roll from some items')
    .breaks('library.item-fields')
    .by(search(each('items', (item) => (item.roll === 'archive' ? { ...item, roll: undefined } : item)))),
  'item-title-null': defect('sends null as the title of some items')
    .breaks('library.item-fields')
    .by(search(each('items', (item) => (item.kind === 'clip' ? { ...item, title: null } : item)))),
  'item-id-as-number': defect('sends the ID of an item as a number')
    .breaks('library.item-fields')
    .by(search(list('items', (items) => items.map((item, id) => (id === 0 ? { ...Object(item), id } : item))))),
  'last-item-without-board': defect('leaves out source_board_name from the last item')
    .breaks('library.item-fields')
    .by(
      search(
        list('items', (items) =>
          items.map((item, at) => (at === items.length - 1 ? { ...Object(item), source_board_name: undefined } : item)),
        ),
      ),
    ),
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
    .by(
      changing(
        both(result('library.search'), (_, { args }) => args.query === ''),
        fields({ items: [], total: 0, truncated: false }),
      ),
    ),
  'total-of-the-rest': defect('counts only the omitted items in the total')
    .breaks('library.total-covers-items', 'library.untruncated-is-all', 'library.total-counts-items')
    .by(search(field('total', (total) => Math.max(0, Number(total) - 20)))),
  'never-truncated': defect('sends truncated: false although it leaves out items')
    .breaks('library.untruncated-is-all')
    .by(search(fields({ truncated: false }))),
  'search-query-by-number': defect('accepts a number as the query of library.search')
    .breaks('library.query-wrong-type-refused')
    .by(byNumber('query', 'library.search')),
  'search-query-out-of-a-list': defect('accepts an array as the query of library.search and joins its elements')
    .breaks('library.query-wrong-type-refused')
    .by(outOfList('query', 'library.search')),
  'clips-not-got': defect('refuses to fetch any item that is not an image')
    .breaks('library.found-can-be-got', 'workspaces.argument-honoured-every-tool')
    .by(declining('library.get', ({ args }) => args.kind !== 'image')),
  'items-got-by-title': defect('fetches items by title instead of by ID')
    .breaks('library.found-can-be-got')
    .by(converting('id', (id) => (typeof id === 'string' ? `title ${id}` : id), 'library.get')),
  'item-found-without-kind': defect('fetches the first item with the requested ID if the kind is left out')
    .breaks('library.kind-missing-refused')
    .by(defaulting('kind', (call) => itemsOf(call).find(({ id }) => id === call.body.id)?.kind, 'library.get')),
  'item-found-without-id': defect('fetches the first item of the requested kind if the ID is left out')
    .breaks('library.id-missing-refused')
    .by(defaulting('id', (call) => itemsOf(call).find(({ kind }) => kind === call.body.kind)?.id, 'library.get')),
  'kind-by-number': defect('accepts a number as the kind of an item')
    .breaks('library.kind-wrong-type-refused', 'arguments.all-fields-named')
    .by(byNumber('kind', 'library.get')),
  'kind-out-of-a-list': defect('accepts an array as the kind of an item and joins its elements')
    .breaks('library.kind-wrong-type-refused')
    .by(outOfList('kind', 'library.get')),
  'id-by-number': defect('accepts a number as the ID of an item')
    .breaks('library.id-wrong-type-refused')
    .by(byNumber('id', 'library.get')),
  'id-out-of-a-list': defect('accepts an array as the ID of an item and joins its elements')
    .breaks('library.id-wrong-type-refused')
    .by(outOfList('id', 'library.get')),
  'unknown-item-as-404': defect('returns 404 for an unknown library item')
    .breaks('library.unknown-id-200', 'envelopes.outcome-is-200', 'arguments.anything-answered')
    .by(changing(itemNotFound, sentAs(404))),
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
  'nearest-item-got': defect('returns another item of the requested kind if the ID does not exist')
    .breaks('library.unknown-id-refused')
    .by(
      aroundTool('library.get', (get) => (call) => {
        const response = get(call);
        const other = call.place.workspace.content.library.find(({ listed }) => listed.kind === call.args.kind);
        return response.body.code === 'item_not_found' && other !== undefined
          ? get({ ...call, args: { ...call.args, id: other.listed.id } })
          : response;
      }),
    ),
};
