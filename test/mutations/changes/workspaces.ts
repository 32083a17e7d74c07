import type { ToolName } from '../../../fixtures/contract/tools.ts';
import type { Call } from '../../../stub/server/behavior.ts';
import { type Calls, calls, settling } from '../../../stub/variants/changes/steps.ts';
import { asked } from '../../../stub/variants/changes/workspaces.ts';
import type { Deviation } from '../../../stub/variants/defect.ts';

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
