import { changing, field, fields, inside, proposal, result } from '../../changes/responses.ts';
import { calling, settledBy, workingIn } from '../../changes/workspaces.ts';
import { defect } from '../defect.ts';

/** Defects in the workspace that a result reports. */
export const resultDefects = {
  'workspace-left-out-by-library-get': defect('leaves out workspace from the response of library.get')
    .breaks('workspaces.result-names-workspace')
    .by(changing(result('library.get'), fields({ workspace: undefined }))),
  'workspace-as-object': defect('sends the workspace of connections.status as an object with a slug')
    .breaks(
      'workspaces.result-names-workspace',
      'workspaces.argument-honoured',
      'workspaces.argument-honoured-every-tool',
      'workspaces.working-in-agrees',
    )
    .by(
      changing(
        result('connections.status'),
        field('workspace', (slug) => ({ slug })),
      ),
    ),
  'status-of-nowhere': defect('leaves out working_in from content.status')
    .breaks('workspaces.working-in-present')
    .by(changing(result('content.status'), fields({ working_in: undefined }))),
  'working-in-without-label': defect('leaves out the label of working_in from knowledge.search')
    .breaks('workspaces.working-in-present')
    .by(changing(result('knowledge.search'), inside('working_in', { label: undefined }))),
  'note-null-for-default': defect('sends the note of working_in as null if the default decides')
    .breaks('workspaces.working-in-present')
    .by(changing(settledBy('stored-default'), inside('working_in', { note: null }))),
  'working-in-as-text': defect('sends working_in of schedule.read as a string')
    .breaks('workspaces.working-in-present')
    .by(
      changing(
        result('schedule.read'),
        field('working_in', () => 'North'),
      ),
    ),
  'proposal-of-nowhere': defect('leaves out working_in from proposals')
    .breaks('workspaces.working-in-present', 'image-proposals.working-in-source')
    .by(changing(proposal, fields({ working_in: undefined }))),
  'working-in-tells-the-default': defect(
    'sends the default workspace of the key in working_in, even if the request names another workspace',
  )
    .breaks('workspaces.working-in-agrees')
    .by(
      changing(settledBy('call-override'), (response, call) =>
        call.key?.storedDefault == null
          ? response
          : inside('working_in', { workspace: call.key.storedDefault })(response, call),
      ),
    ),
  'working-in-by-name': defect('sends the name of the workspace instead of its slug in working_in of library.search')
    .breaks('workspaces.working-in-agrees')
    .by(
      changing(result('library.search'), (response, call) =>
        inside('working_in', { workspace: call.place?.workspace.content.name })(response, call),
      ),
    ),
  'source-in-other-words': defect('sends the source override if the request names the workspace')
    .breaks('workspaces.source-known', 'workspaces.source-call-override')
    .by(calling('call-override', 'override')),
  'source-with-underscore': defect('writes the sources with underscores in content.status')
    .breaks(
      'workspaces.source-known',
      'workspaces.source-call-override',
      'workspaces.source-key-pin',
      'workspaces.source-stored-default',
      'workspaces.source-sole-reachable',
    )
    .by(
      changing(result('content.status'), (response, call) =>
        inside('working_in', { source: String(workingIn(response).source).replace('-', '_') })(response, call),
      ),
    ),
  'source-null-on-create': defect('sends null for the source of a content request')
    .breaks(
      'content-requests.working-in-complete',
      'content-requests.source-of-each-rung',
      'workspaces.source-known',
      'workspaces.source-call-override',
      'workspaces.source-key-pin',
      'workspaces.source-stored-default',
      'workspaces.source-sole-reachable',
    )
    .by(changing(result('content.create_request'), inside('working_in', { source: null }))),
};
