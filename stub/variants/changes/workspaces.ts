import type { Source } from '../../../fixtures/contract/enums.ts';
import type { ToolName } from '../../../fixtures/contract/tools.ts';
import type { Call } from '../../server/behavior.ts';
import type { ApiResponse } from '../../server/responses.ts';
import type { KeyState } from '../../server/state/state.ts';
import type { Deviation } from '../deviation.ts';
import { type Body, changing, inside, type When } from './responses.ts';
import { around, type Calls, calls, settling } from './steps.ts';

export const asked = ({ args }: Call): string | undefined =>
  typeof args.workspace === 'string' ? args.workspace : undefined;
export const accountOf = ({ state }: Call, key: KeyState): readonly string[] =>
  state.accounts.get(key.account)?.workspaces ?? [];
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

/** Selects results whose workspace came from one of these rungs. */
export const settledBy =
  (...sources: readonly Source[]): When =>
  (response) =>
    response.body.ok === true && sources.some((source) => source === workingIn(response).source);

/** Returns `working_in` of a result, or an empty object. */
export const workingIn = ({ body }: ApiResponse): Body =>
  typeof body.working_in === 'object' && body.working_in !== null ? { ...body.working_in } : {};

/** Reports another source for one rung. */
export const calling = (source: Source, other: string): Deviation =>
  changing(settledBy(source), inside('working_in', { source: other }));
