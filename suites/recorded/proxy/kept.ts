import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';

/** Maximum size of a judged body. Longer bodies are only forwarded. */
const mostBytes = 1024 * 1024;

const decoders: Readonly<Record<string, (bytes: Uint8Array) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes, { maxOutputLength: mostBytes }),
  br: (bytes) => brotliDecompressSync(bytes, { maxOutputLength: mostBytes }),
  deflate: (bytes) => inflateSync(bytes, { maxOutputLength: mostBytes }),
  zstd: (bytes) => zstdDecompressSync(bytes, { maxOutputLength: mostBytes }),
};

/** A forwarded body, kept for judging. */
export class Kept {
  #chunks: Buffer[] = [];
  #bytes = 0;

  add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes <= mostBytes) this.#chunks.push(chunk);
    else this.#chunks = [];
  }

  /** Chunks of the body; null if the body is too long. */
  get chunks(): readonly Buffer[] | null {
    return this.#bytes > mostBytes ? null : this.#chunks;
  }

  /** Length of the body in bytes; null if the body is too long. */
  get length(): number | null {
    return this.#bytes > mostBytes ? null : this.#bytes;
  }
}

/** Returns the text of a body; undefined if it cannot be decoded. */
export function decoded(bytes: Buffer, encoding = 'identity'): string | undefined {
  if (encoding === 'identity' || bytes.length === 0) return bytes.toString();
  try {
    return decoders[encoding]?.(bytes).toString();
  } catch {
    return undefined;
  }
}
