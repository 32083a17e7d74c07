type WithoutUndefined<T> = { -readonly [Name in keyof T]?: Exclude<T[Name], undefined> };

/** Drops members whose value is undefined, so that the others fit exact optional members. */
export function withoutUndefined<T extends object>(members: T): WithoutUndefined<T> {
  // The filter leaves exactly what the type describes.
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as WithoutUndefined<T>;
}
