/** An object with the members of both; what is read anew each time in the one, is so in the result. */
export function extend<T extends object, U extends object>(base: T, more: U): Omit<T, keyof U> & U {
  const members = { ...Object.getOwnPropertyDescriptors(base), ...Object.getOwnPropertyDescriptors(more) };
  // Object.defineProperties says nothing of the properties that it defines.
  return Object.defineProperties({}, members) as Omit<T, keyof U> & U;
}
