import { hash, timingSafeEqual } from '../../fixtures/world/crypto.ts';

/** Returns whether a value is the token. The comparison takes constant time. */
export type Knows = (given: unknown) => boolean;

export function createKnows(token: string): Knows {
  const expected = hash('sha256', token, 'buffer');
  // timingSafeEqual requires equal lengths, which digests have.
  return (given) => typeof given === 'string' && timingSafeEqual(hash('sha256', given, 'buffer'), expected);
}
