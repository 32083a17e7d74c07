import { changing, field, fields, inside, result } from '../../../../stub/variants/changes/responses.ts';
import { workingIn } from '../../../../stub/variants/changes/workspaces.ts';
import { defect } from '../../../../stub/variants/defect.ts';

/** Defects in the workspace that a result reports. */
export const resultDefects = {
  'workspace-as-object': defect('sends the workspace of connections.status as an object that contains the slug')
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
  'status-of-nowhere': defect('leaves out working_in from the results of content.status')
    .breaks('workspaces.working-in-present')
    .by(changing(result('content.status'), fields({ working_in: undefined }))),
  'source-with-underscore': defect(
    'writes the source with underscores instead of hyphens in the results of content.status',
  )
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
  'source-null-on-create': defect('sends null as the source in the results of content.create_request')
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
