import { success } from '../../../../stub/server/responses.ts';
import { refusing } from '../../../../stub/variants/changes/arguments.ts';
import {
  aroundTool,
  both,
  type Change,
  changing,
  each,
  field,
  fields,
  list,
  result,
} from '../../../../stub/variants/changes/responses.ts';
import { defect } from '../../../../stub/variants/defect.ts';

const search = (...changes: readonly Change[]) => changing(result('library.search'), ...changes);

export const libraryDefects = {
  'empty-query-refused': defect('refuses an empty query of library.search')
    .breaks('library.search-answers', 'workspaces.argument-honoured-every-tool', 'workspaces.ambiguous-library-search')
    .by(refusing('query', (query) => query === '', 'library.search')),
  'total-negative': defect('sends -1 as the total')
    .breaks('library.total', 'library.total-covers-items', 'library.untruncated-is-all', 'library.total-counts-items')
    .by(search(fields({ total: -1 }))),
  'truncated-as-number': defect('sends the member truncated as 0 or 1')
    .breaks('library.truncated')
    .by(search(field('truncated', Number))),
  'items-by-kind': defect('sends the member items as an object instead of an array')
    .breaks('library.items')
    .by(search(list('items', (items) => ({ ...items })))),
  'pinned-in-words': defect('sends yes or no instead of a boolean as the member pinned')
    .breaks('library.item-fields')
    .by(search(each('items', (item) => ({ ...item, pinned: item.pinned ? 'yes' : 'no' })))),
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
    .by(
      changing(
        both(result('library.search'), (_, { args }) => args.query === ''),
        fields({ items: [], total: 0, truncated: false }),
      ),
    ),
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
};
