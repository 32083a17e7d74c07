import { keptOfAnswer, keptOfRequest } from './event.ts';

/** The kept part of a body, and its full length in bytes. */
export interface KeptBody {
  readonly text: string;
  readonly bytes: number;
}

/** A stored entry: a text and two bodies. */
export interface Entry {
  readonly text: string;
  readonly asked: KeptBody | null;
  readonly answered: KeptBody | null;
}

/** Stores the latest entries in buffers outside the V8 heap, where they cost no garbage collection. */
export interface Store {
  readonly add: (text: string, asked: Uint8Array | null, answered: string | null) => void;
  /** Oldest first. */
  readonly read: () => Entry[];
  /** Number of deleted entries since the store was empty. */
  readonly dropped: () => number;
  /** Deletes the oldest pieces beyond the memory limit. */
  readonly trim: () => void;
  /** Deletes all entries and resets `dropped`. */
  readonly clear: () => void;
  /** Deletes all entries and counts them as dropped. */
  readonly end: () => void;
}

interface Piece {
  readonly bytes: Buffer;
  used: number;
  entries: number;
}

/** Unit of allocation. A store keeps at least two pieces, so that it always retains some entries. */
const pieceBytes = 16_384;
/**
 * Header of an entry: five 32-bit integers. They are the lengths of the text and of both bodies, and the kept bytes of
 * each body. A length of -1 means no body.
 */
const headBytes = 20;
/** Longest text that fits into one piece, in characters. UTF-8 needs up to three bytes for each UTF-16 code unit. */
export const longestText = Math.floor((pieceBytes - headBytes - keptOfRequest - keptOfAnswer) / 3);

/** Pool of pieces that the stores of all sandboxes share, which avoids allocations. */
export interface Memory {
  readonly take: () => Buffer;
  readonly give: (bytes: Buffer) => void;
}

/** Maximum number of free pieces in the pool. */
const mostSpare = 64;

export function createMemory(): Memory {
  const spare: Buffer[] = [];
  return {
    take: () => spare.pop() ?? Buffer.allocUnsafeSlow(pieceBytes),
    give(bytes) {
      if (spare.length < mostSpare) spare.push(bytes);
    },
  };
}

/** @param share memory limit in bytes, read whenever a piece is added. Texts have at most `longestText` characters. */
export function createStore(share: () => number, memory: Memory): Store {
  const pieces: Piece[] = [];
  let dropped = 0;

  const keep = (most: number): void => {
    for (const { bytes, entries } of pieces.splice(0, Math.max(0, pieces.length - most))) {
      dropped += entries;
      memory.give(bytes);
    }
  };
  const trim = (): void => keep(Math.max(2, Math.floor(share() / pieceBytes)));
  const open = (): Piece => {
    const piece = { bytes: memory.take(), used: 0, entries: 0 };
    pieces.push(piece);
    trim();
    return piece;
  };

  return {
    add(text, asked, answered) {
      const textLength = Buffer.byteLength(text);
      const askedLength = asked?.length ?? -1;
      const answeredLength = answered === null ? -1 : Buffer.byteLength(answered);
      const most = headBytes + textLength + kept(askedLength, keptOfRequest) + kept(answeredLength, keptOfAnswer);
      const last = pieces.at(-1);
      const piece = last === undefined || last.used + most > pieceBytes ? open() : last;
      const { bytes, used } = piece;
      let at = used + headBytes;
      at += bytes.write(text, at);
      const askedKept = kept(askedLength, keptOfRequest);
      if (asked !== null) bytes.set(askedKept < askedLength ? asked.subarray(0, askedKept) : asked, at);
      at += askedKept;
      const answeredKept = answered === null ? 0 : bytes.write(answered, at, keptOfAnswer);
      bytes.writeInt32LE(textLength, used);
      bytes.writeInt32LE(askedLength, used + 4);
      bytes.writeInt32LE(answeredLength, used + 8);
      bytes.writeInt32LE(askedKept, used + 12);
      bytes.writeInt32LE(answeredKept, used + 16);
      piece.used = at + answeredKept;
      piece.entries += 1;
    },
    read: () => pieces.flatMap(readPiece),
    dropped: () => dropped,
    trim,
    clear() {
      keep(0);
      dropped = 0;
    },
    end: () => keep(0),
  };
}

function kept(length: number, most: number): number {
  return Math.max(0, Math.min(length, most));
}

function readPiece({ bytes, used }: Piece): Entry[] {
  const entries: Entry[] = [];
  let at = 0;
  const next = (length: number): string => {
    at += length;
    return bytes.toString('utf8', at - length, at);
  };
  while (at < used) {
    const start = at;
    const number = (index: number): number => bytes.readInt32LE(start + 4 * index);
    at += headBytes;
    const text = next(number(0));
    const [asked, answered] = [next(number(3)), next(number(4))];
    entries.push({
      text,
      asked: number(1) < 0 ? null : { text: asked, bytes: number(1) },
      answered: number(2) < 0 ? null : { text: answered, bytes: number(2) },
    });
  }
  return entries;
}
