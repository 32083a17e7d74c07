import type { ToolName } from '../../../fixtures/contract/tools.ts';
import type { Call } from '../../../stub/server/behavior.ts';
import type { ApiResponse } from '../../../stub/server/responses.ts';
import type { Body } from '../../../stub/variants/changes/responses.ts';
import { type Calls, calls } from '../../../stub/variants/changes/steps.ts';
import type { Deviation } from '../../../stub/variants/defect.ts';
import { settling } from './steps.ts';

export const asked = ({ args }: Call): string | undefined =>
  typeof args.workspace === 'string' ? args.workspace : undefined;

/** Returns `working_in` of a result, or an empty object. */
export const workingIn = ({ body }: ApiResponse): Body =>
  typeof body.working_in === 'object' && body.working_in !== null ? { ...body.working_in } : {};

export const everySlug = ({ state }: Call): string[] =>
  [...state.accounts.values()].flatMap(({ workspaces }) => workspaces);

/** Ignores the requested workspace and uses the default workspace of the key. */
export const toDefault = (tool: ToolName, when: Calls = () => true): Deviation =>
  settling((call, key) =>
    calls(tool)(call) && key.storedDefault !== null && when(call) ? [key.storedDefault, 'stored-default'] : undefined,
  );

/** Lets every key use all workspaces of all accounts. */
export const openTo = (...tools: readonly ToolName[]): Deviation =>
  settling((call) => {
    const slug = asked(call);
    return slug !== undefined && calls(...tools)(call) && everySlug(call).includes(slug)
      ? [slug, 'call-override']
      : undefined;
  });
