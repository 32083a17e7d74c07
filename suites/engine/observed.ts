import type { QuestionId } from '../../fixtures/open-questions.ts';
import type { Answered } from '../exchange.ts';

interface Noted {
  values: unknown[];
  exchanges: Answered[];
}

/** What was seen where the document is silent, by the id of the open question. */
export class Observed {
  readonly #noted = new Map<QuestionId, Noted>();

  /** Notes a value; the same one twice is noted once. */
  note(id: QuestionId, value: unknown, exchanges: readonly Answered[]): void {
    const noted = this.#noted.get(id) ?? { values: [], exchanges: [] };
    this.#noted.set(id, noted);
    const text = JSON.stringify(value);
    if (noted.values.some((known) => JSON.stringify(known) === text)) return;
    noted.values.push(value);
    noted.exchanges.push(...exchanges);
  }

  get(id: QuestionId): Noted | undefined {
    return this.#noted.get(id);
  }
}
