import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';

/** A longer body is passed on, and not judged. */
const mostBytes = 1024 * 1024;

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes, { maxOutputLength: mostBytes }),
  br: (bytes) => brotliDecompressSync(bytes, { maxOutputLength: mostBytes }),
  deflate: (bytes) => inflateSync(bytes, { maxOutputLength: mostBytes }),
  zstd: (bytes) => zstdDecompressSync(bytes, { maxOutputLength: mostBytes }),
};

/** A copy of a body that passes, as far as it is judged. */
export class Kept {
  #chunks: Buffer[] = [];
  #bytes = 0;

  add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes <= mostBytes) this.#chunks.push(chunk);
    else this.#chunks = [];
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Its text; undefined where it is too long, or cannot be decoded. */
  text(encoding = 'identity'): string | undefined {
    if (this.#bytes > mostBytes) return undefined;
    const bytes = Buffer.concat(this.#chunks);
    if (encoding === 'identity' || bytes.length === 0) return bytes.toString();
    try {
      return decoders[encoding]?.(bytes).toString();
    } catch {
      return undefined;
    }
  }
}
