import type { ToolName } from '../../../../fixtures/contract/tools.ts';
import { ambiguous, changing, field, list } from '../../../../stub/variants/changes/responses.ts';
import { type Calls, calls, settling } from '../../../../stub/variants/changes/steps.ts';
import { asked } from '../../../../stub/variants/changes/workspaces.ts';
import type { Deviation } from '../../../../stub/variants/defect.ts';
import { defect } from '../../../../stub/variants/defect.ts';
import { everySlug } from '../../changes/workspaces.ts';

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
  'first-workspace-picked-for-status': defect(
    'picks the first workspace for content.status if the workspace is ambiguous',
  )
    .breaks('workspaces.ambiguous-content-status')
    .by(picksFirst('content.status')),
  'first-workspace-picked-for-knowledge': defect(
    'picks the first workspace for knowledge.search if the workspace is ambiguous',
  )
    .breaks('workspaces.ambiguous-knowledge-search')
    .by(picksFirst('knowledge.search')),
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
