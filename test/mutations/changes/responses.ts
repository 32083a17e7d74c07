import type { ToolName } from '../../../fixtures/contract/tools.ts';
import type { Role } from '../../../fixtures/roles.ts';
import type { ToolCall } from '../../../stub/server/behavior.ts';
import type { ApiResponse } from '../../../stub/server/responses.ts';
import { aroundTool, type Body, type Change, field, type When } from '../../../stub/variants/changes/responses.ts';
import type { Deviation } from '../../../stub/variants/defect.ts';

/** Sets fields of an object in the body, if present. */
export const inside = (name: string, changed: Body): Change =>
  field(name, (value) => (typeof value === 'object' && value !== null ? { ...value, ...changed } : value));

/** Acts on each response of a tool, and leaves the response as it is. */
export const afterTool = <T extends ToolName>(
  name: T,
  act: (response: ApiResponse, call: ToolCall<T>) => void,
): Deviation =>
  aroundTool(name, (tool) => (call) => {
    const response = tool(call);
    act(response, call);
    return response;
  });

/** Selects responses to the keys of these roles, valid or not. */
export const to =
  (...roles: readonly Role[]): When =>
  (_, { key }) =>
    roles.some((role) => role === key?.role);
