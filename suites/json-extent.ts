/** Size of a JSON text, estimated without parsing. */
interface JsonExtent {
  /** Upper bound for the number of values: 1 plus the number of opening brackets and commas. */
  nodes: number;
  levels: number;
}

/** Any other JSON text holds a single value, however long it is. */
const beginsLikeContainer = /^[\t\n\r ]*[[{]/;

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
/** The only bit in which square and curly brackets differ. */
const bracketBit = 0x20;
const opening = 0x7b;
const closing = 0x7d;

/** Measures a JSON text in one pass, so that oversized texts are found before parsing. */
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

/** Index of the closing quote; the length of the text if the string is not closed. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((at - before) % 2 === 1) return at;
  }
  return text.length;
}
