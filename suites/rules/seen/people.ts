import type { Exchange } from '../../history/exchange.ts';
import type { HistoryEvent, PersonAct } from '../../history/history.ts';

const mostRemembered = 10_000;

interface Said {
  readonly act: PersonAct;
  readonly number: number;
}

/** What a person said, and when something was done to the deployment from outside. */
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

  /** A person's last word on a proposal before a request. */
  lastWordOn(id: string, { number }: Exchange): PersonAct | undefined {
    const before = this.#said.get(id)?.filter((said) => said.act !== 'picked' && said.number < number);
    return before?.at(-1)?.act;
  }

  /** Whether a person named this workspace before a request. */
  picked(workspace: string, { number }: Exchange): boolean {
    return this.#said.get(workspace)?.some((said) => said.act === 'picked' && said.number < number) === true;
  }

  /** Whether the deployment was changed between two exchanges. */
  changedBetween(earlier: Exchange, later: Exchange): boolean {
    return this.#changes.some((number) => number > earlier.number && number < later.number);
  }
}
