import { shortestPart } from './pieces.ts';

/** An encoding of bytes as digits of a few bits each. */
interface Digits {
  readonly name: 'base64' | 'hex';
  readonly bits: number;
  /** Number of digits that encode a whole number of bytes. */
  readonly group: number;
  readonly isDigit: Uint8Array;
  /** Minimum number of digits for a part of a secret. */
  readonly least: number;
}

const system = (name: Digits['name'], bits: number, group: number, digit: RegExp): Digits => ({
  name,
  bits,
  group,
  isDigit: tableOf(digit),
  least: Math.ceil((shortestPart * 8) / bits),
});

/** Base64 in both alphabets, and hexadecimal in both cases. */
const systems: readonly Digits[] = [system('base64', 6, 4, /[A-Za-z0-9+/_-]/), system('hex', 4, 2, /[0-9A-Fa-f]/)];

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Bytes decoded from digits in a text. */
export interface ByteReading {
  readonly name: Digits['name'] | 'bytes';
  readonly bytes: string;
  /** Start and end in the text of the digits for the byte at an index. */
  readonly start: (index: number) => number;
  readonly end: (index: number) => number;
}

/** Characters of a secret, encoded or not. */
const isPrintable = tableOf(/[\t\r\n -~]/);

/** Decodes every run of digits that can hold a part of a secret, once per possible start of a byte. */
export function readings(text: string): ByteReading[] {
  const result: ByteReading[] = [];
  for (const { name, bits, group, isDigit, least } of systems) {
    for (const run of runs(text, isDigit, least)) {
      for (let skipped = 0; skipped < group; skipped += 1) {
        const whole = { from: run.from + skipped, to: run.to };
        for (const { from, to } of bits === 6 ? asciiSpans(text, whole) : [whole]) {
          const { bytes, at, endAt } = withoutNul(Buffer.from(text.slice(from, to), name).toString('latin1'));
          if (!hasPart(bytes)) continue;
          result.push({
            name,
            bytes,
            start: (byte) => from + Math.floor((at(byte) * 8) / bits),
            end: (byte) => Math.min(to, from + Math.ceil((endAt(byte) * 8) / bits)),
          });
        }
      }
    }
  }
  return result;
}

/** Returns whether bytes contain enough consecutive characters for a part of a secret. */
export function hasPart(bytes: string): boolean {
  return runs(bytes, isPrintable, shortestPart).length > 0;
}

interface WithoutNul {
  readonly bytes: string;
  /** Start of a remaining byte, and its end including the NUL bytes after it. */
  readonly at: (index: number) => number;
  readonly endAt: (index: number) => number;
}

/** Removes NUL bytes, which turns UTF-16 into ASCII. */
export function withoutNul(bytes: string): WithoutNul {
  if (!bytes.includes('\0')) return { bytes, at: (index) => index, endAt: (index) => index + 1 };
  const places = new Uint32Array(bytes.length);
  let length = 0;
  for (let index = 0; index < bytes.length; index += 1) if (bytes.charCodeAt(index) !== 0) places[length++] = index;
  const at = (index: number) => (index < length ? (places[index] ?? 0) : bytes.length);
  return { bytes: bytes.replaceAll('\0', ''), at, endAt: (index) => at(index + 1) };
}

export function tableOf(character: RegExp): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => (character.test(String.fromCharCode(code)) ? 1 : 0));
}

/** Returns runs of at least `least` characters of the table. To find them, it tests only every `least`-th character. */
export function runs(text: string, table: Uint8Array, least: number): Span[] {
  const result: Span[] = [];
  const belongs = (at: number) => table[text.charCodeAt(at)] === 1;
  for (let at = least - 1, done = 0; at < text.length; at += least) {
    if (!belongs(at)) continue;
    let [from, to] = [at, at + 1];
    while (from > done && belongs(from - 1)) from -= 1;
    while (to < text.length && belongs(to)) to += 1;
    if (to - from >= least) result.push({ from, to });
    done = to;
    at = to;
  }
  return result;
}

/**
 * Bit masks by character code of a base64 digit. Bit `n` is set if the digit, at place `n` of a group, can start an
 * ASCII byte.
 */
const asciiAt = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = (Buffer.from(`${String.fromCharCode(code)}AAA`, 'base64')[0] ?? 0) >> 2;
  return [0b100000, 0b001000, 0b000010, 0].reduce((places, top, at) => (value & top ? places : places | (1 << at)), 0);
});

/** Minimum number of base64 digits between the top bits of a part's first byte and its last byte. */
const leastAscii = shortestPart + Math.floor((shortestPart - 1) / 3);

/**
 * Returns spans of base64 digits, in whole groups, that decode to enough consecutive ASCII. Ordinary words have none.
 */
function asciiSpans(text: string, { from, to }: Span): Span[] {
  const result: Span[] = [];
  let begin = from;
  for (let at = from; at <= to; at += 1) {
    const places = at < to ? (asciiAt[text.charCodeAt(at)] ?? 0) : 0;
    if ((places >> ((at - from) & 3)) & 1) continue;
    if (at - begin >= leastAscii) {
      result.push({ from: begin - ((begin - from) & 3), to: Math.min(to, at + 4 - ((at - from) & 3)) });
    }
    begin = at + 1;
  }
  return result;
}

/** Returns the base64 digits of a text that do not depend on adjacent bytes, for UTF-8 and UTF-16. */
export function base64Digits(text: string): string[] {
  const utf16 = Buffer.from(text, 'utf16le');
  return [Buffer.from(text), utf16, Buffer.from(utf16).swap16()].flatMap(digitsOf);
}

/** Returns these digits for bytes, in both alphabets and at all three offsets. */
function digitsOf(encoded: Buffer): string[] {
  const digits = [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), encoded]);
    const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
    return [bytes.toString('base64').slice(from, to), bytes.toString('base64url').slice(from, to)];
  });
  return [...new Set(digits)];
}
