import type { ToolName } from '../../../fixtures/contract/tools.ts';
import type { Call } from '../../server/behavior.ts';
import { type ApiResponse, refusal } from '../../server/responses.ts';
import type { Deviation } from '../deviation.ts';
import type { Body } from './responses.ts';
import { around, before, calls } from './steps.ts';

/** Changes the arguments before validation. */
export const taking = (change: (args: Body, call: Call) => Body, ...tools: readonly ToolName[]): Deviation =>
  before('checkArguments', (call) => {
    if (calls(...tools)(call)) call.body = change(call.body, call);
  });

/** Converts an argument before validation, if present. */
export const converting = (name: string, convert: (value: unknown) => unknown, ...tools: readonly ToolName[]) =>
  taking((args) => (Object.hasOwn(args, name) ? { ...args, [name]: convert(args[name]) } : args), ...tools);

/** Removes an argument with certain values before validation. */
export const ignoring = (name: string, when: (value: unknown) => boolean, ...tools: readonly ToolName[]) =>
  taking(
    (args) => {
      const { [name]: value, ...others } = args;
      return Object.hasOwn(args, name) && when(value) ? others : args;
    },
    ...tools,
  );

/** Sets a default value for an omitted argument. */
export const defaulting = (name: string, value: (call: Call) => unknown, ...tools: readonly ToolName[]) =>
  taking((args, call) => (args[name] === undefined ? { ...args, [name]: value(call) } : args), ...tools);

/** Rejects some values of an argument that the contract allows. */
export const refusing = (name: string, when: (value: unknown, call: Call) => boolean, ...tools: readonly ToolName[]) =>
  refusingAs('not accepted', name, when, ...tools);

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

/** Converts a number to a string. */
export const byNumber = (name: string, ...tools: readonly ToolName[]): Deviation =>
  converting(name, (value) => (typeof value === 'number' ? String(value) : value), ...tools);

/** Joins the items of a list with spaces. */
export const outOfList = (name: string, ...tools: readonly ToolName[]): Deviation =>
  converting(name, (value) => (Array.isArray(value) ? value.join(' ') : value), ...tools);

/** Replaces a list by its first item. */
export const firstOfList = (name: string, ...tools: readonly ToolName[]): Deviation =>
  converting(name, (value) => (Array.isArray(value) ? value[0] : value), ...tools);
