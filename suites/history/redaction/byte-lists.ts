import { type ByteReading, hasPart, runs, tableOf, withoutNul } from './digits.ts';
import { shortestPart } from './pieces.ts';

/** Characters in lists of bytes: `6b:2d:33`, `0x6b, 0x2d`, `107,45,51`. */
const ofLists = tableOf(/[0-9A-Fa-fxX ,:;.\t\r\n_|-]/);

/** Minimum length of a list: two digits per byte, and a separator between bytes. */
const least = shortestPart * 3 - 1;

/** A byte that no secret contains and that is not ignored within a secret. */
const gap = 0xa0;

/** Bytes, with the start and end of each byte in the text. */
interface Bytes {
  readonly bytes: Uint8Array;
  readonly start: (byte: number) => number;
  readonly end: (byte: number) => number;
}

/** Decodes every list of bytes that can hold a part of a secret: hexadecimal with separators, or decimal. */
export function listReadings(text: string): ByteReading[] {
  return runs(text, ofLists, least).flatMap(({ from, to }) => {
    const digits = hexDigitsIn(text, from, to);
    if (digits.length === to - from) return [];
    return [
      ...readingOf('hex', hexBytes(text, digits)),
      ...readingOf('hex', hexBytes(text, digits.subarray(1))),
      ...readingOf('bytes', decimalBytes(text, from, to)),
    ];
  });
}

function readingOf(name: ByteReading['name'], { bytes: all, start, end }: Bytes): ByteReading[] {
  const { bytes, at, endAt } = withoutNul(Buffer.from(all).toString('latin1'));
  if (!hasPart(bytes)) return [];
  return [{ name, bytes, start: (byte) => start(at(byte)), end: (byte) => end(endAt(byte) - 1) }];
}

/** Values of hexadecimal digits by character code; 16 for other characters. */
const values = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? 16 : value;
});
const valueAt = (text: string, at: number) => values[text.charCodeAt(at)] ?? 16;
const isX = (text: string, at: number) => (text.charCodeAt(at) | 0x20) === 0x78;

/** Returns the positions of hexadecimal digits in a list, without the prefix `0x`. */
function hexDigitsIn(text: string, from: number, to: number): Uint32Array {
  const digits = new Uint32Array(to - from);
  let length = 0;
  for (let at = from; at < to; at += 1) {
    if (valueAt(text, at) < 16 && !(text.charAt(at) === '0' && isX(text, at + 1))) digits[length++] = at;
  }
  return digits.subarray(0, length);
}

function hexBytes(text: string, digits: Uint32Array): Bytes {
  const digitAt = (index: number) => digits[index] ?? 0;
  const bytes = new Uint8Array(digits.length >> 1).map(
    (_, byte) => valueAt(text, digitAt(2 * byte)) * 16 + valueAt(text, digitAt(2 * byte + 1)),
  );
  const start = (byte: number) => {
    const at = digitAt(2 * byte);
    return at > 1 && isX(text, at - 1) ? at - 2 : at;
  };
  return { bytes, start, end: (byte) => digitAt(2 * byte + 1) + 1 };
}

function decimalBytes(text: string, from: number, to: number): Bytes {
  const bytes = new Uint8Array(to - from);
  const starts = new Uint32Array(to - from);
  const ends = new Uint32Array(to - from);
  let length = 0;
  for (let at = from; at < to; ) {
    const begin = at;
    let value = 0;
    for (; at < to && valueAt(text, at) < 10; at += 1) value = Math.min(256, value * 10 + valueAt(text, at));
    if (at === begin) {
      at += 1;
      // Separators may stand between two bytes, letters may not.
      if (valueAt(text, begin) === 16 && !isX(text, begin)) continue;
      value = 256;
    }
    bytes[length] = value > 0xff ? gap : value;
    starts[length] = begin;
    ends[length] = at;
    length += 1;
  }
  return { bytes: bytes.subarray(0, length), start: (byte) => starts[byte] ?? 0, end: (byte) => ends[byte] ?? 0 };
}
