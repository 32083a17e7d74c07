import { pipeline, Readable, type Transform } from 'node:stream';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  constants as zlib,
} from 'node:zlib';

/** Most encoded bytes of one body that wait for a decoder. A longer body is larger than the kit keeps in any case. */
const mostEncoded = 3 * 1024 * 1024;

/** Most codings of one body. Servers use one, and a gateway may add another. */
const mostCodings = 4;

/** Most decoders at a time. One for Brotli takes up to 32 MB, and its memory is not free at once. */
const mostDecoders = 1;

/** Largest window of zstd over HTTP (RFC 9659, section 3): 8 MB. */
const zstdOptions = { params: { [zlib.ZSTD_d_windowLogMax]: 23 } };

const decoders = new Map<string, (start: Buffer) => Transform>([
  ['gzip', () => createGunzip()],
  ['deflate', (start) => (isZlib(start) ? createInflate() : createInflateRaw())],
  ['br', () => createBrotliDecompress()],
  ['zstd', () => createZstdDecompress(zstdOptions)],
]);

/** A body that does not have the content coding that its response names. */
export class Undecodable extends Error {
  override readonly name = 'Undecodable';

  constructor(coding: string, cause: unknown) {
    super(`the body is no valid ${coding}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/**
 * Removes the content coding of bodies, which a server may choose freely if a request names none (RFC 9110, section
 * 12.5.3).
 */
export class Decoding {
  #free = mostDecoders;
  readonly #waiting: (() => void)[] = [];

  decoded(body: AsyncIterable<Uint8Array>, contentEncoding: string): AsyncIterable<Uint8Array> {
    return codingsOf(contentEncoding).reduceRight((encoded, coding) => {
      const create = decoders.get(coding);
      return create === undefined ? encoded : this.#through(encoded, coding, create);
    }, body);
  }

  /** Receives the whole body first, so that a slow response holds no decoder. */
  async *#through(
    body: AsyncIterable<Uint8Array>,
    coding: string,
    create: (start: Buffer) => Transform,
  ): AsyncGenerator<Uint8Array> {
    let length = 0;
    const encoded = await collected(body, (more) => {
      length += more;
      return length <= mostEncoded;
    });
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#free -= 1;
    try {
      yield* pipeline(Readable.from([encoded]), create(encoded), () => undefined);
    } catch (error) {
      throw new Undecodable(coding, error);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}

/**
 * Returns a body as far as `wants` more. Copies the chunks, because a chunk of one byte may be a view of many
 * kilobytes.
 */
export async function collected(body: AsyncIterable<Uint8Array>, wants: (more: number) => boolean): Promise<Buffer> {
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

/** Returns the content codings of a header, in the order in which they were applied (RFC 9110, section 8.4). */
export function codingsOf(contentEncoding: string): string[] {
  const codings = contentEncoding.split(',').map((coding) => coding.trim().toLowerCase().replace(/^x-/, ''));
  return codings.filter((coding) => coding !== '' && coding !== 'identity').slice(-mostCodings);
}

/** Whether a body begins with a zlib header. Servers also send `deflate` without one. */
export function isZlib([first = 0, second = 0]: Buffer): boolean {
  return first % 16 === 8 && (first * 256 + second) % 31 === 0;
}
