/** Converts options to command-line arguments. `true` is a flag. `undefined` and `false` are omitted. */
export function argumentsOf(options: Readonly<Record<string, string | number | boolean | undefined>>): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    return value === true ? [`--${name}`] : [`--${name}`, String(value)];
  });
}
