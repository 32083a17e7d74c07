import { body, type Completed, isSuccess } from '../history/exchange.ts';
import { type Knowledge, ownerOf } from '../history/history.ts';
import { Firsts } from './firsts.ts';

/** Pieces that content requests created, with the first exchange that reported each. Two accounts may use equal IDs. */
export class Pieces {
  readonly #firsts = new Firsts();
  readonly #knowledge: Knowledge;
  #count = 0;

  constructor(knowledge: Knowledge) {
    this.#knowledge = knowledge;
  }

  add(exchange: Completed): void {
    const name = nameOf(exchange, this.#knowledge);
    if (name === undefined) return;
    this.#count += 1;
    this.#firsts.add(name, exchange);
  }

  /** Number of results that reported a piece. */
  get size(): number {
    return this.#count;
  }

  /** Returns the first exchange with the piece of a result; undefined if the result reports none. */
  of(exchange: Completed): Completed | undefined {
    const name = nameOf(exchange, this.#knowledge);
    return name === undefined ? undefined : this.#firsts.of(name);
  }
}

function nameOf(exchange: Completed, knowledge: Knowledge): string | undefined {
  const { sender, request } = exchange;
  const { piece_id: id } = body(exchange);
  if (request.tool !== 'content.create_request' || !isSuccess(exchange) || typeof id !== 'string') return undefined;
  return JSON.stringify([ownerOf(sender.role, knowledge), id]);
}
