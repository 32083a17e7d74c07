import type { Source } from '../../../fixtures/contract/enums.ts';
import type { ToolName } from '../../../fixtures/contract/tools.ts';
import type { Role } from '../../../fixtures/roles.ts';
import type { Call, Step, Steps } from '../../server/behavior.ts';
import { type ApiResponse, refusal } from '../../server/responses.ts';
import type { KeyState } from '../../server/state/state.ts';
import type { Deviation } from '../defect.ts';

export type Calls = (call: Call) => boolean;

/** Selects requests of these tools (default: all). */
export const calls =
  (...tools: readonly ToolName[]): Calls =>
  ({ tool }) =>
    tools.length === 0 || tools.some((name) => name === tool);

export const around =
  (name: keyof Steps, wrap: (step: Step) => Step): Deviation =>
  (behavior) => ({ ...behavior, steps: { ...behavior.steps, [name]: wrap(behavior.steps[name]) } });

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

/** Replaces a step by a response for some requests. */
export const instead = (name: keyof Steps, when: Calls, response: (call: Call) => ApiResponse): Deviation =>
  around(name, (step) => (call) => (when(call) ? response(call) : step(call)));

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
