import { entities } from './entities.ts';

/** A kind of escape for single characters. */
interface Escape {
  readonly name: string;
  /** First character of each escape; empty if the pattern matches single characters. */
  readonly sign: string;
  readonly pattern: string;
  /** Returns the character that an escape represents; undefined if unknown. */
  readonly character: (written: string) => string | undefined;
}

const numbered = (digits: string, base: number) => String.fromCodePoint(Number.parseInt(digits, base) % 0x11_0000);

const short = (sign: string) => ({ n: '\n', r: '\r', t: '\t' })[sign.toLowerCase()] ?? sign;

/** Control characters, soft hyphens, zero-width characters, direction marks and variation selectors. */
const unseen = [
  String.raw`[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u180e`,
  String.raw`\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]`,
].join('');
const unseenOrWide = `${unseen.slice(0, -1)}\\uff01-\\uff5e]`;

const escapes: readonly Escape[] = [
  { name: 'percent', sign: '%', pattern: '%[0-9a-f]{2}', character: (written) => numbered(written.slice(1), 16) },
  {
    name: 'JSON',
    sign: '\\',
    pattern: String.raw`\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\["\\/nrt]`,
    character: (written) => (written.length === 2 ? short(written.charAt(1)) : numbered(written.slice(2), 16)),
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
  {
    name: 'quoted-printable',
    sign: '=',
    pattern: '=[0-9a-f]{2}|=\\r?\\n',
    character: (written) => (/[\r\n]/.test(written) ? '' : numbered(written.slice(1), 16)),
  },
];

/** Invisible characters and full-width forms. */
const unicode: Escape = { name: 'Unicode', sign: '', pattern: unseenOrWide, character: (written) => written };

const printable = /^[ -~]$/;
const invisible = new RegExp(`^${unseen}$`);
const fullWidth = /^[\uff01-\uff5e]$/;

/**
 * Returns the character as secrets contain it, or an empty string for invisible characters. Returns undefined if no
 * secret contains it.
 */
function inSecret(character: string): string | undefined {
  if (printable.test(character)) return character;
  if (fullWidth.test(character)) return String.fromCharCode(character.charCodeAt(0) - 0xfee0);
  return character === '' || invisible.test(character) ? '' : undefined;
}

/** Decodes some kinds of escapes. */
export class Unescaping {
  readonly #bySign: ReadonlyMap<string, Escape>;
  readonly #kinds: readonly { name: string; holds: RegExp }[];
  readonly #anySign: RegExp;
  readonly #anyEscape: RegExp;

  constructor(kinds: readonly Escape[]) {
    this.#bySign = new Map(kinds.map((kind) => [kind.sign, kind]));
    this.#anySign = new RegExp(
      `[${kinds.map(({ sign }) => (sign === '' ? unseenOrWide.slice(1, -1) : `\\${sign}`)).join('')}]`,
    );
    this.#kinds = kinds.map(({ name, sign, pattern }) => ({
      name,
      holds: new RegExp(sign === '' ? pattern : `\\${sign}`),
    }));
    this.#anyEscape = new RegExp(kinds.map(({ pattern }) => pattern).join('|'), 'gi');
  }

  /** Replaces every escape once, with the character that it represents in a secret. */
  of(text: string): string {
    return this.#anySign.test(text) ? text.replace(this.#anyEscape, (written) => this.#meant(written)) : text;
  }

  /** Returns the start and end in the text for each character of the unescaped text. */
  origins(text: string): { starts: Uint32Array; ends: Uint32Array } {
    const starts = new Uint32Array(text.length);
    const ends = new Uint32Array(text.length);
    let length = 0;
    let done = 0;
    const put = (start: number, end: number) => {
      starts[length] = start;
      ends[length] = end;
      length += 1;
    };
    const copy = (until: number) => {
      for (; done < until; done += 1) put(done, done + 1);
    };
    for (const { 0: written, index } of text.matchAll(this.#anyEscape)) {
      const meant = this.#meant(written);
      if (meant === written) continue;
      copy(index);
      done = index + written.length;
      if (meant !== '') put(index, done);
    }
    copy(text.length);
    return { starts, ends };
  }

  /** Returns the names of the kinds of escapes that a text may contain. */
  names(text: string): string {
    return this.#kinds.flatMap(({ name, holds }) => (holds.test(text) ? [name] : [])).join(' and ');
  }

  #meant(written: string): string {
    const kind = this.#bySign.get(written.charAt(0)) ?? this.#bySign.get('');
    const character = kind?.character(written);
    return (character === undefined ? undefined : inSecret(character)) ?? written;
  }
}

const ofUnicode = new Unescaping([unicode]);
const together = [new Unescaping(escapes), ofUnicode];
const oneByOne = [...escapes.map((kind) => new Unescaping([kind])), ofUnicode];

/**
 * Returns decoders for the escapes in a text. To save time, one decoder reads all kinds except Unicode, whose
 * characters may stand within other escapes. If a secret contains a sign that starts an escape, each kind has its own
 * decoder. Otherwise the secret would be decoded too.
 */
export function unescapingsFor(secrets: readonly string[]): readonly Unescaping[] {
  const apart = secrets.some((secret) => escapes.some(({ sign }) => secret.includes(sign)));
  return apart ? oneByOne : together;
}
