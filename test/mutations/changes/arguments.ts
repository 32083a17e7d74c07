import type { ToolName } from '../../../fixtures/contract/tools.ts';
import type { Call } from '../../../stub/server/behavior.ts';
import type { Body } from '../../../stub/variants/changes/responses.ts';
import { calls, refusingAs } from '../../../stub/variants/changes/steps.ts';
import type { Deviation } from '../../../stub/variants/defect.ts';
import { before } from './steps.ts';

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
