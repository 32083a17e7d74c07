import type { ToolName } from '../../../../fixtures/contract/tools.ts';
import { ambiguous, both, changing, field, fields, from, list } from '../../changes/responses.ts';
import { type Calls, calls, sent, settling } from '../../changes/steps.ts';
import { asked, everySlug } from '../../changes/workspaces.ts';
import type { Deviation } from '../../deviation.ts';
import { defect } from '../defect.ts';

/** Picks the first accessible workspace if the choice is ambiguous. */
const pickingWhere = (when: Calls): Deviation =>
  settling((call, key) => {
    const nothingChooses = asked(call) === undefined && key.pin === null && key.storedDefault === null;
    const [first] = nothingChooses && key.reach.length > 1 && when(call) ? key.reach : [];
    return first === undefined ? undefined : [first, 'stored-default'];
  });
export const picksFirst = (tool: ToolName): Deviation => pickingWhere(calls(tool));

/** Defects in ambiguous requests. */
export const choiceDefects = {
  'first-workspace-picked-for-schedule': defect(
    'picks the first workspace for schedule.read if the workspace is ambiguous',
  )
    .breaks('workspaces.ambiguous-schedule-read')
    .by(picksFirst('schedule.read')),
  'first-workspace-picked-for-status': defect(
    'picks the first workspace for content.status if the workspace is ambiguous',
  )
    .breaks('workspaces.ambiguous-content-status')
    .by(picksFirst('content.status')),
  'first-workspace-picked-for-search': defect(
    'picks the first workspace for library.search if the workspace is ambiguous',
  )
    .breaks('workspaces.ambiguous-library-search')
    .by(picksFirst('library.search')),
  'first-workspace-picked-for-items': defect('picks the first workspace for library.get if the workspace is ambiguous')
    .breaks('workspaces.ambiguous-library-get')
    .by(picksFirst('library.get')),
  'first-workspace-picked-for-knowledge': defect(
    'picks the first workspace for knowledge.search if the workspace is ambiguous',
  )
    .breaks('workspaces.ambiguous-knowledge-search')
    .by(picksFirst('knowledge.search')),
  'first-workspace-picked-for-connections': defect(
    'picks the first workspace for connections.status if the workspace is ambiguous',
  )
    .breaks('workspaces.ambiguous-connections-status')
    .by(picksFirst('connections.status')),
  'first-workspace-picked-for-requests': defect(
    'picks the first workspace for content.create_request if the workspace is ambiguous',
  )
    .breaks('workspaces.ambiguous-create-request')
    .by(picksFirst('content.create_request')),
  'first-workspace-picked-for-images': defect(
    'picks the first workspace for images.generate if the workspace is ambiguous',
  )
    .breaks('workspaces.ambiguous-images-generate')
    .by(picksFirst('images.generate')),
  'ambiguous-in-other-words': defect(
    'returns the code workspace_required from library.get if the workspace is ambiguous',
  )
    .breaks('workspaces.ambiguous-library-get')
    .by(changing(both(ambiguous, from('library.get')), fields({ code: 'workspace_required' }))),
  'one-choice-listed': defect('lists only the first choice if the workspace is ambiguous')
    .breaks('workspaces.ambiguous-lists-choices')
    .by(
      changing(
        ambiguous,
        list('workspaces', (slugs) => slugs.slice(0, 1)),
      ),
    ),
  'choices-listed-twice': defect('lists one choice twice, and no other choice, if the workspace is ambiguous')
    .breaks('workspaces.ambiguous-lists-choices')
    .by(
      changing(
        ambiguous,
        list('workspaces', ([first]) => [first, first]),
      ),
    ),
  'choices-left-out': defect('lists no choices if the workspace is ambiguous')
    .breaks('workspaces.ambiguous-lists-choices')
    .by(changing(ambiguous, fields({ workspaces: undefined }))),
  'choices-by-name': defect('lists the choices by name instead of by slug')
    .breaks('workspaces.ambiguous-choices-work')
    .by(
      changing(
        ambiguous,
        list('workspaces', (slugs) => slugs.map((slug) => `The ${slug}`)),
      ),
    ),
  'choices-of-everybody': defect('lists the workspaces of every account if the workspace is ambiguous')
    .breaks('workspaces.ambiguous-choices-work')
    .by(
      changing(
        ambiguous,
        field('workspaces', (_, call) => everySlug(call)),
      ),
    ),
  'choices-left-out-by-images': defect('lists no choices if the workspace of images.generate is ambiguous')
    .breaks('workspaces.ambiguous-lists-choices')
    .by(changing(both(ambiguous, from('images.generate')), fields({ workspaces: undefined }))),
  'one-choice-listed-by-status': defect('lists only the first choice if the workspace of content.status is ambiguous')
    .breaks('workspaces.ambiguous-lists-choices')
    .by(
      changing(
        both(ambiguous, from('content.status')),
        list('workspaces', (slugs) => slugs.slice(0, 1)),
      ),
    ),
  'choices-of-everybody-in-images': defect(
    'lists the workspaces of every account if the workspace of images.generate is ambiguous',
  )
    .breaks('workspaces.ambiguous-choices-work', 'workspaces.ambiguous-images-generate')
    .by(
      changing(
        both(ambiguous, from('images.generate')),
        field('workspaces', (_, call) => everySlug(call)),
      ),
    ),
  'choices-of-everybody-in-connections': defect(
    'lists the workspaces of every account if the workspace of connections.status is ambiguous',
  )
    .breaks('workspaces.ambiguous-choices-work')
    .by(
      changing(
        both(ambiguous, from('connections.status')),
        field('workspaces', (_, call) => everySlug(call)),
      ),
    ),
  'workspace-picked-without-body': defect(
    'picks the first workspace if the workspace is ambiguous and the request has no body',
  )
    .breaks('workspaces.ambiguous-schedule-read', 'workspaces.ambiguous-connections-status')
    .by(pickingWhere((call) => sent(call) === '')),
  'workspace-picked-when-asked-again': defect(
    'picks the first workspace if the workspace is ambiguous and the key calls the tool for the second time',
  )
    .breaks(
      'workspaces.ambiguous-schedule-read',
      'workspaces.ambiguous-content-status',
      'workspaces.ambiguous-library-search',
      'workspaces.ambiguous-library-get',
      'workspaces.ambiguous-knowledge-search',
      'workspaces.ambiguous-connections-status',
      'workspaces.ambiguous-create-request',
      'workspaces.ambiguous-images-generate',
    )
    .by((behavior) => {
      const refused = new Set<string>();
      return pickingWhere(({ tool = '', key }) => {
        const name = `${tool} ${key?.secret}`;
        const again = refused.has(name);
        refused.add(name);
        return again;
      })(behavior);
    }),
};
