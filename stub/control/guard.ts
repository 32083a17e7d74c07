// An `import` would evaluate all exports of the module, which is slow.
const { hash, timingSafeEqual } = process.getBuiltinModule('node:crypto');

/** Returns whether a value is the token. The comparison takes constant time. */
export type Knows = (given: unknown) => boolean;

export function createKnows(token: string): Knows {
  const expected = hash('sha256', token, 'buffer');
  // timingSafeEqual requires equal lengths, which digests have.
  return (given) => typeof given === 'string' && timingSafeEqual(hash('sha256', given, 'buffer'), expected);
}
