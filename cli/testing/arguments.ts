/** A command line of options by name, as a person would type it: `true` for a flag, `undefined` for none. */
export function argumentsOf(options: Readonly<Record<string, string | number | boolean | undefined>>): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    return value === true ? [`--${name}`] : [`--${name}`, String(value)];
  });
}
