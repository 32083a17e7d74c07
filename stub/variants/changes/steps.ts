import type { Source } from '../../../fixtures/contract/enums.ts';
import type { ToolName } from '../../../fixtures/contract/tools.ts';
import type { Role } from '../../../fixtures/roles.ts';
import type { Call, Step, Steps } from '../../server/behavior.ts';
import { type ApiResponse, refusal } from '../../server/responses.ts';
import type { KeyState } from '../../server/state/state.ts';
import type { Deviation } from '../deviation.ts';
import type { Body } from './responses.ts';

/** Which calls are meant. */
export type Calls = (call: Call) => boolean;

/** Calls of these tools; of all of them when none is named. */
export const calls =
  (...tools: readonly ToolName[]): Calls =>
  ({ tool }) =>
    tools.length === 0 || tools.some((name) => name === tool);

/** Puts a step around another. */
export const around =
  (name: keyof Steps, wrap: (step: Step) => Step): Deviation =>
  (behavior) => ({ ...behavior, steps: { ...behavior.steps, [name]: wrap(behavior.steps[name]) } });

/** Leaves a step out for some calls. */
export const skipping = (name: keyof Steps, when: Calls): Deviation =>
  around(name, (step) => (call) => (when(call) ? undefined : step(call)));

/** Moves a step to the place right before the first of others. */
export const rightBefore =
  (name: keyof Steps, ...others: readonly (keyof Steps)[]): Deviation =>
  (behavior) => {
    const order = behavior.order.filter((step) => step !== name);
    const at = order.findIndex((step) => others.includes(step));
    return { ...behavior, order: order.toSpliced(at, 0, name) };
  };

/** Does something to a call before it meets a step. */
export const before = (name: keyof Steps, act: (call: Call) => void): Deviation =>
  around(name, (step) => (call) => {
    act(call);
    return step(call);
  });

/** Responds to some calls in place of a step. */
export const instead = (name: keyof Steps, when: Calls, response: (call: Call) => ApiResponse): Deviation =>
  around(name, (step) => (call) => (when(call) ? response(call) : step(call)));

/** Refuses some calls of a tool for a reason of its own. */
export const declining = (tool: ToolName, when: Calls): Deviation =>
  instead(
    'runTool',
    (call) => calls(tool)(call) && when(call),
    () => refusal('tool', { code: 'unavailable', message: 'This cannot be read just now.' }),
  );

/** The body as it was sent, as text. */
export const sent = ({ request }: Call): string => Buffer.from(request.body ?? []).toString('utf8');

/** Reads some bodies that are no JSON objects as if they were these. */
export const forgiving = (read: (text: string, call: Call) => Body | undefined): Deviation =>
  around('readBody', (step) => (call) => {
    const response = step(call);
    const given = response === undefined ? undefined : read(sent(call), call);
    if (given === undefined) return response;
    call.body = given;
    return undefined;
  });

/** The key of a role. */
export function keyOf({ state }: Call, role: Role): KeyState | undefined {
  return [...state.keys.values()].find((key) => key.role === role);
}

/**
 * What stands in the header Authorization behind the scheme, or without one where any will do; undefined where nothing
 * does.
 */
export function presented({ request }: Call, scheme: 'bearer' | 'any' = 'bearer'): string | undefined {
  const { authorization } = request.headers;
  const pattern = scheme === 'any' ? /^(?:\S+ +)?(\S+)$/ : /^bearer +(\S+)$/i;
  return typeof authorization === 'string' ? pattern.exec(authorization)?.[1] : undefined;
}

/** Takes calls without a good key for those of another; where `find` gives none they are refused as ever. */
export const admitting = (find: (call: Call) => KeyState | undefined): Deviation =>
  around('authenticate', (authenticate) => (call) => {
    const response = authenticate(call);
    const key = response === undefined ? undefined : find(call);
    if (key === undefined) return response;
    call.key = key;
    return undefined;
  });

/** Settles the workspace in another way; where `settle` gives none it is resolved as ever. */
export const settling = (settle: (call: Call, key: KeyState) => readonly [string, Source] | undefined): Deviation =>
  around('resolveWorkspace', (resolve) => (call) => {
    const settled = call.key === undefined ? undefined : settle(call, call.key);
    if (settled === undefined) return resolve(call);
    const [slug, source] = settled;
    call.place = { workspace: call.state.workspace(slug), source };
    return undefined;
  });
