import type { ApiResponse } from '../../../server/responses.ts';
import { converting, firstOfList } from '../../changes/arguments.ts';
import { both, changing, from, inside } from '../../changes/responses.ts';
import { around, calls } from '../../changes/steps.ts';
import { asked, calling, settledBy, toDefault, withoutRung } from '../../changes/workspaces.ts';
import { defect } from '../defect.ts';

/** Which workspace a request works in. */
export const resolutionDefects = {
  'argument-ignored-by-knowledge-search': defect(
    'searches the knowledge of the default workspace, whichever is asked for',
  )
    .breaks(
      'workspaces.argument-honoured-every-tool',
      'workspaces.argument-honoured',
      'workspaces.source-call-override',
      'workspaces.unknown-refused',
      'workspaces.unreachable-refused',
    )
    .by(toDefault('knowledge.search')),
  'argument-ignored-by-library-get': defect('fetches library items from the default workspace, whichever is asked for')
    .breaks(
      'workspaces.argument-honoured-every-tool',
      'workspaces.argument-honoured',
      'workspaces.source-call-override',
      'workspaces.unknown-refused',
      'workspaces.unreachable-refused',
      'headers.tool-error-on-unreachable',
    )
    .by(toDefault('library.get')),
  'argument-sticks': defect('remembers the workspace that a call names as the default of its key')
    .breaks(
      'workspaces.ambiguous-schedule-read',
      'workspaces.ambiguous-content-status',
      'workspaces.ambiguous-library-search',
      'workspaces.ambiguous-library-get',
      'workspaces.ambiguous-knowledge-search',
      'workspaces.ambiguous-connections-status',
      'workspaces.ambiguous-create-request',
      'workspaces.ambiguous-images-generate',
      'workspaces.source-sole-reachable',
      'content-requests.source-of-each-rung',
      'workspaces.source-stored-default',
    )
    .by(
      around('runTool', (run) => (call) => {
        if (call.key !== undefined && asked(call) !== undefined && call.key.pin === null) {
          call.key.storedDefault = asked(call) ?? null;
        }
        return run(call);
      }),
    ),
  'answer-cached-without-workspace': defect(
    'keeps what connections.status answered and gives it to calls that name another workspace',
  )
    .breaks(
      'workspaces.argument-honoured-every-tool',
      'workspaces.argument-honoured',
      'workspaces.source-call-override',
      'workspaces.source-key-pin',
      'workspaces.source-stored-default',
      'workspaces.source-sole-reachable',
    )
    .by((behavior) => {
      const kept = new Map<string, ApiResponse>();
      return around('runTool', (run) => (call) => {
        if (!calls('connections.status')(call)) return run(call);
        const account = call.key?.account ?? '';
        const response = kept.get(account) ?? run(call);
        if (response !== undefined) kept.set(account, response);
        return response;
      })(behavior);
    }),
  'default-named-is-no-override': defect('calls the source stored-default where the call names the default')
    .breaks('workspaces.source-call-override')
    .by(
      changing(
        both(settledBy('call-override'), ({ body }, { key }) => body.workspace === key?.storedDefault),
        inside('working_in', { source: 'stored-default' }),
      ),
    ),
  'override-called-sole': defect('calls the source sole-reachable where the call names any workspace, in schedule.read')
    .breaks('workspaces.source-call-override')
    .by(
      changing(
        both(settledBy('call-override'), from('schedule.read')),
        inside('working_in', { source: 'sole-reachable' }),
      ),
    ),
  'pin-called-default': defect('says that a pinned key works in its default workspace')
    .breaks('workspaces.source-key-pin', 'content-requests.source-of-each-rung')
    .by(calling('key-pin', 'stored-default')),
  'pin-ignored-by-library-search': defect('looks for no pin in library.search')
    .breaks('workspaces.source-key-pin')
    .by(withoutRung('key-pin', 'library.search')),
  'default-ignored-by-content-status': defect('looks for no stored default in content.status')
    .breaks('workspaces.source-stored-default')
    .by(withoutRung('stored-default', 'content.status')),
  'default-called-pin': defect('says that a stored default is a pin')
    .breaks('workspaces.source-stored-default', 'content-requests.source-of-each-rung')
    .by(calling('stored-default', 'key-pin')),
  'sole-workspace-called-default': defect('says that the only workspace in reach is the default')
    .breaks('workspaces.source-sole-reachable', 'content-requests.source-of-each-rung')
    .by(calling('sole-reachable', 'stored-default')),
  'sole-workspace-ambiguous-to-knowledge': defect(
    'wants a workspace named in knowledge.search even where one only is in reach',
  )
    .breaks('workspaces.source-sole-reachable')
    .by(withoutRung('sole-reachable', 'knowledge.search')),
  'slugs-in-any-case': defect('finds workspaces in whatever case they are named')
    .breaks('workspaces.argument-honoured')
    .by(converting('workspace', (slug) => (typeof slug === 'string' ? slug.toLowerCase() : slug))),
  'slugs-trimmed': defect('cuts spaces around the slug of a workspace')
    .breaks('workspaces.argument-honoured')
    .by(converting('workspace', (slug) => (typeof slug === 'string' ? slug.trim() : slug))),
  'first-slug-of-a-list': defect('takes the first of a list of workspaces')
    .breaks(
      'workspaces.wrong-type-refused',
      'content-requests.workspace-wrong-type-refused',
      'image-proposals.workspace-wrong-type-refused',
    )
    .by(firstOfList('workspace')),
};
