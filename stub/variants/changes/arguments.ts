import type { ToolName } from '../../../fixtures/contract/tools.ts';
import type { Call } from '../../server/behavior.ts';
import { type ApiResponse, refusal } from '../../server/responses.ts';
import type { Deviation } from '../defect.ts';
import { around, calls } from './steps.ts';

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
    return refuseField(call, name, message);
  });

/** Returns an `invalid_arguments` refusal for one field. */
export function refuseField({ behavior }: Pick<Call, 'behavior'>, path: string, message = 'not accepted'): ApiResponse {
  return refusal(behavior.argumentsRefusedBy, {
    code: behavior.codes.invalidArguments,
    message: `These arguments do not fit: ${path}.`,
    issues: [{ path, message }],
  });
}
