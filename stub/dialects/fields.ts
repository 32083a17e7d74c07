import type { ToolName } from '../../fixtures/contract/tools.ts';
import { type Answer, refusal } from '../answers.ts';
import type { Call } from '../call.ts';
import type { Deviation } from '../defects/patches.ts';
import { around } from '../defects/steps.ts';

/** An `invalid_arguments` that names one field. */
export function refuseField({ rules }: Pick<Call, 'rules'>, path: string, message: string): Answer {
  return refusal(rules.argumentsRefusedBy, {
    code: rules.codes.invalidArguments,
    message: `These arguments do not fit: ${path}.`,
    issues: [{ path, message }],
  });
}

/** Refuses some values of an argument that the contract allows. */
export const refusingField = (
  tool: ToolName,
  name: string,
  when: (value: unknown, call: Call) => boolean,
  message: string,
): Deviation =>
  around('checkArguments', (check) => (call) => {
    const answer = check(call);
    if (answer !== undefined || call.tool !== tool || !when(call.args[name], call)) return answer;
    return refuseField(call, name, message);
  });
