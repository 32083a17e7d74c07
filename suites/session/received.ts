import {
  brotliDecompressSync,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  constants as zlib,
  zstdDecompressSync,
} from 'node:zlib';
import type { Headers, Response } from '../exchange/exchange.ts';
import type { Redact } from '../exchange/redactor.ts';
import { jsonExtent, parsed } from '../json.ts';

/** Limits for all bodies of one run: bytes of text (24 MB), and values of JSON. */
const mostOfRun = { bytes: 24 * 1024 * 1024, values: 500_000 };

/** Largest part of the remaining room that one body may take, so that room remains for later bodies. */
const share = { bytes: 1 / 8, values: 1 / 50 };

/** Deepest nesting that the kit accepts: deeper than any tool returns, and safe to walk recursively. */
const mostLevels = 200;

/** Bytes to keep of a body that is too large. */
const bytesOfHead = 1024;

/** A body that parses its JSON on demand. */
interface Body {
  readonly text: string;
  readonly unread?: string;
  readonly json: () => unknown;
}

/** Receives the bodies of one run in bounded memory, whatever the deployment sends. */
export class Receiver {
  readonly #kept = new Map<string, Body>();
  readonly #redact: Redact;
  #bytesLeft: number;
  #valuesLeft = mostOfRun.values;

  constructor(redact: Redact, most = mostOfRun.bytes) {
    this.#redact = redact;
    this.#bytesLeft = most;
  }

  async receive(
    status: number,
    headers: Headers,
    stream: AsyncIterable<Uint8Array>,
    contentEncoding = '',
  ): Promise<Response> {
    const coding = knownCodings(contentEncoding);
    let length = 0;
    let most = Number.POSITIVE_INFINITY;
    try {
      const bytes = await collected(stream, (more) => {
        length += more;
        this.#bytesLeft -= more;
        most = Math.floor((this.#bytesLeft + length) * share.bytes);
        return length <= most;
      });
      const whole = length > most ? undefined : decoded(bytes, coding, most);
      const start = coding === '' ? bytes.toString() : '';
      const { json, ...body } =
        whole === undefined ? this.#tooLarge(start, `of more than ${most} bytes`) : this.#read(whole.toString());
      return {
        status,
        headers,
        ...body,
        get json() {
          return json();
        },
      };
    } finally {
      this.#bytesLeft += length;
    }
  }

  #read(given: string): Body {
    const { nodes, levels } = jsonExtent(given);
    const most = Math.floor(this.#valuesLeft * share.values);
    if (nodes > most) return this.#tooLarge(given, `of more than ${most} values`);
    if (levels > mostLevels) return this.#tooLarge(given, `nested more than ${mostLevels} levels deep`);
    const text = this.#redact(given);
    // A repeated body, such as a schedule, is stored once.
    const known = this.#kept.get(text);
    if (known !== undefined) return known;
    this.#bytesLeft -= bytesOf(text);
    this.#valuesLeft -= nodes;
    const body = { text, json: parsedOnDemand(text) };
    this.#kept.set(text, body);
    return body;
  }

  /** Keeps the beginning of a body. */
  #tooLarge(text: string, how: string): Body {
    // Copied as bytes, because a slice of a string keeps the whole string in memory.
    const head = Buffer.from(this.#redact(text).slice(0, bytesOfHead)).subarray(0, bytesOfHead);
    this.#bytesLeft -= head.length;
    return { text: head.toString(), unread: `a body ${how}`, json: () => undefined };
  }
}

/** Parsed values take much more memory than text, so the next garbage collection frees them. */
function parsedOnDemand(text: string): () => unknown {
  let kept: WeakRef<{ readonly value: unknown }> | undefined;
  return () => {
    let json = kept?.deref();
    if (json === undefined) {
      json = { value: parsed(text) };
      kept = new WeakRef(json);
    }
    return json.value;
  };
}

/**
 * Returns a body as far as `wants` more. Copies the chunks, because a chunk of one byte may be a view of many
 * kilobytes.
 */
async function collected(body: AsyncIterable<Uint8Array>, wants: (more: number) => boolean): Promise<Buffer> {
  let buffer = Buffer.allocUnsafe(8 * 1024);
  let length = 0;
  for await (const chunk of body) {
    if (length + chunk.length > buffer.length) {
      const larger = Buffer.allocUnsafe(2 * (length + chunk.length));
      buffer.copy(larger, 0, 0, length);
      buffer = larger;
    }
    buffer.set(chunk, length);
    length += chunk.length;
    if (!wants(chunk.length)) break;
  }
  return buffer.subarray(0, length);
}

/** Returns the memory that a string takes: two bytes per character if any character is outside Latin-1. */
function bytesOf(text: string): number {
  return /^[\0-\xff]*$/.test(text) ? text.length : 2 * text.length;
}

/** Most codings of one body. Servers use one, and a gateway may add another. */
const mostCodings = 4;

/** Largest window of zstd over HTTP (RFC 9659, section 3): 8 MB. */
const zstdOptions = { params: { [zlib.ZSTD_d_windowLogMax]: 23 } };

interface Limit {
  readonly maxOutputLength: number;
}

// The synchronous functions free their memory at once. A decoder for Brotli takes up to 32 MB.
const decoders = new Map<string, (bytes: Buffer, limit: Limit) => Buffer>([
  ['gzip', (bytes, limit) => gunzipSync(bytes, limit)],
  ['deflate', (bytes, limit) => (isZlib(bytes) ? inflateSync(bytes, limit) : inflateRawSync(bytes, limit))],
  ['br', (bytes, limit) => brotliDecompressSync(bytes, limit)],
  ['zstd', (bytes, limit) => zstdDecompressSync(bytes, { ...zstdOptions, ...limit })],
]);

/** Whether a body begins with a zlib header. Servers also send `deflate` without one. */
function isZlib([first = 0, second = 0]: Buffer): boolean {
  return first % 16 === 8 && (first * 256 + second) % 31 === 0;
}

/** A body that does not have the content coding that its response names. */
export class Undecodable extends Error {
  override readonly name = 'Undecodable';

  constructor(coding: string, cause: unknown) {
    super(`the body is no valid ${coding}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/**
 * Removes the content codings of a body, which a server may choose freely if a request names none (RFC 9110, section
 * 12.5.3). Returns undefined if the body has more than `most` bytes, or an unknown coding. Throws `Undecodable`.
 */
export function decoded(bytes: Buffer, contentEncoding: string, most: number): Buffer | undefined {
  return codingsOf(contentEncoding).reduceRight<Buffer | undefined>((body, coding) => {
    if (body === undefined || body.length === 0) return body;
    try {
      return decoders.get(coding)?.(body, { maxOutputLength: Math.max(1, most) });
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') return undefined;
      throw new Undecodable(coding, error);
    }
  }, bytes);
}

/** Returns the content codings of a header, in the order in which they were applied (RFC 9110, section 8.4). */
function codingsOf(contentEncoding: string): string[] {
  const codings = contentEncoding.split(',').map((coding) => coding.trim().toLowerCase().replace(/^x-/, ''));
  return codings.filter((coding) => coding !== '' && coding !== 'identity').slice(-mostCodings);
}

/** Returns the codings of a header that the kit can remove. The body is judged in any other coding. */
export function knownCodings(contentEncoding: string): string {
  return codingsOf(contentEncoding)
    .filter((coding) => decoders.has(coding))
    .join();
}
