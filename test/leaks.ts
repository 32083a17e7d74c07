import { entities } from '../suites/history/redaction/entities.ts';
import { forms } from './forms.ts';

/** Length of the parts of a key that must not occur. */
const part = 12;

/** Returns the bytes written as digits with separators, in the order of the text. */
function bytesIn(text: string): string {
  const lists = text.match(/(?:\b(?:0x)?[0-9a-f]{2,3}\b[ ,:]{1,2}){9,}(?:0x)?[0-9a-f]{2,3}/gi) ?? [];
  return lists
    .flatMap((list) => {
      const words = list.split(/[ ,:]+/);
      const read = (base: number) => words.map((word) => String.fromCharCode(Number.parseInt(word, base) & 0xff));
      return [read(16).join(''), read(10).join('')];
    })
    .join('\n');
}

/** Decodes escapes in URLs, JSON and pages, without any code of the kit's own redaction. */
function unescaped(text: string): string {
  return text
    .replace(/\\u([0-9a-f]{4})|\\(["/\\])/gi, (_all, code: string | undefined, sign: string) =>
      code === undefined ? sign : String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, code?: string, decimal?: string, name = '') => {
      if (code === undefined && decimal === undefined) return entities.get(name.toLowerCase()) ?? all;
      return String.fromCharCode(code === undefined ? Number(decimal) : Number.parseInt(code, 16));
    })
    .normalize('NFKC')
    .replace(/\\[rn]|[\r\n\u200b]/g, '')
    .replace(/(?:(?<!\\)\\x|=)([2-7][0-9a-f])/gi, (_all, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replace(/%([2-7][0-9a-f])/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Number of leading digits in a form that do not depend only on the key. */
const before: Readonly<Record<string, number>> = { 'base64-second': 2, 'base64-third': 3, 'base64-bearer': 10 };

/**
 * Returns texts that reveal a key: its parts, and the parts of its encodings, up to two deep. Escapes are decoded in
 * the examined text instead.
 */
function partsOf(key: string): Set<string> {
  const written = forms.map(({ name, of }) =>
    of(key)
      .replace(/=+$/, '')
      .slice(before[name] ?? 0),
  );
  const digits = written.flatMap((text) =>
    ['', ':', '::'].map((shift) =>
      Buffer.from(shift + text)
        .toString('base64')
        .replace(/=+$/, '')
        .slice(4, -2),
    ),
  );
  const wide = written.flatMap((text) =>
    ['', ':', '::'].flatMap((shift) => {
      const utf16 = Buffer.from(shift + text, 'utf16le');
      const both = [utf16.toString('base64'), utf16.swap16().toString('base64')];
      return both.map((digits) => digits.slice(6, -4));
    }),
  );
  const hex = written.map((text) => Buffer.from(text).toString('hex'));
  const texts = [
    key,
    ...written.filter((_, index) => /base64|^hex(?:-upper)?$/.test(forms[index]?.name ?? '')),
    ...digits,
    ...wide,
    ...hex,
  ];
  return new Set(
    texts.flatMap((text) =>
      Array.from({ length: Math.max(0, text.length - part + 1) }, (_, at) => text.slice(at, at + part).toLowerCase()),
    ),
  );
}

const filterSize = 1 << 16;

function hashAt(text: string, at: number): number {
  let hash = 0;
  for (let index = at; index < at + 6; index += 1) hash = (hash * 33 + text.charCodeAt(index)) % filterSize;
  return hash;
}

/** Returns a function that finds parts of a key in published texts, with the name of each text. */
export function leaksOf(key: string): (texts: Readonly<Record<string, string>>) => string[] {
  const parts = partsOf(key);
  const filter = new Uint8Array(filterSize);
  for (const each of parts) filter[hashAt(each, 0)] = 1;
  const partsIn = (text: string): string[] => {
    const folded = text.toLowerCase();
    const found: string[] = [];
    for (let at = 0; at + part <= folded.length; at += 1) {
      const each = filter[hashAt(folded, at)] === 0 ? '' : folded.slice(at, at + part);
      if (parts.has(each)) found.push(each);
    }
    return found;
  };
  return (texts) =>
    Object.entries(texts).flatMap(([name, text]) => {
      const layers = new Set([text]);
      // Iterating a set also visits members added during the iteration.
      for (const layer of layers) {
        for (const next of [unescaped(layer), bytesIn(layer)]) if (next !== '') layers.add(next);
      }
      return [...layers]
        .flatMap(partsIn)
        .slice(0, 3)
        .map((each) => `${name}: ${each}`);
    });
}
