import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { type Completed, type Exchange, isCompleted, isRefusal, precedes } from '../../exchange/exchange.ts';
import type { HistoryEvent, PersonAct } from '../../exchange/history.ts';
import { slugsIn } from './places.ts';
import { remember } from './remember.ts';

/** Requests that a client sends together arrive within this time, even on a busy machine. */
export const togetherMs = 250;

const mostNames = 2000;
const mostOfName = 8;

/** Latest exchanges by name. */
export class ExchangeIndex {
  readonly #all = new Map<string, Exchange[]>();

  add(name: string, exchange: Exchange): void {
    remember(this.#all, name, [...(this.#all.get(name) ?? []), exchange].slice(-mostOfName), mostNames);
  }

  /** Returns the exchanges, latest first. */
  of(name: string): Exchange[] {
    return (this.#all.get(name) ?? []).toReversed();
  }
}

/** Decides whether a client knew a response when it sent another request. */
export class Acquaintance {
  readonly #complete: boolean;
  readonly #underWay = new Set<number>();
  /** Exchanges that overlapped with others. */
  readonly #accompanied = new Set<number>();

  constructor(complete: boolean) {
    this.#complete = complete;
  }

  begin({ number }: Exchange): void {
    this.#underWay.add(number);
    // If more are pending, the earlier ones are recorded already.
    if (this.#underWay.size === 2) for (const each of this.#underWay) this.#accompany(each);
    if (this.#underWay.size > 2) this.#accompany(number);
  }

  end({ number }: Exchange): void {
    this.#underWay.delete(number);
  }

  /**
   * Returns whether the client certainly had the earlier response when it sent a request. Both used one connection, or
   * the request came too late to have been sent together with the earlier one.
   */
  knew(later: Exchange, earlier: Exchange): boolean {
    if (later.number <= earlier.number || !precedes(earlier, later)) return false;
    if (later.connection !== undefined && later.connection === earlier.connection) return true;
    // If several requests were in flight, some may have been delayed until after the response.
    const isAlone = this.#complete && !this.#accompanied.has(earlier.number);
    const took = isAlone ? earlier.receivedAt - earlier.sentAt : 0;
    return sinceReceipt(later, earlier) > Math.max(0, togetherMs - took);
  }

  #accompany(number: number): void {
    this.#accompanied.add(number);
    const [oldest] = this.#accompanied;
    if (this.#accompanied.size > mostNames && oldest !== undefined) this.#accompanied.delete(oldest);
  }
}

/**
 * Returns the milliseconds between a response and a later request, by the advanced clock or in real time. The longer
 * time counts, because a client may follow either.
 */
export function sinceReceipt(later: Exchange, earlier: Exchange): number {
  const real = later.sentAt - earlier.receivedAt;
  return Math.max(real, real + later.clockMoved - earlier.clockMoved);
}

const mostChoices = 1000;

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
    if (this.#named.size < mostChoices) this.#named.add(name);
    const refusal = this.#refusals.of(role).find((other) => this.#acquaintance.knew(exchange, other));
    if (refusal === undefined || !isCompleted(refusal) || this.#answered.has(refusal.number)) return;
    const listed = slugsIn(refusal);
    if (listed.includes(workspace)) remember(this.#answered, refusal.number, true, mostChoices);
    if (!isNew || this.#choices.size >= mostChoices) return;
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

const mostDecisions = 10_000;

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
      if (this.#changes.length > mostDecisions) this.#changes.shift();
      return;
    }
    if (!('act' in event) || this.#said.size >= mostDecisions) return;
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
