import type { Source } from '../../../fixtures/contract/enums.ts';
import type { ToolName } from '../../../fixtures/contract/tools.ts';
import type { Call } from '../../../stub/server/behavior.ts';
import type { KeyState } from '../../../stub/server/state/state.ts';
import { around, type Calls, calls, settling } from '../../../stub/variants/changes/steps.ts';
import { accountOf, asked } from '../../../stub/variants/changes/workspaces.ts';
import type { Deviation } from '../../../stub/variants/deviation.ts';

export const everySlug = ({ state }: Call): string[] =>
  [...state.accounts.values()].flatMap(({ workspaces }) => workspaces);

/** Selects requests with an unknown workspace. */
export const namingUnknown: Calls = (call) => {
  const slug = asked(call);
  return slug !== undefined && !everySlug(call).includes(slug);
};

/** Ignores the requested workspace and uses the default workspace of the key. */
export const toDefault = (tool: ToolName, when: Calls = () => true): Deviation =>
  settling((call, key) =>
    calls(tool)(call) && key.storedDefault !== null && when(call) ? [key.storedDefault, 'stored-default'] : undefined,
  );

/** Lets keys use inaccessible workspaces. */
const lettingInto = (slugs: (call: Call, key: KeyState) => readonly string[], tools: readonly ToolName[]): Deviation =>
  settling((call, key) => {
    const slug = asked(call);
    return slug !== undefined && calls(...tools)(call) && slugs(call, key).includes(slug)
      ? [slug, 'call-override']
      : undefined;
  });

/** Lets every key use all workspaces of all accounts. */
export const openTo = (...tools: readonly ToolName[]): Deviation => lettingInto(everySlug, tools);

/** Lets every key use all workspaces of its account. */
export const openWithinAccount = (...tools: readonly ToolName[]): Deviation => lettingInto(accountOf, tools);

/** Skips a rung for one tool. */
export const withoutRung = (source: Source, tool: ToolName): Deviation =>
  around('resolveWorkspace', (resolve) => (call) => {
    if (!calls(tool)(call)) return resolve(call);
    const rungs = call.behavior.rungs.filter(([name]) => name !== source);
    const climbing: Call = { ...call, behavior: { ...call.behavior, rungs } };
    const response = resolve(climbing);
    call.place = climbing.place;
    return response;
  });
