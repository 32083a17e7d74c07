import type { ToolName } from '../../../fixtures/contract/tools.ts';
import type { Call, Step, Steps } from '../../server/behavior.ts';
import type { ApiResponse } from '../../server/responses.ts';
import { invalidArguments } from '../../server/steps.ts';
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

/** Replaces a step by a response for some requests. */
export const instead = (name: keyof Steps, when: Calls, response: (call: Call) => ApiResponse): Deviation =>
  around(name, (step) => (call) => (when(call) ? response(call) : step(call)));

/** Rejects some values of an argument, with a message that says what is expected. */
export const refusingAs = (
  message: string,
  name: string,
  when: (value: unknown, call: Call) => boolean,
  ...tools: readonly ToolName[]
): Deviation =>
  around('checkArguments', (check) => (call) => {
    const response = check(call);
    if (response !== undefined || !calls(...tools)(call) || !when(call.args[name], call)) return response;
    return invalidArguments(call.behavior, [{ path: name, message }]);
  });
