/** Finds secrets in texts: as they are, in base64 or hexadecimal digits, and in part. */
export interface SecretFinder {
  /** The text with everything that was found replaced by what `mark` makes of its name and of the way in which it stood there. */
  readonly replace: (text: string, mark: (name: string, way: Way) => string) => string;
}

export type Way = 'whole' | 'in part' | 'in base64' | 'in hexadecimal';

interface Form {
  readonly text: string;
  readonly name: string;
  readonly way: Exclude<Way, 'in part'>;
}

/** Texts are looked up by pieces of this length, */
const pieceLength = 8;
/** which begin at every so many characters, */
const stride = 5;
/** so that a part of a secret of this length is always found. */
const shortest = pieceLength + stride - 1;
/** What secrets are made of, by character code; what has other characters between is looked at in parts. */
const digits = Uint8Array.from({ length: 128 }, (_, code) => (/[\w-]/.test(String.fromCharCode(code)) ? 1 : 0));

/** @param secrets names by secret; secrets are of letters, digits, `-` and `_` */
export function createSecretFinder(secrets: Iterable<readonly [secret: string, name: string]>): SecretFinder {
  // Null for what several secrets have: the way all of them begin says of none that it is there.
  const pieces = new Map<string, { readonly form: Form; readonly at: number } | null>();
  for (const form of [...secrets].flatMap(formsOf)) {
    for (let at = 0; at + pieceLength <= form.text.length; at++) {
      const piece = form.text.slice(at, at + pieceLength);
      const other = pieces.get(piece);
      pieces.set(piece, other === undefined || other?.form.name === form.name ? { form, at } : null);
    }
  }
  return {
    replace(text, mark) {
      let result = '';
      let done = 0;
      const look = (from: number, to: number): void => {
        for (let at = from; at + pieceLength <= to; at += stride) {
          const found = pieces.get(text.slice(at, at + pieceLength));
          if (found === undefined || found === null) continue;
          const { form } = found;
          const before = Math.min(at - Math.max(from, done), found.at);
          const start = at - sameBefore(text, at, form.text, found.at, before);
          const end = at + sameFrom(text, at, form.text, found.at);
          const whole = end - start === form.text.length;
          result += text.slice(done, start) + mark(form.name, whole ? form.way : 'in part');
          done = end;
          at = Math.max(at, end - stride);
        }
      };
      let start = 0;
      for (let at = 0; at <= text.length; at++) {
        if (digits[text.charCodeAt(at)] === 1) continue;
        if (at - start >= shortest) look(start, at);
        start = at + 1;
      }
      return done === 0 ? text : result + text.slice(done);
    },
  };
}

/** How many characters before two places are the same, up to a number. */
function sameBefore(text: string, at: number, other: string, place: number, most: number): number {
  let count = 0;
  while (count < most && text[at - count - 1] === other[place - count - 1]) count += 1;
  return count;
}

/** How many characters from two places on are the same. */
function sameFrom(text: string, at: number, other: string, place: number): number {
  let count = 0;
  while (place + count < other.length && text[at + count] === other[place + count]) count += 1;
  return count;
}

function formsOf([secret, name]: readonly [string, string]): Form[] {
  const bytes = Buffer.from(secret);
  // What stands before a secret shifts its base64 by none, one or two bytes; of the first digits and the last one others have a share.
  const shifted = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64url');
    return text.slice([0, 2, 3][shift], Math.floor(((bytes.length + shift) * 8) / 6));
  });
  const hexadecimal = bytes.toString('hex');
  return [
    ...[hexadecimal, hexadecimal.toUpperCase()].map((text) => ({ text, name, way: 'in hexadecimal' as const })),
    ...shifted.map((text) => ({ text, name, way: 'in base64' as const })),
    { text: secret, name, way: 'whole' },
  ];
}
