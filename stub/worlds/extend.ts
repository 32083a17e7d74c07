/** Merges two objects and preserves their getters. */
export function extend<T extends object, U extends object>(base: T, more: U): Omit<T, keyof U> & U {
  const members = { ...Object.getOwnPropertyDescriptors(base), ...Object.getOwnPropertyDescriptors(more) };
  // The return type of Object.defineProperties lacks the defined properties.
  return Object.defineProperties({}, members) as Omit<T, keyof U> & U;
}
