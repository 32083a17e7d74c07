import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';

/** A longer body is passed on, and not judged. */
const mostBytes = 1024 * 1024;

const decoders: Readonly<Record<string, (bytes: Uint8Array) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes, { maxOutputLength: mostBytes }),
  br: (bytes) => brotliDecompressSync(bytes, { maxOutputLength: mostBytes }),
  deflate: (bytes) => inflateSync(bytes, { maxOutputLength: mostBytes }),
  zstd: (bytes) => zstdDecompressSync(bytes, { maxOutputLength: mostBytes }),
};

/** A body that passes, as far as it is judged. */
export class Kept {
  #chunks: Buffer[] = [];
  #bytes = 0;

  add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes <= mostBytes) this.#chunks.push(chunk);
    else this.#chunks = [];
  }

  /** Its pieces; null where it is too long. */
  get chunks(): readonly Buffer[] | null {
    return this.#bytes > mostBytes ? null : this.#chunks;
  }

  /** How long it is, as far as it is kept; null where it is too long. */
  get length(): number | null {
    return this.#bytes > mostBytes ? null : this.#bytes;
  }
}

/** The text of a body; undefined where it cannot be decoded. */
export function decoded(bytes: Buffer, encoding = 'identity'): string | undefined {
  if (encoding === 'identity' || bytes.length === 0) return bytes.toString();
  try {
    return decoders[encoding]?.(bytes).toString();
  } catch {
    return undefined;
  }
}
