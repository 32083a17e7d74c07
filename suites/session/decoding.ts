import {
  brotliDecompressSync,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  constants as zlib,
  zstdDecompressSync,
} from 'node:zlib';

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
