import type { ToolName } from '../../../fixtures/contract/tools.ts';
import type { Call } from '../../server/behavior.ts';
import { type ApiResponse, refusal } from '../../server/responses.ts';
import type { Deviation } from '../deviation.ts';
import type { Body } from './responses.ts';
import { around, before, calls } from './steps.ts';

/** Holds other arguments against the schema than those that came. */
export const taking = (change: (args: Body, call: Call) => Body, ...tools: readonly ToolName[]): Deviation =>
  before('checkArguments', (call) => {
    if (calls(...tools)(call)) call.body = change(call.body, call);
  });

/** Changes one argument before it is held against the schema, where it was given. */
export const converting = (name: string, convert: (value: unknown) => unknown, ...tools: readonly ToolName[]) =>
  taking((args) => (Object.hasOwn(args, name) ? { ...args, [name]: convert(args[name]) } : args), ...tools);

/** Leaves an argument out before it is held against the schema, for some of its values. */
export const ignoring = (name: string, when: (value: unknown) => boolean, ...tools: readonly ToolName[]) =>
  taking(
    (args) => {
      const { [name]: value, ...others } = args;
      return Object.hasOwn(args, name) && when(value) ? others : args;
    },
    ...tools,
  );

/** Gives an argument that was left out a value. */
export const defaulting = (name: string, value: (call: Call) => unknown, ...tools: readonly ToolName[]) =>
  taking((args, call) => (args[name] === undefined ? { ...args, [name]: value(call) } : args), ...tools);

/** Refuses some values of an argument that the contract allows. */
export const refusing = (name: string, when: (value: unknown, call: Call) => boolean, ...tools: readonly ToolName[]) =>
  refusingAs('not accepted', name, when, ...tools);

/** The same, with a message that says what is expected. */
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

/** An `invalid_arguments` that names one field. */
export function refuseField({ behavior }: Pick<Call, 'behavior'>, path: string, message = 'not accepted'): ApiResponse {
  return refusal(behavior.argumentsRefusedBy, {
    code: behavior.codes.invalidArguments,
    message: `These arguments do not fit: ${path}.`,
    issues: [{ path, message }],
  });
}

/** Takes a number for the text that writes it. */
export const byNumber = (name: string, ...tools: readonly ToolName[]): Deviation =>
  converting(name, (value) => (typeof value === 'number' ? String(value) : value), ...tools);

/** Takes a list for the text that its members make together. */
export const outOfList = (name: string, ...tools: readonly ToolName[]): Deviation =>
  converting(name, (value) => (Array.isArray(value) ? value.join(' ') : value), ...tools);

/** Takes a list for its first member. */
export const firstOfList = (name: string, ...tools: readonly ToolName[]): Deviation =>
  converting(name, (value) => (Array.isArray(value) ? value[0] : value), ...tools);
