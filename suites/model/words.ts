import { brief } from '../json.ts';
import type { Mismatch, Place, Want } from './answers.ts';

/** Describes what a response may hold and what it holds. */
export function inWords({ at, want, got }: Mismatch): { readonly expected: string; readonly actual: string } {
  const [place, separator] = named(at);
  return {
    expected: typeof want === 'object' && 'oneOf' in want ? oneOf(at, want) : `${place}${separator}${kind(want)}`,
    actual: 'header' in at && got === undefined ? `no header ${place}` : `${place}${separator}${shown(at, got)}`,
  };
}

function named(at: Place): readonly [place: string, separator: string] {
  if ('header' in at) return [at.header, ': '];
  const path = at.member.join('.');
  return path === 'error.code' ? ['error code', ' '] : [path, ': '];
}

function oneOf(at: Place, { oneOf: all }: Extract<Want, { oneOf: unknown }>): string {
  const [place, separator] = named(at);
  const values = all.filter((value) => value !== undefined).map((value) => shown(at, value));
  return values.length < all.length
    ? `${place} absent or ${values.join(' or ')}`
    : `${place}${separator}${values.join(' or ')}`;
}

function kind(want: Exclude<Want, { oneOf: unknown }>): string {
  if (want === 'text') return 'any text';
  return 'least' in want ? `a whole number of at least ${want.least}` : want.type;
}

function shown(at: Place, value: unknown): string {
  return 'header' in at ? String(value) : brief(value);
}
