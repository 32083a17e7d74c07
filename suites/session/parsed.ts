/** Parsed bodies of a run, as many as there is room for; the one that was asked for longest ago goes first. */
export class Parsed {
  readonly #mostNodes: number;
  readonly #kept = new Map<object, { value: unknown; nodes: number }>();
  #nodes = 0;

  constructor(mostNodes: number) {
    this.#mostNodes = mostNodes;
  }

  /** What a text holds, parsed now or before; undefined where it is not JSON. `nodes` are the values in it. */
  of(owner: object, text: string, nodes: number): unknown {
    const known = this.#kept.get(owner);
    if (known !== undefined) {
      this.#kept.delete(owner);
      this.#kept.set(owner, known);
      return known.value;
    }
    const value = parse(text);
    this.#kept.set(owner, { value, nodes });
    this.#nodes += nodes;
    for (const [oldest, { nodes: freed }] of this.#kept) {
      if (this.#nodes <= this.#mostNodes || oldest === owner) break;
      this.#kept.delete(oldest);
      this.#nodes -= freed;
    }
    return value;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
