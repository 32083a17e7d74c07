import type { Source } from '../../../fixtures/contract/enums.ts';
import type { Place } from '../behavior.ts';
import { type Result, success } from '../responses.ts';

const notes: Readonly<Record<Source, string>> = {
  'call-override': 'Named by this call, and for this call only.',
  'key-pin': 'The key is pinned to this workspace.',
  'stored-default': 'This is the default workspace.',
  'sole-reachable': 'This is the only workspace that the key reaches.',
};

/** Adds the workspace to a result ("What the service does", rule 3). */
export function scoped<const R extends Result>(place: Place, result: R) {
  const { slug, label } = place.workspace;
  return success({
    ...result,
    workspace: slug,
    working_in: { label, note: notes[place.source], workspace: slug, source: place.source },
  });
}
