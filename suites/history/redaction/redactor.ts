import { listReadings } from './byte-lists.ts';
import { base64Digits, readings } from './digits.ts';
import { type Unescaping, unescapingsFor } from './escapes.ts';
import { Marks } from './marks.ts';
import { type Accepts, type FoundPiece, Pieces, shortestPart } from './pieces.ts';

/** Replaces every secret in a text with a mark in angle brackets. */
export type Redact = (text: string) => string;

/** Two redactors that share marks: equal texts get equal marks. */
export interface Redactors {
  /** Also finds parts of secrets. */
  readonly all: Redact;
  /** Finds only whole secrets, so that a request can still contain an ID that starts like a key. */
  readonly whole: Redact;
  /** Finds another secret from now on. */
  readonly learn: (secret: string, name: string) => void;
}

/** Maximum depth of nested encodings: two encodings of a secret and the encoding of the message. */
const mostLevels = 3;

const base64 = 'base64';

/** Text to find: a secret or an encoding of it. */
interface Sought {
  readonly name: string;
  readonly way?: string;
}

/** Secret in a text, with its forms from the outermost to the innermost. */
interface Match {
  readonly start: number;
  readonly end: number;
  readonly what: string;
  readonly ways: readonly string[];
}

/**
 * Creates redactors for secrets, given with their names. They find the forms in `test/forms.ts`, and parts of
 * `shortestPart` characters that are not `isPublic`. A shorter secret is found only in plain text, as a separate word.
 * Marks are one-to-one: equal texts get equal marks, different texts get different marks.
 */
export function redactors(secrets: ReadonlyMap<string, string>, isPublic = (_part: string) => false): Redactors {
  const pieces = new Pieces<Sought>();
  const short: [RegExp, string][] = [];
  const add = (secret: string, name: string) => {
    if (secret.length < shortestPart) {
      if (secret !== '') short.push([alone(secret), name]);
      return;
    }
    pieces.add(secret, { name });
    // Base64 in changed case cannot be decoded, so search for its digits.
    for (const digits of base64Digits(secret)) pieces.add(digits, { name, way: base64 });
  };
  for (const [secret, name] of secrets) add(secret, name);
  const known = [...secrets.keys()];
  let unescapings = unescapingsFor(known);
  const marks = new Marks();

  const matchesIn = (text: string, accepts: Accepts, levels = mostLevels): Match[] => {
    if (text.length < shortestPart) return [];
    const matches = pieces.in(text, accepts).map((piece) => matchOf(text, piece));
    if (levels === 0) return matches;
    for (const unescaping of unescapings) {
      const plain = unescaping.of(text);
      if (plain !== text) matches.push(...lifted(matchesIn(plain, accepts, levels - 1), text, unescaping));
    }
    for (const { name, bytes, start, end } of [...readings(text), ...listReadings(text)]) {
      for (const match of matchesIn(bytes, accepts, levels - 1)) {
        matches.push({ ...match, start: start(match.start), end: end(match.end - 1), ways: [name, ...match.ways] });
      }
    }
    return matches.length > 1 ? apart(matches) : matches;
  };

  const redactAccepted = (accepts: Accepts) => (text: string) => {
    const matches = matchesIn(text, accepts);
    const long = matches.length === 0 ? text : marks.put(text, matches);
    return short.reduce((rest, [secret, name]) => rest.replace(secret, () => `<${name}>`), long);
  };
  return {
    all: redactAccepted(({ whole, start, end }, text) => whole || !isPublic(text.slice(start, end))),
    whole: redactAccepted(({ whole }) => whole),
    learn(secret, name) {
      known.push(secret);
      add(secret, name);
      unescapings = unescapingsFor(known);
    },
  };
}

/** Returns a redactor that also finds parts of secrets. */
export function redactor(...given: Parameters<typeof redactors>): Redact {
  return redactors(...given).all;
}

function matchOf(text: string, { of: { name, way }, start, end, from, whole, exact }: FoundPiece<Sought>): Match {
  const written = text.slice(start, end);
  const inCase = exact ? [] : [caseOf(written)];
  const what = whole ? name : `${name}, characters ${from + 1} to ${from + end - start}`;
  const ways = way === undefined ? inCase : [...inCase, way];
  if (way !== base64 || exact) return { start, end, what, ways };
  // The adjacent digits may hold some bits of the secret.
  const [before, after] = [text.charAt(start - 1), text.charAt(end)].map((next) => (/[\w+/-]/.test(next) ? 1 : 0));
  return { start: start - (before ?? 0), end: end + (after ?? 0), what, ways };
}

function caseOf(text: string): string {
  if (text === text.toUpperCase()) return 'upper case';
  return text === text.toLowerCase() ? 'lower case' : 'other case';
}

/** Maps matches in an unescaped text to their places in the text. Matches without an escape are dropped. */
function lifted(matches: readonly Match[], text: string, unescaping: Unescaping): Match[] {
  if (matches.length === 0) return [];
  const { starts, ends } = unescaping.origins(text);
  return matches.flatMap((match) => {
    const [start = 0, end = 0] = [starts[match.start], ends[match.end - 1]];
    const escapes = unescaping.names(text.slice(start, end));
    return escapes === '' ? [] : [{ ...match, start, end, ways: [escapes, ...match.ways] }];
  });
}

/**
 * Sorts matches and removes overlaps. A contained match is dropped, and an overlapping match extends the one before it.
 */
function apart(matches: readonly Match[]): Match[] {
  const result: Match[] = [];
  for (const match of matches.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last === undefined || match.start >= last.end) result.push(match);
    else if (match.end > last.end) result[result.length - 1] = { ...last, end: match.end };
  }
  return result;
}

/** Matches a short secret only as a separate word, because other words may contain its letters. */
function alone(secret: string): RegExp {
  const literal = secret.replace(/[^A-Za-z0-9]/g, '\\$&');
  return new RegExp(`(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])`, 'g');
}
