import type { ConformingTools } from '../behavior.ts';
import { createRequest, readSchedule, readStatus } from './content.ts';
import { generateImages } from './images-generate.ts';
import { getLibraryItem, readBalance, readConnections, searchKnowledge, searchLibrary } from './reading.ts';

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
