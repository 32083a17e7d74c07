import { isToolName, toolsPath } from '../../../fixtures/contract/tools.ts';
import type { Step } from '../behavior.ts';
import { boundaryError } from '../responses.ts';

/**
 * Extracts the tool name from the path. Accepts only `POST {base}/api/v1/tools/<name>` ("What the service does", rule
 * 1).
 */
export const route: Step = (call) => {
  const { request, behavior } = call;
  const { basePath } = behavior;
  const end = request.path.indexOf('?');
  const path = end === -1 ? request.path : request.path.slice(0, end);
  if (!path.startsWith(basePath) || !path.startsWith(toolsPath, basePath.length))
    return boundaryError(404, behavior.codes.noSuchPath, 'There is nothing at this address.');
  if (request.method !== 'POST') {
    return boundaryError(405, behavior.codes.methodNotAllowed, 'Tools are called by POST.', { allow: 'POST' });
  }
  call.toolName = path.slice(basePath.length + toolsPath.length);
  call.tool = isToolName(call.toolName) ? call.toolName : undefined;
  return undefined;
};
