type Given<T> = { -readonly [Name in keyof T]?: Exclude<T[Name], undefined> };

/** Drops members whose value is undefined, so that the others fit exact optional members. */
export function given<T extends object>(members: T): Given<T> {
  // The filter leaves exactly what the type describes.
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Given<T>;
}
