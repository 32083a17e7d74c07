import type { Exchange } from '../history/exchange.ts';
import type { HistoryEvent, PersonAct } from '../history/history.ts';

const mostRemembered = 10_000;

interface Said {
  readonly act: PersonAct;
  readonly number: number;
}

/** Decisions of a person, and changes of the deployment from outside. */
export class People {
  readonly #said = new Map<string, Said[]>();
  readonly #changes: number[] = [];

  note({ kind, number, ...event }: HistoryEvent): void {
    if (kind === 'change') {
      this.#changes.push(number);
      if (this.#changes.length > mostRemembered) this.#changes.shift();
      return;
    }
    if (!('act' in event) || this.#said.size >= mostRemembered) return;
    const said = this.#said.get(event.subject) ?? [];
    this.#said.set(event.subject, [...said, { act: event.act, number }].slice(-8));
  }

  /** Returns the last decision of a person on a proposal before a request. */
  lastWordOn(id: string, { number }: Exchange): PersonAct | undefined {
    const before = this.#said.get(id)?.filter((said) => said.act !== 'picked' && said.number < number);
    return before?.at(-1)?.act;
  }

  /** Returns whether a person picked this workspace before a request. */
  picked(workspace: string, { number }: Exchange): boolean {
    return this.#said.get(workspace)?.some((said) => said.act === 'picked' && said.number < number) === true;
  }

  /** Returns whether the deployment was changed between two exchanges. */
  changedBetween(earlier: Exchange, later: Exchange): boolean {
    return this.#changes.some((number) => number > earlier.number && number < later.number);
  }
}
