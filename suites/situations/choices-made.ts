import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { type Completed, type Exchange, isCompleted, isRefusal } from '../history/exchange.ts';
import { type Acquaintance, ExchangeIndex } from './acquaintance.ts';
import { slugsIn } from './choices.ts';
import { remember } from './remember.ts';

const mostRemembered = 1000;

/** First workspace that a client named after `workspace_ambiguous`. */
export interface Choice {
  readonly refusal: Completed;
  readonly exchange: Exchange;
  readonly workspace: string;
  /** Slugs that the refusal listed. */
  readonly listed: readonly string[];
}

/** Workspaces that a client named after a refusal that asks for a choice. */
export class ChoicesMade {
  readonly #refusals = new ExchangeIndex();
  readonly #named = new Set<string>();
  readonly #answered = new Map<number, true>();
  readonly #choices = new Map<number, Choice>();
  readonly #acquaintance: Acquaintance;

  constructor(acquaintance: Acquaintance) {
    this.#acquaintance = acquaintance;
  }

  add(exchange: Exchange): void {
    if (exchange.sender.role === null) return;
    const role = String(exchange.sender.role);
    const workspace = exchange.request.args?.workspace;
    if (typeof workspace === 'string' && workspace !== '') this.#addNamed(exchange, role, workspace);
    if (isCompleted(exchange) && isRefusal(exchange, refusalCodes.workspaceAmbiguous))
      this.#refusals.add(role, exchange);
  }

  #addNamed(exchange: Exchange, role: string, workspace: string): void {
    const name = `${role} ${workspace}`;
    const isNew = !this.#named.has(name);
    if (this.#named.size < mostRemembered) this.#named.add(name);
    const refusal = this.#refusals.of(role).find((other) => this.#acquaintance.knew(exchange, other));
    if (refusal === undefined || !isCompleted(refusal) || this.#answered.has(refusal.number)) return;
    const listed = slugsIn(refusal);
    if (listed.includes(workspace)) remember(this.#answered, refusal.number, true, mostRemembered);
    if (!isNew || this.#choices.size >= mostRemembered) return;
    this.#choices.set(exchange.number, { refusal, exchange, workspace, listed });
  }

  /** Returns the choice that a request makes. */
  made({ number }: Exchange): Choice | undefined {
    return this.#choices.get(number);
  }

  all(): Choice[] {
    return [...this.#choices.values()];
  }
}
