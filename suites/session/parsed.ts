/** What may stay parsed: a value takes about as much memory as a hundred characters. */
const most = 50_000;
const charactersOfValue = 100;

interface Kept {
  value: unknown;
  weight: number;
}

/** Texts of JSON with their values, as many as there is room for; the one that was asked for longest ago goes first. */
export class Parsed {
  readonly #kept = new Map<string, Kept>();
  #last: { readonly text: string; readonly value: unknown } | undefined;
  #weight = 0;

  /** The value of a text, parsed now or before; undefined where it is not JSON. `nodes` are the values in it. */
  of(text: string, nodes: number): unknown {
    // Every rule asks for the same one in turn.
    if (this.#last?.text !== text) this.#last = { text, value: this.#valueOf(text, nodes) };
    return this.#last.value;
  }

  #valueOf(text: string, nodes: number): unknown {
    const known = this.#kept.get(text);
    if (known !== undefined) {
      this.#kept.delete(text);
      this.#kept.set(text, known);
      return known.value;
    }
    const kept = { value: parse(text), weight: nodes + text.length / charactersOfValue };
    this.#kept.set(text, kept);
    this.#weight += kept.weight;
    for (const [oldest, { weight }] of this.#kept) {
      if (this.#weight <= most || oldest === text) break;
      this.#kept.delete(oldest);
      this.#weight -= weight;
    }
    return kept.value;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
