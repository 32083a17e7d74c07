import { hasPart, type Reading, runs, tableOf, withoutNul } from './digits.ts';
import { shortestPart } from './pieces.ts';

/** What lists of bytes consist of: `6b:2d:33`, `0x6b, 0x2d`, `107,45,51`. */
const ofLists = tableOf(/[0-9A-Fa-fxX ,:;.\t\r\n_|-]/);
const separator = /[^0-9A-Fa-f]/;

/** Two digits for each byte, and a separator between two. */
const least = shortestPart * 3 - 1;

/** No byte: what stands before it and after it is no text in a row. */
const gap = '\uffff';

/** Bytes of a text, each with its place. */
interface Bytes {
  text: string;
  readonly starts: number[];
  readonly ends: number[];
}

/** Decodes every list of bytes that can hold a part of a secret: hexadecimal with separators, and decimal. */
export function listReadings(text: string): Reading[] {
  return runs(text, ofLists, least).flatMap(({ from, to }) => {
    const list = text.slice(from, to);
    if (!separator.test(list)) return [];
    const digits = hexDigitsOf(list);
    return [
      ...readingOf('hex', hexBytes(list, digits, 0), from),
      ...readingOf('hex', hexBytes(list, digits, 1), from),
      ...readingOf('bytes', decimalBytes(list), from),
    ];
  });
}

function readingOf(name: Reading['name'], { text, starts, ends }: Bytes, from: number): Reading[] {
  const { bytes, at } = withoutNul(text);
  if (!hasPart(bytes)) return [];
  return [
    { name, bytes, start: (byte) => from + (starts[at(byte)] ?? 0), end: (byte) => from + (ends[at(byte)] ?? 0) },
  ];
}

/** Where hexadecimal digits stand in a list, without those of the prefix 0x. */
function hexDigitsOf(list: string): number[] {
  return [...list.matchAll(/0x(?=[0-9a-f])|[0-9a-f]/gi)].flatMap(({ 0: written, index }) =>
    written.length === 1 ? [index] : [],
  );
}

function hexBytes(list: string, digits: readonly number[], skipped: number): Bytes {
  const bytes: Bytes = { text: '', starts: [], ends: [] };
  for (let index = skipped; index + 1 < digits.length; index += 2) {
    const [high = 0, low = 0] = [digits[index], digits[index + 1]];
    bytes.text += String.fromCharCode(Number.parseInt(list.charAt(high) + list.charAt(low), 16));
    bytes.starts.push(/^0x$/i.test(list.slice(Math.max(0, high - 2), high)) ? high - 2 : high);
    bytes.ends.push(low + 1);
  }
  return bytes;
}

function decimalBytes(list: string): Bytes {
  const bytes: Bytes = { text: '', starts: [], ends: [] };
  for (const { 0: written, index } of list.matchAll(/\d+|[A-Fa-fxX]/g)) {
    const value = written.length > 3 ? Number.NaN : Number(written);
    bytes.text += value <= 0xff ? String.fromCharCode(value) : gap;
    bytes.starts.push(index);
    bytes.ends.push(index + written.length);
  }
  return bytes;
}
