import type { ApiResponse } from '../../../../stub/server/responses.ts';
import { around, calls } from '../../../../stub/variants/changes/steps.ts';
import { asked } from '../../../../stub/variants/changes/workspaces.ts';
import { defect } from '../../../../stub/variants/defect.ts';
import { toDefault } from '../../changes/workspaces.ts';

/** Defects in workspace selection. */
export const resolutionDefects = {
  'argument-ignored-by-library-get': defect(
    'runs library.get in the default workspace, even if the request names another workspace',
  )
    .breaks(
      'workspaces.argument-honoured-every-tool',
      'workspaces.argument-honoured',
      'workspaces.source-call-override',
      'workspaces.unknown-refused',
      'workspaces.unreachable-refused',
      'headers.tool-error-on-unreachable',
      'library.found-can-be-got',
      'library.items-stay-in-workspace',
    )
    .by(toDefault('library.get')),
  'argument-sticks': defect('stores the requested workspace as the default workspace of the key')
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
      'confirmations.unnamed-workspace',
      'workspaces.source-stored-default',
      'image-proposals.works-without-argument',
      'library.found-can-be-got',
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
    'caches the response of connections.status and returns it for other workspaces',
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
};
