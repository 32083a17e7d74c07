import { plain, plainLines } from './plain.ts';

/** Markup anywhere in a line; `@` names people, `$` begins a formula, `://` and `www.` make links. */
const markup = /[\\`*_[\]<>&|~@$#]|:(?=\/\/)|(?<=www)\.|^[-+=\d:.()!]/g;

/**
 * Text of a stranger as text: whatever it holds, a Markdown reader shows it and obeys nothing. One line. What stands
 * between backticks is shown as code.
 */
export function inline(text: string, limit = 600): string {
  return plain(text, limit)
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? code(part) : part.replace(markup, entity)))
    .join('');
}

function entity(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}

/** The same as code. */
export function code(text: string, limit = 200): string {
  const shown = plain(text, limit).replaceAll('|', '¦');
  const ticks = '`'.repeat(longestRun(shown) + 1);
  const blank = shown === '' || shown.startsWith('`') || shown.endsWith('`') ? ' ' : '';
  return `${ticks}${blank}${shown}${blank}${ticks}`;
}

/** Lines of a stranger as a block of code, with a fence that they cannot close. */
export function fenced(text: string, limit = 4000): string {
  const shown = plainLines(text, limit);
  const fence = '`'.repeat(Math.max(3, longestRun(shown) + 1));
  return `${fence}text\n${shown}\n${fence}`;
}

/** A table; cells are Markdown already. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
}

/** Blocks as a document. No control character of a report gets into it, whichever way its text came here. */
export function markdown(blocks: readonly string[]): string {
  return plainLines(`${blocks.join('\n\n')}\n`, Number.POSITIVE_INFINITY);
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
}
