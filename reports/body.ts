import type { HeaderList } from '../suites/result.ts';
import { plainLines } from './plain.ts';

/** A body that is longer than this is shown as it came: to indent it costs more than it tells. */
const longestIndented = 100_000;

/** A body for people: JSON indented, everything printable, cut at `limit` characters. */
export function shownBody(body: string, limit: number): string {
  return plainLines(indented(body), limit);
}

function indented(body: string): string {
  if (body.length > longestIndented) return body;
  try {
    const value: unknown = JSON.parse(body);
    const compact = JSON.stringify(value);
    // Indented only where that changes blanks and nothing else: duplicate members and spellings of numbers must show.
    const same = compact === body || withoutBlanks(compact) === withoutBlanks(body);
    return same ? JSON.stringify(value, null, 2) : body;
  } catch {
    return body;
  }
}

function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, '');
}

/** The first value of a header, by its name in any case. */
export function headerOf(headers: HeaderList, name: string): string | null {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1] ?? null;
}
