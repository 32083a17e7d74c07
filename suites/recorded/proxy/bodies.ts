import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';

/** Maximum size of a judged body. Longer bodies are only forwarded. */
const mostOfOne = 1024 * 1024;

/** Maximum weight of all bodies that the proxy keeps at one time. Further bodies are only forwarded. */
const mostOfAll = 64 * 1024 * 1024;

/** Weight of a chunk in addition to its bytes, because a client may send single bytes. */
const chunkWeight = 200;

const decoders: Readonly<Record<string, (bytes: Uint8Array) => Buffer>> = {
  identity: (bytes) => Buffer.from(bytes),
  gzip: (bytes) => gunzipSync(bytes, { maxOutputLength: mostOfOne }),
  br: (bytes) => brotliDecompressSync(bytes, { maxOutputLength: mostOfOne }),
  deflate: (bytes) => inflateSync(bytes, { maxOutputLength: mostOfOne }),
  zstd: (bytes) => zstdDecompressSync(bytes, { maxOutputLength: mostOfOne }),
};

/** The memory that all kept bodies share. */
export interface BodyBudget {
  weight: number;
}

/** A forwarded body, kept until it is judged. */
export class Body {
  readonly #budget: BodyBudget;
  #chunks: Buffer[] | undefined = [];
  #bytes = 0;
  #weight = 0;

  constructor(budget: BodyBudget) {
    this.#budget = budget;
  }

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    const weight = chunk.length + chunkWeight;
    if (this.#bytes > mostOfOne || this.#budget.weight + weight > mostOfAll) this.#drop();
    if (this.#chunks === undefined) return;
    this.#chunks.push(chunk);
    this.#weight += weight;
    this.#budget.weight += weight;
  }

  /** Returns the text and frees the memory; undefined if the body was too large or cannot be decoded. */
  take(encoding = 'identity'): string | undefined {
    const bytes = this.#chunks && Buffer.concat(this.#chunks);
    this.#drop();
    if (bytes === undefined || bytes.length === 0) return bytes && '';
    try {
      return decoders[encoding]?.(bytes).toString();
    } catch {
      return undefined;
    }
  }

  #drop(): void {
    this.#budget.weight -= this.#weight;
    this.#weight = 0;
    this.#chunks = undefined;
  }
}
