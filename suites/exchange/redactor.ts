/** Replaces every secret in a text with a mark in angle brackets. */
export type Redact = (text: string) => string;

/** A shorter secret is found only in plain text, as a separate word. */
export const shortestSecret = 12;

/** Text to find: a secret or an encoding of it. */
interface Sought {
  readonly name: string;
  readonly form: 'base64' | 'hex' | undefined;
  readonly text: string;
  readonly folded: string;
}

/** Place of a secret in a text. */
interface Match {
  readonly start: number;
  readonly end: number;
  readonly what: string;
}

/** Number of characters by which the filter finds candidates. */
const prefix = 8;

/** JSON in a text of JSON in a report: each level doubles the escapes. */
const mostLevels = 3;

/** Maximum number of numbered texts per description. All further texts share one number. */
const mostNumbered = 1000;

/**
 * Replaces secrets, in upper and lower case: plain, percent-encoded, with the escapes of JSON, in base64, and as
 * hexadecimal digits. Marks are one-to-one: equal texts get equal marks, different texts get different marks.
 */
export class Redactor {
  /** Hashes of the first characters of the sought texts. It excludes most places of a text. */
  readonly #filter = new Uint8Array(1 << 16);
  readonly #sought = new Map<string, Sought[]>();
  readonly #short: (readonly [RegExp, string])[] = [];
  readonly #numbers = new Map<string, Map<string, number>>();

  /** @param secrets the names for the marks, by secret */
  constructor(secrets: ReadonlyMap<string, string>) {
    for (const [secret, name] of secrets) this.learn(secret, name);
  }

  /** Finds another secret from now on. */
  learn(secret: string, name: string): void {
    if (secret === '') return;
    if (secret.length < shortestSecret) {
      this.#short.push([alone(secret), name]);
      return;
    }
    this.#seek(name, secret);
    for (const digits of base64Digits(secret)) this.#seek(name, digits, 'base64');
    this.#seek(name, Buffer.from(secret).toString('hex'), 'hex');
  }

  readonly redact: Redact = (text) => {
    const matches = this.#matchesIn(text);
    const long = matches.length === 0 ? text : this.#marked(text, matches);
    return this.#short.reduce((rest, [secret, name]) => rest.replace(secret, () => `<${name}>`), long);
  };

  #seek(name: string, text: string, form?: Sought['form']): void {
    const folded = text.toLowerCase();
    let hash = 0;
    for (let at = 0; at < prefix; at += 1) hash = hashWith(hash, folded, at);
    this.#filter[hash] = 1;
    const key = folded.slice(0, prefix);
    const others = this.#sought.get(key) ?? [];
    // Longer texts first: a secret may begin with another one.
    this.#sought.set(
      key,
      [...others, { name, form, text, folded }].toSorted((a, b) => b.text.length - a.text.length),
    );
  }

  #matchesIn(text: string): Match[] {
    const escaped = escapes.flatMap(({ name, sign, pattern }) => {
      const found: Match[] = [];
      let plain = text;
      let places: Uint32Array | undefined;
      for (let level = 0; level < mostLevels && plain.includes(sign); level += 1) {
        const layer = unescaped(plain, pattern);
        const outer = places;
        const starts = outer === undefined ? layer.starts : layer.starts.map((at) => outer[at] ?? 0);
        [plain, places] = [layer.plain, starts];
        for (const { start, end, what } of this.#plainIn(plain)) {
          const place = { start: starts[start] ?? 0, end: starts[end] ?? text.length };
          found.push({ ...place, what: place.end - place.start === end - start ? what : `${what}, ${name}` });
        }
      }
      return found;
    });
    return apart([...this.#plainIn(text), ...escaped]);
  }

  #plainIn(text: string): Match[] {
    const matches: Match[] = [];
    let hash = 0;
    for (let at = 0; at < text.length; at += 1) {
      hash = hashWith(hash, text, at);
      const start = at - prefix + 1;
      if (this.#filter[hash] === 0 || start < 0) continue;
      const sought = this.#sought
        .get(text.slice(start, at + 1).toLowerCase())
        ?.find(({ folded }) => text.slice(start, start + folded.length).toLowerCase() === folded);
      if (sought === undefined) continue;
      const end = start + sought.text.length;
      matches.push({ start, end, what: described(sought, text.slice(start, end)) });
    }
    return matches;
  }

  #marked(text: string, matches: readonly Match[]): string {
    let result = '';
    let done = 0;
    for (const { start, end, what } of matches) {
      result += `${text.slice(done, start)}<${what}${this.#number(what, text.slice(start, end))}>`;
      done = end;
    }
    return result + text.slice(done);
  }

  #number(what: string, text: string): string {
    const texts = this.#numbers.get(what) ?? new Map<string, number>();
    this.#numbers.set(what, texts);
    const number = texts.get(text) ?? texts.size + 1;
    if (number <= mostNumbered) texts.set(text, number);
    return number === 1 ? '' : `, ${number}`;
  }
}

/**
 * Matches the marks of secrets with these names. The group holds the form; it is undefined for a secret in plain text.
 */
export function marksOf(names: readonly string[]): RegExp {
  return new RegExp(`<(?:${names.join('|')})(?:, ([^<>]*))?>`);
}

/** Returns the hash of the last eight characters, which ignores case. Each character is shifted out after eight. */
function hashWith(hash: number, text: string, at: number): number {
  return ((hash << 2) ^ (text.charCodeAt(at) | 0x20)) & 0xffff;
}

function described({ name, form, text }: Sought, written: string): string {
  const letters = written === text ? undefined : 'other case';
  return [name, form === 'hex' ? 'hex' : letters, form === 'base64' ? form : undefined]
    .filter((word) => word !== undefined)
    .join(', ');
}

/** Removes overlaps: an overlapping match extends the one before it. */
function apart(matches: readonly Match[]): Match[] {
  const result: Match[] = [];
  for (const match of matches.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last === undefined || match.start >= last.end) result.push(match);
    else if (match.end > last.end) result[result.length - 1] = { ...last, end: match.end };
  }
  return result;
}

/** Returns the base64 digits of a text that do not depend on adjacent bytes: both alphabets, at all three offsets. */
function base64Digits(text: string): Set<string> {
  return new Set(
    [0, 1, 2].flatMap((before) => {
      const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
      const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
      return [bytes.toString('base64').slice(from, to), bytes.toString('base64url').slice(from, to)];
    }),
  );
}

const escapes = [
  { name: 'percent', sign: '%', pattern: /%([0-9a-f]{2})/gi },
  { name: 'JSON', sign: '\\', pattern: /\\(?:u00([0-9a-f]{2})|(["\\/]))/gi },
] as const;

/** Decodes the escapes, and returns the place of each character in the text. */
function unescaped(text: string, pattern: RegExp): { plain: string; starts: Uint32Array } {
  const starts = new Uint32Array(text.length + 1);
  let plain = '';
  let done = 0;
  const copy = (to: number) => {
    for (let at = done; at < to; at += 1) starts[plain.length + at - done] = at;
    plain += text.slice(done, to);
  };
  for (const { 0: all, 1: code = '', 2: sign, index } of text.matchAll(pattern)) {
    copy(index);
    starts[plain.length] = index;
    plain += sign ?? String.fromCharCode(Number.parseInt(code, 16));
    done = index + all.length;
  }
  copy(text.length);
  starts[plain.length] = text.length;
  return { plain, starts };
}

/** Matches a short secret only as a separate word, because other words may contain its letters. */
function alone(secret: string): RegExp {
  const literal = secret.replace(/[^A-Za-z0-9]/g, '\\$&');
  return new RegExp(`(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])`, 'g');
}

/** Members of results that hold JSON of the server. */
const ofServer = ['want', 'got', 'values'];
/** Members of results and events that hold only words of the kit. */
const ofKit = ['id', 'kind', 'precondition', 'requirement'];

/** Redacts every text of a value, except the kit's own words, such as names of members and IDs of requirements. */
export function redactValue<T>(value: T, redact: Redact): T {
  const redacted = (each: unknown, isOwn: boolean): unknown => {
    if (typeof each === 'string') return redact(each);
    if (Array.isArray(each)) return each.map((element) => redacted(element, isOwn));
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(
      Object.entries(each).map(([name, member]) => {
        if (!isOwn) return [redact(name), redacted(member, false)];
        return [name, ofKit.includes(name) ? member : redacted(member, !ofServer.includes(name))];
      }),
    );
  };
  // Redaction replaces only texts, with texts, so the type stays the same.
  return redacted(value, true) as T;
}
