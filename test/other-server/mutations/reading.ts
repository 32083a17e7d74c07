import type { JsonObject } from '../json.ts';
import { answers, entriesOf, isText, requests, withArgs } from './mutation.ts';

/** Edits the successful results of one tool. */
const of = (tool: string, description: string, edit: (body: JsonObject) => void) =>
  answers(`${tool}: ${description}`, (answer, call) => {
    if (call.tool === tool && answer.body.ok === true) edit(answer.body);
  });

const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

const days = (description: string, edit: (list: string[]) => string[]) =>
  of('schedule.read', description, (body) => {
    if (Array.isArray(body.days)) body.days = edit(body.days.filter(isText));
  });

/** Deviations of the tools that only read. */
export const readingMutations = {
  'days-begin-late': days('the days begin a day after week_start', (list) => list.map((day) => dayAfter(day, 1))),
  'days-skip-one': days('a day is left out', (list) => list.filter((_, index) => index !== 3)),
  'days-repeat-one': days('a day is there twice', (list) =>
    list.map((day, index) => (index === 6 ? (list[5] ?? day) : day)),
  ),
  'pieces-absent': of('schedule.read', 'pieces is left out', (body) => {
    delete body.pieces;
  }),
  'pieces-null-where-empty': of('schedule.read', 'pieces is null when nothing is planned', (body) => {
    if (body.meta_line?.toString().startsWith('0 ')) body.pieces = null;
  }),
  'total-minus-one': of('library.search', 'total is -1 when the answer is cut', (body) => {
    if (body.truncated === true) body.total = -1;
  }),
  'truncated-absent': of('library.search', 'truncated is left out when nothing is cut', (body) => {
    if (body.truncated === false) delete body.truncated;
  }),
  'items-null-where-none': of('library.search', 'items is null when nothing is found', (body) => {
    if (body.total === 0) body.items = null;
  }),
  'item-board-absent': of('library.search', 'notes have no source_board_name', (body) => {
    for (const item of entriesOf(body, 'items')) if (item.kind === 'note') delete item.source_board_name;
  }),
  'item-pinned-as-number': of('library.search', 'pinned is 0 or 1', (body) => {
    for (const item of entriesOf(body, 'items')) item.pinned = Number(item.pinned);
  }),
  'item-title-null': of('library.search', 'the title of a clip is null', (body) => {
    for (const item of entriesOf(body, 'items')) if (item.kind === 'clip') item.title = null;
  }),
  'item-id-as-number': of('library.search', 'the id of a picture is a number', (body) => {
    for (const item of entriesOf(body, 'items')) if (item.kind === 'picture') item.id = Number(item.id);
  }),
  'item-roll-absent': of('library.search', 'an item has no roll', (body) => {
    for (const item of entriesOf(body, 'items')) delete item.roll;
  }),
  'items-of-one-kind': of('library.search', 'every item is called a note, so ids are not unique', (body) => {
    for (const item of entriesOf(body, 'items')) item.kind = 'note';
  }),
  'get-missing-kind-is-not-found': requests(
    'library.get: a missing kind is an unknown item',
    ({ tool, args, received }) =>
      tool === 'library.get' && args.kind === undefined ? withArgs(received, { ...args, kind: '?' }) : undefined,
  ),
  'query-cut': of('knowledge.search', 'the query comes back cut at 64 characters', (body) => {
    body.query = String(body.query).slice(0, 64);
  }),
  'query-in-ascii': of('knowledge.search', 'letters outside ASCII come back as question marks', (body) => {
    body.query = String(body.query).replaceAll(/[^ -~]/g, '?');
  }),
  'relevance-null-where-zero': of('knowledge.search', 'relevance is null where it is 0', (body) => {
    for (const hit of entriesOf(body, 'hits')) if (hit.relevance === 0) hit.relevance = null;
  }),
  'source-absent-where-empty': of('knowledge.search', 'source is left out where it is empty', (body) => {
    for (const hit of entriesOf(body, 'hits')) if (hit.source === '') delete hit.source;
  }),
  'excerpt-as-list': of('knowledge.search', 'excerpt is a list', (body) => {
    for (const hit of entriesOf(body, 'hits')) hit.excerpt = [hit.excerpt ?? ''];
  }),

  'balance-as-text': of('credits.balance', 'balance is a string', (body) => {
    body.balance = String(body.balance);
  }),
  'balance-refuses-empty-object': requests('credits.balance: {} is refused', ({ tool, received }) =>
    tool === 'credits.balance' && received.body.toString() === '{}' ? withArgs(received, { workspace: '' }) : undefined,
  ),
};
