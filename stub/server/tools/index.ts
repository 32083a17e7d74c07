import type { ConformingTools } from '../behavior.ts';
import { readConnections } from './connections-status.ts';
import { createRequest } from './content-create-request.ts';
import { readStatus } from './content-status.ts';
import { readBalance } from './credits-balance.ts';
import { generateImages } from './images-generate.ts';
import { searchKnowledge } from './knowledge-search.ts';
import { getLibraryItem, searchLibrary } from './library.ts';
import { readSchedule } from './schedule-read.ts';

/** All tools, in the order of the specification. */
export const tools: ConformingTools = {
  'content.create_request': createRequest,
  'schedule.read': readSchedule,
  'content.status': readStatus,
  'library.search': searchLibrary,
  'library.get': getLibraryItem,
  'knowledge.search': searchKnowledge,
  'connections.status': readConnections,
  'credits.balance': readBalance,
  'images.generate': generateImages,
};
