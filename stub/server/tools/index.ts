import type { ConformingTools } from '../behavior.ts';
import { readConnections } from './connections-status.ts';
import { createRequest } from './content-create-request.ts';
import { readStatus } from './content-status.ts';
import { readBalance } from './credits-balance.ts';
import { generateImages } from './images-generate.ts';
import { searchKnowledge } from './knowledge-search.ts';
import { getLibraryItem, searchLibrary } from './library.ts';
import { remembered } from './remembered.ts';
import { readSchedule } from './schedule-read.ts';

/** All tools, in the order of the specification. */
export const tools: ConformingTools = {
  'content.create_request': createRequest,
  'schedule.read': remembered('schedule.read', () => '', readSchedule),
  'content.status': remembered('content.status', () => '', readStatus),
  'library.search': remembered('library.search', ({ query = '' }) => query, searchLibrary),
  'library.get': remembered('library.get', ({ kind, id }) => JSON.stringify([kind, id]), getLibraryItem),
  'knowledge.search': remembered('knowledge.search', ({ query = '' }) => query, searchKnowledge),
  'connections.status': remembered('connections.status', () => '', readConnections),
  'credits.balance': readBalance,
  'images.generate': generateImages,
};
