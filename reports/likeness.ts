import { toolNames } from '../fixtures/contract/tools.ts';

const anyTool = new RegExp(toolNames.map((name) => name.replace('.', '\\.')).join('|'), 'g');

/** A text that is the same for every tool. */
export function withoutTool(text: string): string {
  return text.replace(anyTool, '<tool>');
}

/** A text that is the same whatever ids and moments are quoted in it. */
export function withoutValues(text: string): string {
  return withoutTool(text).replace(/"[^"]*\d[^"]*"/g, '<value>');
}

/** A text that is the same whatever is quoted in it. */
export function withoutQuotes(text: string): string {
  return withoutTool(text).replace(/"(?:[^"\\]|\\.)*"/g, '<value>');
}

/** A text that is the same on two runs: ids, moments and numbers may differ, but no status may. */
export function steady(text: string): string {
  return withoutValues(text).replace(/(?<!HTTP |\d)\d+/g, '<n>');
}

/** A text that is the same whatever numbers are in it. */
export function withoutNumbers(text: string): string {
  return withoutValues(text).replace(/\d+/g, '<n>');
}
