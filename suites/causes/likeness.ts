import { toolNames } from '../../fixtures/contract/tools.ts';

const anyTool = new RegExp(toolNames.map((name) => name.replace('.', '\\.')).join('|'), 'g');

/** Replaces tools with a placeholder. */
export function withoutTool(text: string): string {
  return text.replace(anyTool, '<tool>');
}

/** Replaces tools, quoted IDs and quoted times with placeholders. */
export function withoutValues(text: string): string {
  return withoutTool(text).replace(/"[^"]*\d[^"]*"/g, '<value>');
}

/** Replaces tools and all quoted texts with placeholders. */
export function withoutQuotes(text: string): string {
  return withoutTool(text).replace(/"(?:[^"\\]|\\.)*"/g, '<value>');
}

/** Replaces everything that differs between two runs, such as IDs, times and numbers. Statuses stay. */
export function steady(text: string): string {
  return withoutValues(text).replace(/(?<!HTTP |\d)\d+/g, '<n>');
}

/** Replaces tools, quoted IDs and all numbers with placeholders. */
export function withoutNumbers(text: string): string {
  return withoutValues(text).replace(/\d+/g, '<n>');
}
