import type { QuestionId } from '../../fixtures/open-questions.ts';
import type { Answered } from '../exchange.ts';

interface Noted {
  values: unknown[];
  exchanges: Answered[];
  /** The values as JSON. */
  known: Set<string>;
}

/** The most values that answer one question: a deployment that never gives the same twice would fill the report. */
const mostValues = 100;

/** What was seen where the document is silent, by the id of the open question. */
export class Observed {
  readonly #noted = new Map<QuestionId, Noted>();

  /** Notes a value; the same one twice is noted once. */
  note(id: QuestionId, value: unknown, exchanges: readonly Answered[]): void {
    const noted = this.#noted.get(id) ?? { values: [], exchanges: [], known: new Set() };
    this.#noted.set(id, noted);
    const text = JSON.stringify(value);
    if (noted.known.has(text) || noted.values.length > mostValues) return;
    noted.known.add(text);
    if (noted.values.length === mostValues) {
      noted.values.push('and more');
      return;
    }
    noted.values.push(value);
    noted.exchanges.push(...exchanges);
  }

  get(id: QuestionId): Noted | undefined {
    return this.#noted.get(id);
  }
}
