import { decoded } from '../../session/received.ts';

/**
 * Maximum size of a judged body. Longer bodies are only forwarded. Node.js keeps texts of more than about 1.03 million
 * bytes outside of the heap, where they take memory long after their use.
 */
const mostOfOne = 1_000_000;

/** Maximum weight of all open requests. Further requests get a 503. */
const mostOpen = 64 * 1024 * 1024;

/** Maximum weight of all open requests and kept bodies. Further bodies are only forwarded. */
const mostKept = 16 * 1024 * 1024;

/** Weight of a chunk in addition to its bytes, because a client may send single bytes. */
const chunkWeight = 200;

/** Returns the text of a body; undefined if it is too large, or cannot be decoded. */
export function decodedText(bytes: Buffer, contentEncoding: string): string | undefined {
  try {
    return decoded(bytes, contentEncoding, mostOfOne)?.toString();
  } catch {
    return undefined;
  }
}

/** Weight of a name or value of a header in addition to its characters. */
const textWeight = 50;

/** Node.js keeps headers as texts, as a text to send, and as bytes to send. */
const copiesOfHeaders = 3;

export class Budget {
  weight = 0;

  get isUsedUp(): boolean {
    return this.weight > mostOpen;
  }
}

/** A forwarded body, kept with its headers until it is judged. */
export class Body {
  readonly #budget: Budget;
  #ofHeaders: number;
  #chunks: Buffer[] | undefined = [];
  #bytes = 0;
  #weight = 0;

  constructor(budget: Budget, rawHeaders: readonly string[]) {
    this.#budget = budget;
    this.#ofHeaders = copiesOfHeaders * rawHeaders.reduce((sum, text) => sum + text.length + textWeight, 0);
    budget.weight += this.#ofHeaders;
  }

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    const weight = chunk.length + chunkWeight;
    if (this.#bytes > mostOfOne || this.#budget.weight + weight > mostKept) this.#drop();
    if (this.#chunks === undefined) return;
    this.#chunks.push(chunk);
    this.#weight += weight;
    this.#budget.weight += weight;
  }

  /** Returns the text and frees the memory; undefined if the body was too large or cannot be decoded. */
  take(contentEncoding = ''): string | undefined {
    const bytes = this.#chunks && Buffer.concat(this.#chunks);
    this.release();
    return bytes?.length === 0 ? '' : bytes && decodedText(bytes, contentEncoding);
  }

  /** Frees the memory of a body that nobody takes. */
  release(): void {
    this.#drop();
    this.#budget.weight -= this.#ofHeaders;
    this.#ofHeaders = 0;
  }

  #drop(): void {
    this.#budget.weight -= this.#weight;
    this.#weight = 0;
    this.#chunks = undefined;
  }
}
