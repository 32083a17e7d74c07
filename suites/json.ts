export type JsonRecord = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object: neither null nor an array. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses a JSON text. Returns undefined if the text is not JSON. */
export function parsed(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** Returns the members of a JSON object in a text; none if the text is another value or not JSON. */
export function membersOf(text: string | null | undefined): JsonRecord {
  const value = parsed(text);
  return isRecord(value) ? value : {};
}

/** Returns the own property at a path of names, or undefined if a step is missing. */
export function member(value: unknown, ...path: string[]): unknown {
  let at = value;
  for (const name of path) {
    if (!isRecord(at) || !Object.hasOwn(at, name)) return undefined;
    at = at[name];
  }
  return at;
}

/** Formats a value as JSON for a sentence, shortened to `most` characters. */
export function brief(value: unknown, most = 160): string {
  return shorten(value === undefined ? '(missing)' : (JSON.stringify(value) ?? String(value)), most);
}

/** Cuts a text after `most` characters, and appends its total length. */
export function shorten(text: string, most = 160): string {
  return text.length <= most ? text : `${truncated(text, most)} (${text.length} characters in total)`;
}

/** Cuts a text after `most` characters, never within a surrogate pair. */
export function truncated(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = isHighSurrogate(text.charCodeAt(most - 1)) ? most - 1 : most;
  return `${detached(text.slice(0, end))}…`;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** Copies a slice, because a slice keeps the whole original string in memory. */
function detached(slice: string): string {
  return JSON.parse(JSON.stringify(slice));
}

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

type WithoutUndefined<T> = { -readonly [Name in keyof T]?: Exclude<T[Name], undefined> };

/** Drops members whose value is undefined, so that the others fit exact optional members. */
export function withoutUndefined<T extends object>(members: T): WithoutUndefined<T> {
  // The filter leaves exactly what the type describes.
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as WithoutUndefined<T>;
}
