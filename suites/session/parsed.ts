import { parsed } from '../json.ts';

/** Size of the cache, in values. One value takes about as much memory as a hundred characters. */
const most = 50_000;
const charactersOfValue = 100;

interface Kept {
  value: unknown;
  weight: number;
}

/** Cache of parsed JSON texts. It evicts the least recently used text first. */
export class Parsed {
  readonly #kept = new Map<string, Kept>();
  #last: { readonly text: string; readonly value: unknown } | undefined;
  #weight = 0;

  /**
   * Returns the value of a text, parsed now or before; undefined if it is not JSON. `nodes` counts the values in the
   * text.
   */
  of(text: string, nodes: number): unknown {
    // All rules ask for the same text in turn.
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
    const kept = { value: parsed(text), weight: nodes + text.length / charactersOfValue };
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
