import type { ToolName } from '../../../fixtures/contract/tools.ts';
import type { Call } from '../../../stub/server/behavior.ts';
import { taking } from '../../../stub/variants/changes/arguments.ts';
import type { Deviation } from '../../../stub/variants/defect.ts';

/** Converts an argument before validation, if present. */
export const converting = (name: string, convert: (value: unknown) => unknown, ...tools: readonly ToolName[]) =>
  taking((args) => (Object.hasOwn(args, name) ? { ...args, [name]: convert(args[name]) } : args), ...tools);

/** Sets a default value for an omitted argument. */
export const defaulting = (name: string, value: (call: Call) => unknown, ...tools: readonly ToolName[]) =>
  taking((args, call) => (args[name] === undefined ? { ...args, [name]: value(call) } : args), ...tools);

/** Converts a number to a string. */
export const byNumber = (name: string, ...tools: readonly ToolName[]): Deviation =>
  converting(name, (value) => (typeof value === 'number' ? String(value) : value), ...tools);

/** Replaces a list by its first item. */
export const firstOfList = (name: string, ...tools: readonly ToolName[]): Deviation =>
  converting(name, (value) => (Array.isArray(value) ? value[0] : value), ...tools);
