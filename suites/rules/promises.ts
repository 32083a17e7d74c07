import type { RequirementId } from '../../fixtures/requirements/index.ts';

/** Which requirement promises that a plain request of a tool succeeds. */
const promises: Readonly<Record<string, RequirementId>> = {
  'content.create_request': 'content-requests.created',
  'schedule.read': 'schedule.answers',
  'content.status': 'content-status.answers',
  'library.search': 'library.search-answers',
  'library.get': 'library.found-can-be-got',
  'knowledge.search': 'knowledge.answers',
  'connections.status': 'connections.answers',
  'credits.balance': 'credits.balance',
  'images.generate': 'image-proposals.proposed',
};

export function promisedBy(tool: string | null): RequirementId {
  return promises[tool ?? ''] ?? 'schedule.answers';
}
