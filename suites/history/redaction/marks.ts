/** Secret in a text, with its forms from the outermost to the innermost. */
interface Marked {
  readonly start: number;
  readonly end: number;
  readonly what: string;
  readonly ways: readonly string[];
}

/** Maximum number of numbered texts per description. All further texts share one number. */
const mostNumbered = 1000;

/**
 * Replaces secrets with marks. Different texts with the same description are numbered, so that marks are one-to-one.
 */
export class Marks {
  readonly #texts = new Map<string, Map<string, number>>();

  put(text: string, secrets: readonly Marked[]): string {
    let result = '';
    let done = 0;
    for (const { start, end, what, ways } of secrets) {
      const words = ways.length === 0 ? what : `${what}, ${ways.join(' of ')}`;
      result += `${text.slice(done, start)}<${words}${this.#number(words, text.slice(start, end))}>`;
      done = end;
    }
    return result + text.slice(done);
  }

  #number(words: string, text: string): string {
    const texts = this.#texts.get(words) ?? new Map<string, number>();
    this.#texts.set(words, texts);
    const number = texts.get(text) ?? texts.size + 1;
    if (number <= mostNumbered) texts.set(text, number);
    return number === 1 ? '' : `, ${number}`;
  }
}

/**
 * Matches the marks of secrets with these names. The group holds the form or part; it is undefined for a whole secret
 * in plain text.
 */
export function marksOf(names: readonly string[]): RegExp {
  return new RegExp(`<(?:${names.join('|')})(?:, ([^<>]*))?>`);
}
