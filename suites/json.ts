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

/** Cuts a text after `most` characters, never within a surrogate pair, and appends its total length. */
export function shorten(text: string, most = 160): string {
  if (text.length <= most) return text;
  const end = isHighSurrogate(text.charCodeAt(most - 1)) ? most - 1 : most;
  return `${detached(text.slice(0, end))}… (${text.length} characters in total)`;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** Copies a slice, because a slice keeps the whole original string in memory. */
function detached(slice: string): string {
  return JSON.parse(JSON.stringify(slice));
}
