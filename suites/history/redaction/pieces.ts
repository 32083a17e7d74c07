/** Parts of this length are found: of the shortest key that is accepted, 12 characters, also all but one character. */
export const shortestPart = 11;

/** A text is sampled in pieces of this length, at a stride at which every part of a secret contains a whole piece. */
const pieceLength = 8;
const stride = shortestPart - pieceLength + 1;

/** A part of what is looked for, in a text. */
export interface Found<T> {
  readonly of: T;
  readonly start: number;
  readonly end: number;
  /** Where the part begins in what it is a part of. */
  readonly from: number;
  readonly whole: boolean;
  /** Whether upper and lower case are the same, too. */
  readonly exact: boolean;
}

/** Whether a match counts, in the text in which it was found. */
export type Accepts = (found: Omit<Found<unknown>, 'of'>, text: string) => boolean;

interface Place<T> {
  readonly of: T;
  readonly text: string;
  readonly folded: string;
  readonly at: number;
}

/** Finds texts of at least `shortestPart` characters, and such parts of them, in other texts, in whichever case. */
export class Pieces<T> {
  /** Whether a piece may be part of a secret, by either half of its hash. Most texts are read no further. */
  readonly #filter = new Uint8Array(1 << 17);
  readonly #places = new Map<string, Place<T>[]>();

  add(text: string, of: T): void {
    const folded = text.toLowerCase();
    for (let at = 0; at + pieceLength <= folded.length; at += 1) {
      const hash = hashAt(folded, at);
      this.#filter[hash & 0xffff] = 1;
      this.#filter[0x1_0000 | (hash >>> 16)] = 1;
    }
    for (let at = 0; at + shortestPart <= folded.length; at += 1) {
      const part = folded.slice(at, at + shortestPart);
      const places = this.#places.get(part);
      // In a repetitive text, the first place allows the longest match.
      if (places?.at(-1)?.folded === folded) continue;
      const place = { of, text, folded, at };
      if (places === undefined) this.#places.set(part, [place]);
      else places.push(place);
    }
  }

  /** Matches in order, without overlaps, among those that are accepted. */
  in(text: string, accepts: Accepts): Found<T>[] {
    const result: Found<T>[] = [];
    for (let at = 0; at + pieceLength <= text.length; at += stride) {
      const hash = hashAt(text, at);
      if (this.#filter[hash & 0xffff] === 0 || this.#filter[0x1_0000 | (hash >>> 16)] === 0) continue;
      const found = this.#around(text, at, result.at(-1)?.end ?? 0, accepts);
      if (found === undefined) continue;
      result.push(found);
      at = found.end - stride;
    }
    return result;
  }

  /** The match that contains the piece at a place of a text. */
  #around(text: string, piece: number, done: number, accepts: Accepts): Found<T> | undefined {
    for (let start = Math.max(done, piece - stride + 1); start <= piece; start += 1) {
      const places = this.#places.get(text.slice(start, start + shortestPart).toLowerCase());
      const matches = places?.map((place) => foundAt(text, start, place)).filter((found) => accepts(found, text)) ?? [];
      if (matches.length > 0) return matches.reduce(better);
    }
    return undefined;
  }
}

function foundAt<T>(text: string, start: number, { of, text: sought, folded, at }: Place<T>): Found<T> {
  let end = start + shortestPart;
  while (at + end - start < folded.length && text[end]?.toLowerCase() === folded[at + end - start]) end += 1;
  const whole = at === 0 && end - start === folded.length;
  return { of, start, end, from: at, whole, exact: text.slice(start, end) === sought.slice(at, at + end - start) };
}

function better<T>(one: Found<T>, other: Found<T>): Found<T> {
  if (one.end !== other.end) return other.end > one.end ? other : one;
  const weight = ({ whole, exact }: Found<T>) => (whole ? 2 : 0) + (exact ? 1 : 0);
  return weight(other) > weight(one) ? other : one;
}

/** A hash of the piece at a place of a text, the same for either case. */
function hashAt(text: string, at: number): number {
  let hash = 0;
  for (let index = at; index < at + pieceLength; index += 1) {
    hash = (Math.imul(hash, 31) + (text.charCodeAt(index) | 0x20)) | 0;
  }
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d);
}
