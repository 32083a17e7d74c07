import type { ToolName } from '../../fixtures/contract/tools.ts';

/** A list in a response. */
export interface List {
  readonly member: string;
  /** Members that identify an element. */
  readonly key: readonly string[];
  readonly members: readonly string[];
  readonly isOrdered: boolean;
}

/** Members of a response that a client works with. */
export interface MainData {
  /** Paths of members whose values must be equal. */
  readonly values: readonly string[];
  /** Members with IDs that the server creates for each request. */
  readonly ids?: readonly string[];
  readonly lists?: readonly List[];
}

const pieces: List = {
  member: 'pieces',
  key: ['piece_id'],
  members: ['title', 'format', 'state', 'scheduled_for', 'filled_planned_slot', 'platforms'],
  isOrdered: false,
};

const providers = (member: string): List => {
  return { member, key: ['provider'], members: ['account_name', 'problem'], isOrdered: false };
};

const place = ['workspace', 'working_in.workspace', 'working_in.source', 'working_in.label'];
const item = ['title', 'roll', 'pinned', 'source_board_name'];

/** Main data of each tool. Sentences and relevance are left out, because each server writes its own. */
export const mainData: Readonly<Record<ToolName, MainData>> = {
  'content.create_request': {
    values: [...place, 'format', 'scheduled_for', 'filled_planned_slot'],
    ids: ['piece_id'],
  },
  'schedule.read': { values: [...place, 'week_start', 'days'], lists: [pieces] },
  'content.status': { values: place, lists: [pieces] },
  'library.search': {
    values: [...place, 'total', 'truncated'],
    lists: [{ member: 'items', key: ['kind', 'id'], members: item, isOrdered: true }],
  },
  'library.get': {
    values: [...place, ...['kind', ...item, 'description', 'tags'].map((name) => `item.${name}`)],
  },
  'knowledge.search': {
    values: [...place, 'query'],
    lists: [{ member: 'hits', key: ['source', 'excerpt'], members: [], isOrdered: true }],
  },
  'connections.status': {
    values: place,
    lists: [providers('connected'), providers('needs_attention'), providers('available')],
  },
  'credits.balance': { values: ['balance'] },
  'images.generate': {
    values: [...place, 'status', 'count', 'aspect_ratio', 'board_id'],
    ids: ['confirmation_id', 'run_id'],
  },
};
