import { entities } from './entities.ts';

/** A way to write single characters of a text differently. */
interface Escape {
  readonly name: string;
  /** The character that each escape begins with. */
  readonly sign: string;
  readonly pattern: string;
  /** What an escape stands for; undefined where that is not known. */
  readonly character: (written: string) => string | undefined;
}

const numbered = (digits: string, base: number) => String.fromCodePoint(Number.parseInt(digits, base) % 0x11_0000);

const escapes: readonly Escape[] = [
  { name: 'percent', sign: '%', pattern: '%[0-9a-f]{2}', character: (written) => numbered(written.slice(1), 16) },
  {
    name: 'JSON',
    sign: '\\',
    pattern: String.raw`\\u[0-9a-f]{4}|\\["\\/]`,
    character: (written) => (written.length === 2 ? written.slice(1) : numbered(written.slice(2), 16)),
  },
  {
    name: 'HTML',
    sign: '&',
    pattern: String.raw`&(?:#\d{1,9}|#x[0-9a-f]{1,8}|[a-z]{2,16});?`,
    character(written) {
      const [, base, rest = ''] = /^&(#x|#)?([^;]*)/i.exec(written) ?? [];
      return base === undefined ? entities.get(rest.toLowerCase()) : numbered(rest, base === '#' ? 10 : 16);
    },
  },
];

const printable = /^[\t -~]$/;

/** Reads some kinds of escapes. */
export class Unescaping {
  readonly #bySign: ReadonlyMap<string, Escape>;
  readonly #anySign: RegExp;
  readonly #anyEscape: RegExp;

  constructor(kinds: readonly Escape[]) {
    this.#bySign = new Map(kinds.map((each) => [each.sign, each]));
    this.#anySign = new RegExp(`[${kinds.map(({ sign }) => `\\${sign}`).join('')}]`);
    this.#anyEscape = new RegExp(kinds.map(({ pattern }) => pattern).join('|'), 'gi');
  }

  /** Replaces every escape of a printable ASCII character once by that character. */
  of(text: string): string {
    return this.#anySign.test(text) ? text.replace(this.#anyEscape, (written) => this.#meant(written)) : text;
  }

  /** For each character of the unescaped text, and for its end, where it begins in the text. */
  origins(text: string): Uint32Array {
    const starts = new Uint32Array(text.length + 1);
    let length = 0;
    let done = 0;
    const copy = (until: number) => {
      while (done < until) starts[length++] = done++;
    };
    for (const { 0: written, index } of text.matchAll(this.#anyEscape)) {
      if (this.#meant(written) === written) continue;
      copy(index);
      starts[length++] = index;
      done = index + written.length;
    }
    copy(text.length);
    starts[length] = text.length;
    return starts.subarray(0, length + 1);
  }

  /** Which escapes may stand in a text, in words. */
  names(text: string): string {
    return [...this.#bySign.values()].flatMap(({ name, sign }) => (text.includes(sign) ? [name] : [])).join(' and ');
  }

  #meant(written: string): string {
    const character = this.#bySign.get(written.charAt(0))?.character(written);
    return character !== undefined && printable.test(character) ? character : written;
  }
}

const together = [new Unescaping(escapes)];
const oneByOne = escapes.map((each) => new Unescaping([each]));

/**
 * Reads all kinds of escapes at once, which is quicker. Where a secret itself holds a sign that begins an escape, each
 * kind is read on its own: otherwise the secret would be decoded too.
 */
export function unescapingsFor(secrets: readonly string[]): readonly Unescaping[] {
  const apart = secrets.some((secret) => escapes.some(({ sign }) => secret.includes(sign)));
  return apart ? oneByOne : together;
}
