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
};
