import { plain, plainLines } from './plain.ts';

/**
 * Markup characters. `@` creates mentions, `$` formulas, `://` and `www.` links. An underscore within a word and a
 * number that begins no list are text: `confirmation_invalid`, `1 requirement`.
 */
const markup =
  /[\\`*[\]<>&|~@$#]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|:(?=\/\/)|(?<=www)\.|^[-+=:.()!]|^\d(?=\d*[.)](?:\s|$))/gu;

/** Escapes untrusted text for Markdown, on one line. Shows text between backticks as code. */
export function inline(text: string, limit = 600): string {
  return plain(text, limit)
    .split(/`([^`]+)`/)
    .map((part, index) =>
      index % 2 === 1 ? code(part) : part.replace(markup, (character) => `&#${character.charCodeAt(0)};`),
    )
    .join('');
}

/** Untrusted text as inline code. */
export function code(text: string, limit = 200): string {
  const shown = plain(text, limit).replaceAll('|', '¦');
  const ticks = '`'.repeat(longestRun(shown) + 1);
  const blank = shown === '' || shown.startsWith('`') || shown.endsWith('`') ? ' ' : '';
  return `${ticks}${blank}${shown}${blank}${ticks}`;
}

/** Untrusted text as a code block, with a fence that the text cannot close. */
export function fenced(text: string, limit = 4000, language = 'text'): string {
  const shown = plainLines(text, limit);
  const fence = '`'.repeat(Math.max(3, longestRun(shown) + 1));
  return `${fence}${language}\n${shown}\n${fence}`;
}

/** A table. Cells contain Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
}

/** Joins blocks to a document. Replaces control characters in texts that were not escaped earlier. */
export function markdown(blocks: readonly string[]): string {
  return plainLines(`${blocks.join('\n\n')}\n`, Number.POSITIVE_INFINITY);
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
}
