import type { Source } from '../../../fixtures/contract/enums.ts';
import type { ToolName } from '../../../fixtures/contract/tools.ts';
import type { Role } from '../../../fixtures/roles.ts';
import type { Call, Steps } from '../../../stub/server/behavior.ts';
import { refusal } from '../../../stub/server/responses.ts';
import type { KeyState } from '../../../stub/server/state/state.ts';
import type { Body } from '../../../stub/variants/changes/responses.ts';
import { around, type Calls, calls, instead, refusingAs } from '../../../stub/variants/changes/steps.ts';
import type { Deviation } from '../../../stub/variants/defect.ts';

export * from '../../../stub/variants/changes/steps.ts';

/** Moves a step right before the first of the other steps. */
export const rightBefore =
  (name: keyof Steps, ...others: readonly (keyof Steps)[]): Deviation =>
  (behavior) => {
    const order = behavior.order.filter((step) => step !== name);
    const at = order.findIndex((step) => others.includes(step));
    return { ...behavior, order: order.toSpliced(at, 0, name) };
  };

export const before = (name: keyof Steps, act: (call: Call) => void): Deviation =>
  around(name, (step) => (call) => {
    act(call);
    return step(call);
  });

/** Refuses some requests of a tool with an unspecified code. */
export const declining = (tool: ToolName, when: Calls): Deviation =>
  instead(
    'runTool',
    (call) => calls(tool)(call) && when(call),
    () => refusal('tool', { code: 'unavailable', message: 'This cannot be read just now.' }),
  );

/** Returns the raw body as text. */
export const sent = ({ request }: Call): string => Buffer.from(request.body ?? []).toString('utf8');

export function keyOf({ state }: Call, role: Role): KeyState | undefined {
  return [...state.keys.values()].find((key) => key.role === role);
}

/** Uses the workspace that `settle` returns. If it returns none, the usual rules apply. */
export const settling = (settle: (call: Call, key: KeyState) => readonly [string, Source] | undefined): Deviation =>
  around('resolveWorkspace', (resolve) => (call) => {
    const settled = call.key === undefined ? undefined : settle(call, call.key);
    if (settled === undefined) return resolve(call);
    const [slug, source] = settled;
    call.place = { workspace: call.state.workspace(slug), source };
    return undefined;
  });

/** Skips a step for some requests. */
export const skipping = (name: keyof Steps, when: Calls): Deviation =>
  around(name, (step) => (call) => (when(call) ? undefined : step(call)));

/** Accepts some malformed bodies. `read` returns the JSON object to use instead. */
export const forgiving = (read: (text: string, call: Call) => Body | undefined): Deviation =>
  around('readBody', (step) => (call) => {
    const response = step(call);
    const given = response === undefined ? undefined : read(sent(call), call);
    if (given === undefined) return response;
    call.body = given;
    return undefined;
  });

/** Returns the credential in the Authorization header, after the scheme. `any` also accepts other schemes, or none. */
export function presented({ request }: Call, scheme: 'bearer' | 'any' = 'bearer'): string | undefined {
  const { authorization } = request.headers;
  const pattern = scheme === 'any' ? /^(?:\S+ +)?(\S+)$/ : /^bearer +(\S+)$/i;
  return typeof authorization === 'string' ? pattern.exec(authorization)?.[1] : undefined;
}

/**
 * Handles requests without a valid key as if they used the key that `find` returns. If it returns none, the response is
 * unchanged.
 */
export const admitting = (find: (call: Call) => KeyState | undefined): Deviation =>
  around('authenticate', (authenticate) => (call) => {
    const response = authenticate(call);
    const key = response === undefined ? undefined : find(call);
    if (key === undefined) return response;
    call.key = key;
    return undefined;
  });

/** Changes the arguments before validation. */
export const taking = (change: (args: Body, call: Call) => Body, ...tools: readonly ToolName[]): Deviation =>
  before('checkArguments', (call) => {
    if (calls(...tools)(call)) call.body = change(call.body, call);
  });

/** Removes an argument with certain values before validation. */
export const ignoring = (name: string, when: (value: unknown) => boolean, ...tools: readonly ToolName[]) =>
  taking(
    (args) => {
      const { [name]: value, ...others } = args;
      return Object.hasOwn(args, name) && when(value) ? others : args;
    },
    ...tools,
  );

/** Rejects some values of an argument that the contract allows. */
export const refusing = (name: string, when: (value: unknown, call: Call) => boolean, ...tools: readonly ToolName[]) =>
  refusingAs('not accepted', name, when, ...tools);

/** Converts an argument before validation, if present. */
export const converting = (name: string, convert: (value: unknown) => unknown, ...tools: readonly ToolName[]) =>
  taking((args) => (Object.hasOwn(args, name) ? { ...args, [name]: convert(args[name]) } : args), ...tools);

export const asked = ({ args }: Call): string | undefined =>
  typeof args.workspace === 'string' ? args.workspace : undefined;

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
