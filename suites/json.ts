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

/** A value as text for a sentence: JSON, shortened in the middle of nowhere rather than wrapped. */
export function brief(value: unknown, most = 160): string {
  return shorten(value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value)), most);
}

/** A text as it is, unless it is long. */
export function shorten(text: string, most = 160): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters)`;
}
