import { parsed, shorten } from '../suites/json.ts';

/**
 * Control and format characters, including bidirectional and zero-width characters, separators, lone surrogates and
 * noncharacters. Line feeds are allowed.
 */
const unprintable = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;

/** Prefixes of log commands that CI servers interpret: `::error::`, `##[error]`, `##vso[…]`. */
const command = /:(?=:[a-z])|#(?=#[a-z]*\[)/gi;

/**
 * Makes untrusted text safe to print on one line. Inserts visible placeholders (`␛`, `⟨U+202E⟩`) for characters that a
 * terminal, a CI server, a page or an XML parser can interpret. Truncates after `limit` characters and adds the
 * original length.
 */
export function plain(text: string, limit = 400): string {
  return plainLines(text, limit).replaceAll('\n', placeholder);
}

/** Like `plain`, but keeps line feeds. */
export function plainLines(text: string, limit = 4000): string {
  return printableLines(shorten(text, limit)).replace(command, placeholder);
}

/**
 * Replaces only control and format characters, except line feeds. For output of the kit, which can contain commands for
 * CI servers.
 */
export function printableLines(text: string): string {
  // Fast check: most texts contain only these characters.
  return /^[ -~\n]*$/.test(text) ? text : text.replace(unprintable, placeholder);
}

function placeholder(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** The first items of a long list, and an item for the number of the others. A single other item is shown itself. */
export function limited<Item>(items: readonly Item[], most: number, more: (rest: number) => Item): Item[] {
  const rest = items.length - most;
  return rest > 1 ? [...items.slice(0, most), more(rest)] : [...items];
}

/** Longer bodies are not indented, because the cost outweighs the benefit. */
const longestIndented = 100_000;

/** A body for display: indented JSON without control characters, cut at `limit` characters. */
export function shownBody(body: string, limit: number): string {
  return plainLines(body.length > longestIndented ? body : indented(body), limit);
}

/** Indents JSON if only whitespace changes, so duplicate members and number formats stay visible. */
function indented(body: string): string {
  const text = JSON.stringify(parsed(body), null, 2) ?? body;
  return text.replace(/\s+/g, '') === body.replace(/\s+/g, '') ? text : body;
}
