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

/** Cuts a text after `most` characters, and marks the cut. */
export function truncated(text: string, most: number): string {
  return text.length <= most ? text : `${startOf(text, most)}…`;
}

/** Returns the first `most` characters of a text, without half of a surrogate pair at the end. */
export function startOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? most - 1 : most;
  // Copied, because a slice keeps the whole text in memory.
  return JSON.parse(JSON.stringify(text.slice(0, end)));
}

/** Size of a JSON text, estimated without parsing. */
interface JsonExtent {
  /** Upper bound for the number of values: 1 plus the number of opening brackets and commas. */
  nodes: number;
  levels: number;
}

/** Measures a JSON text without parsing it, so that oversized texts are found before. */
export function jsonExtent(text: string): JsonExtent {
  let [nodes, level, levels] = [1, 0, 0];
  // Any other JSON text holds a single value, however long it is.
  if (!/^[\t\n\r ]*[[{]/.test(text)) return { nodes, levels };
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '\\') {
      at += 1;
    } else if (sign === '"') {
      isInString = !isInString;
    } else if (isInString) {
      // Only the end of the string matters.
    } else if (sign === ',') {
      nodes += 1;
    } else if (sign === '[' || sign === '{') {
      nodes += 1;
      level += 1;
      levels = Math.max(levels, level);
    } else if (sign === ']' || sign === '}') {
      level -= 1;
    }
  }
  return { nodes, levels };
}

type WithoutUndefined<T> = { -readonly [Name in keyof T]?: Exclude<T[Name], undefined> };

/** Drops members whose value is undefined, so that the others fit exact optional members. */
export function withoutUndefined<T extends object>(members: T): WithoutUndefined<T> {
  // The filter leaves exactly what the type describes.
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as WithoutUndefined<T>;
}
