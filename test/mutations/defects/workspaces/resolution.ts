import type { ApiResponse } from '../../../../stub/server/responses.ts';
import { around, calls } from '../../../../stub/variants/changes/steps.ts';
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
