/** Minimum length of a part to find. The shortest accepted key has 12 characters, so even 11 of them are found. */
export const shortestPart = 11;

/** Length of the pieces that sample a text. The stride makes every part of a secret contain a whole piece. */
const pieceLength = 8;
const stride = shortestPart - pieceLength + 1;

/** Part of a sought text, found in another text. */
export interface FoundPiece<T> {
  readonly of: T;
  readonly start: number;
  readonly end: number;
  /** Position of the part in the sought text. */
  readonly from: number;
  readonly whole: boolean;
  /** True if upper and lower case are identical, too. */
  readonly exact: boolean;
}

/** Returns whether a match in a text counts. */
export type Accepts = (piece: Omit<FoundPiece<unknown>, 'of'>, text: string) => boolean;

interface Place<T> {
  readonly of: T;
  readonly text: string;
  readonly folded: string;
  readonly at: number;
}

/** Finds texts of at least `shortestPart` characters, and their parts of that length, in any case. */
export class Pieces<T> {
  /** Bloom filter of pieces, indexed by both halves of the hash. It excludes most texts. */
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

  /** Returns the accepted matches in order, without overlaps. */
  in(text: string, accepts: Accepts): FoundPiece<T>[] {
    const result: FoundPiece<T>[] = [];
    for (let at = 0; at + pieceLength <= text.length; at += stride) {
      const hash = hashAt(text, at);
      if (this.#filter[hash & 0xffff] === 0 || this.#filter[0x1_0000 | (hash >>> 16)] === 0) continue;
      const piece = this.#around(text, at, result.at(-1)?.end ?? 0, accepts);
      if (piece === undefined) continue;
      result.push(piece);
      at = piece.end - stride;
    }
    return result;
  }

  /** Returns the match that contains the piece at a position of a text. */
  #around(text: string, piece: number, done: number, accepts: Accepts): FoundPiece<T> | undefined {
    for (let start = Math.max(done, piece - stride + 1); start <= piece; start += 1) {
      const places = this.#places.get(text.slice(start, start + shortestPart).toLowerCase());
      const matches = places?.map((place) => foundAt(text, start, place)).filter((piece) => accepts(piece, text)) ?? [];
      if (matches.length > 0) return matches.reduce(better);
    }
    return undefined;
  }
}

function foundAt<T>(text: string, start: number, { of, text: sought, folded, at }: Place<T>): FoundPiece<T> {
  let end = start + shortestPart;
  while (at + end - start < folded.length && text[end]?.toLowerCase() === folded[at + end - start]) end += 1;
  const whole = at === 0 && end - start === folded.length;
  return { of, start, end, from: at, whole, exact: text.slice(start, end) === sought.slice(at, at + end - start) };
}

function better<T>(one: FoundPiece<T>, other: FoundPiece<T>): FoundPiece<T> {
  if (one.end !== other.end) return other.end > one.end ? other : one;
  const weight = ({ whole, exact }: FoundPiece<T>) => (whole ? 2 : 0) + (exact ? 1 : 0);
  return weight(other) > weight(one) ? other : one;
}

/** Returns the hash of the piece at a position of a text, ignoring case. */
function hashAt(text: string, at: number): number {
  let hash = 0;
  for (let index = at; index < at + pieceLength; index += 1) {
    hash = (Math.imul(hash, 31) + (text.charCodeAt(index) | 0x20)) | 0;
  }
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d);
}
