import type { ToolName } from '../../../fixtures/contract/tools.ts';
import type { Role } from '../../../fixtures/roles.ts';
import type { ToolCall } from '../../../stub/server/behavior.ts';
import type { ApiResponse } from '../../../stub/server/responses.ts';
import {
  aroundTool,
  type Body,
  type Change,
  changing,
  confirmationInvalid,
  field,
  type When,
} from '../../../stub/variants/changes/responses.ts';
import { type Deviation, together } from '../../../stub/variants/defect.ts';

export * from '../../../stub/variants/changes/responses.ts';

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

/** Why a confirmation ID is invalid. */
type Cause = 'never issued' | 'used' | 'of another workspace' | 'of another account' | 'expired';

interface Issued {
  readonly workspace: string;
  readonly account: string;
  used: boolean;
}

/**
 * Changes the `confirmation_invalid` responses with this cause. The deviation tracks IDs itself, because a conforming
 * stub forgets them.
 */
export const presenting =
  (cause: Cause, ...changes: readonly Change[]): Deviation =>
  (behavior) => {
    const issued = new Map<string, Issued>();
    const noting = aroundTool('images.generate', (generate) => (call) => {
      const response = generate(call);
      const { confirmation_id: fresh, status } = response.body;
      const known = issued.get(call.args.confirmation_id ?? '');
      if (status === 'dispatched' && known !== undefined) known.used = true;
      if (typeof fresh === 'string') {
        issued.set(fresh, { workspace: call.place.workspace.content.slug, account: call.account.id, used: false });
      }
      return response;
    });
    const telling = changing(
      (response, call) => {
        if (!confirmationInvalid(response, call)) return false;
        const known = issued.get(String(call.args.confirmation_id));
        return cause === causeOf(known, call.key?.account, call.place?.workspace.content.slug);
      },
      ...changes,
    );
    return together(noting, telling)(behavior);
  };

function causeOf(issued: Issued | undefined, account: string | undefined, workspace: string | undefined): Cause {
  if (issued === undefined) return 'never issued';
  if (issued.used) return 'used';
  if (issued.account !== account) return 'of another account';
  return issued.workspace === workspace ? 'expired' : 'of another workspace';
}
