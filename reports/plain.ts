import { shorten } from '../suites/json.ts';

/**
 * Control and format characters (bidi controls and zero-width ones among them), separators, lone surrogates,
 * noncharacters.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;
const unprintableButLineFeed = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;

/** The beginnings of commands that a build server obeys in a log: `::error::`, `##[error]`, `##vso[…]`. */
const command = /:(?=:[a-z])|#(?=#[a-z]*\[)/gi;

/** Most texts hold nothing else, and finding that out is quick. */
const printableAscii = /^[ -~]*$/;
const printableAsciiLines = /^[ -~\n]*$/;

/**
 * Text of a stranger, safe to print on one line: what a terminal, a build server, a page or an XML reader might obey is
 * shown as a visible placeholder (`␛`, `⟨U+202E⟩`), and what is longer than `limit` characters is cut, saying how long
 * it was.
 */
export function plain(text: string, limit = 400): string {
  const short = shorten(text, limit);
  const printable = printableAscii.test(short) ? short : short.replace(unprintable, placeholder);
  return printable.replace(command, placeholder);
}

/** The same for text of several lines, such as a body: line feeds stay. */
export function plainLines(text: string, limit = 4000): string {
  return printableLines(shorten(text, limit)).replace(command, placeholder);
}

/**
 * Text of the kit itself, which may command a build server: control and format characters alone are shown as
 * placeholders.
 */
export function printableLines(text: string): string {
  return printableAsciiLines.test(text) ? text : text.replace(unprintableButLineFeed, placeholder);
}

function placeholder(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
