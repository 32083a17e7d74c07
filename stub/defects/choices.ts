import type { ToolName } from '../../fixtures/contract/tools.ts';
import type { choiceDefects as data } from '../../fixtures/defects/choices.ts';
import { answering, both, type Deviation, field, fields, from, list } from './patches.ts';
import { asked, everySlug } from './places.ts';
import { ambiguous } from './refusals.ts';
import { type Calls, calls, sent, settling } from './steps.ts';

/** Where nothing chooses, the first workspace that the key reaches. */
const pickingWhere = (when: Calls): Deviation =>
  settling((call, key) => {
    const nothingChooses = asked(call) === undefined && key.pin === null && key.storedDefault === null;
    const [first] = nothingChooses && key.reach.length > 1 && when(call) ? key.reach : [];
    return first === undefined ? undefined : [first, 'stored-default'];
  });
const picksFirst = (tool: ToolName): Deviation => pickingWhere(calls(tool));

/** Deviations of where nothing chooses a workspace. */
export const choiceDefects: Readonly<Record<keyof typeof data, Deviation>> = {
  'first-workspace-picked-for-schedule': picksFirst('schedule.read'),
  'first-workspace-picked-for-status': picksFirst('content.status'),
  'first-workspace-picked-for-search': picksFirst('library.search'),
  'first-workspace-picked-for-items': picksFirst('library.get'),
  'first-workspace-picked-for-knowledge': picksFirst('knowledge.search'),
  'first-workspace-picked-for-connections': picksFirst('connections.status'),
  'first-workspace-picked-for-requests': picksFirst('content.create_request'),
  'first-workspace-picked-for-images': picksFirst('images.generate'),
  'ambiguous-in-other-words': answering(both(ambiguous, from('library.get')), fields({ code: 'workspace_required' })),
  'one-choice-listed': answering(
    ambiguous,
    list('workspaces', (slugs) => slugs.slice(0, 1)),
  ),
  'choices-listed-twice': answering(
    ambiguous,
    list('workspaces', ([first]) => [first, first]),
  ),
  'choices-left-out': answering(ambiguous, fields({ workspaces: undefined })),
  'choices-by-name': answering(
    ambiguous,
    list('workspaces', (slugs) => slugs.map((slug) => `The ${slug}`)),
  ),
  'choices-of-everybody': answering(
    ambiguous,
    field('workspaces', (_, call) => everySlug(call)),
  ),
  'choices-left-out-by-images': answering(both(ambiguous, from('images.generate')), fields({ workspaces: undefined })),
  'one-choice-listed-by-status': answering(
    both(ambiguous, from('content.status')),
    list('workspaces', (slugs) => slugs.slice(0, 1)),
  ),
  'choices-of-everybody-in-images': answering(
    both(ambiguous, from('images.generate')),
    field('workspaces', (_, call) => everySlug(call)),
  ),
  'choices-of-everybody-in-connections': answering(
    both(ambiguous, from('connections.status')),
    field('workspaces', (_, call) => everySlug(call)),
  ),
  'workspace-picked-without-body': pickingWhere((call) => sent(call) === ''),
  'workspace-picked-when-asked-again': (rules) => {
    const refused = new Set<string>();
    return pickingWhere(({ tool = '', key }) => {
      const name = `${tool} ${key?.secret}`;
      const again = refused.has(name);
      refused.add(name);
      return again;
    })(rules);
  },
};
