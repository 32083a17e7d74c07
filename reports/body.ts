import type { Headers } from '../suites/exchange/exchange.ts';
import { plainLines } from './plain.ts';

/** Longer bodies are not indented, because the cost outweighs the benefit. */
const longestIndented = 100_000;

/** A body for display: indented JSON without control characters, cut at `limit` characters. */
export function shownBody(body: string, limit: number): string {
  return plainLines(indented(body), limit);
}

function indented(body: string): string {
  if (body.length > longestIndented) return body;
  try {
    const value: unknown = JSON.parse(body);
    const compact = JSON.stringify(value);
    // Indents only if nothing but whitespace changes, so duplicate members and number formats stay visible.
    const same = compact === body || withoutBlanks(compact) === withoutBlanks(body);
    return same ? JSON.stringify(value, null, 2) : body;
  } catch {
    return body;
  }
}

function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, '');
}

/** The first value of a header. Ignores the case of the name. */
export function headerOf(headers: Headers, name: string): string | null {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1] ?? null;
}
