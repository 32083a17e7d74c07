/** How much a JSON text holds, as far as it shows without parsing. */
export interface JsonExtent {
  /** Values in it, or a few more: every bracket that opens and every comma counts for one. */
  nodes: number;
  levels: number;
}

/** No parser makes anything of another text, however long it is, but one value. */
const beginsLikeContainer = /^[\t\n\r ]*[[{]/;

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
/** Square and curly brackets differ in this bit alone. */
const bracketBit = 0x20;
const opening = 0x7b;
const closing = 0x7d;

/** Reads a text once and keeps nothing of it: what is too large is found before it is parsed. */
export function jsonExtent(text: string): JsonExtent {
  let nodes = 1;
  let levels = 0;
  if (!beginsLikeContainer.test(text)) return { nodes, levels };
  let level = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
    } else if (code === comma) {
      nodes += 1;
    } else if ((code | bracketBit) === opening) {
      nodes += 1;
      level += 1;
      levels = Math.max(levels, level);
    } else if ((code | bracketBit) === closing) {
      level -= 1;
    }
  }
  return { nodes, levels };
}

/** Where the string ends that begins here; the end of the text where it does not. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((at - before) % 2 === 1) return at;
  }
  return text.length;
}
