export type JsonRecord = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object: neither null nor an array. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own member at a path of names; undefined where any step is missing. */
export function member(value: unknown, ...path: string[]): unknown {
  let at = value;
  for (const name of path) {
    if (!isRecord(at) || !Object.hasOwn(at, name)) return undefined;
    at = at[name];
  }
  return at;
}

/** A value as text for a sentence: JSON, cut where it is long. */
export function brief(value: unknown, most = 160): string {
  return shorten(value === undefined ? '(missing)' : (JSON.stringify(value) ?? String(value)), most);
}

/** Cuts a text at `most` characters, never within a surrogate pair, and says how long it was. */
export function shorten(text: string, most = 160): string {
  if (text.length <= most) return text;
  const end = isHighSurrogate(text.charCodeAt(most - 1)) ? most - 1 : most;
  return `${detached(text.slice(0, end))}… (${text.length} characters in total)`;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** The same text on its own: a slice keeps all of what it was cut from in memory. */
function detached(slice: string): string {
  return JSON.parse(JSON.stringify(slice));
}
