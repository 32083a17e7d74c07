import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { isToolName, tools } from '../../fixtures/contract/tools.ts';
import { type Completed, type Exchange, isCompleted, isRefusal, overlap, precedes } from '../exchange/exchange.ts';
import type { HistoryEvent, Knowledge, PersonAct } from '../exchange/history.ts';
import { Ids, presentedId } from '../model/world/ids.ts';
import { itemsIn, type LibraryItem } from '../model/world/items.ts';
import { slugsIn } from '../model/world/places.ts';
import { asksSame, sinceReceipt } from './exchange.ts';
import { type RunOfClient, workIn } from './run.ts';

/** Results of earlier histories of the same client. */
export interface Earlier {
  /** Confirmation IDs that the client received in any of its histories. */
  readonly ids: ReadonlySet<string>;
  readonly choices: readonly Choice[];
  readonly runs: readonly RunOfClient[];
}

/** First workspace that a client named after `workspace_ambiguous`. */
export interface Choice {
  readonly refusal: Completed;
  readonly exchange: Exchange;
  readonly workspace: string;
  /** Slugs that the refusal listed. */
  readonly listed: readonly string[];
}

export const nothingEarlier: Earlier = { ids: new Set(), choices: [], runs: [] };

/** Requests that a client sends together arrive within this time, even on a busy machine. */
export const togetherMs = 250;

/** A run of a command rarely has more requests. */
const mostExchanges = 2000;
const mostEvents = 10_000;

/** Whether results of a tool contain nothing that later requests must repeat. */
const givesNoIds = (tool: string) => isToolName(tool) && !tools[tool].givesIds;

/** A client: what it knew at each request, what it did, and the decisions of its person. */
export class Client {
  readonly knowledge: Knowledge;
  readonly earlier: Earlier;
  /** Latest exchanges, in the order of their responses. */
  #exchanges: Exchange[] = [];
  /** Requests without a response so far, by number. */
  readonly #underWay = new Map<number, Exchange>();
  readonly ids = new Ids(this.#underWay);
  /** Decisions of the person, and changes of the deployment from outside. */
  readonly #events: HistoryEvent[] = [];
  /** Whether the client may have received something that the history lacks. */
  mayKnowMore: boolean;
  /** Work of the process so far, once a rule asked for it. */
  #work: ReturnType<typeof workIn> | undefined;

  constructor(knowledge: Knowledge, earlier = nothingEarlier) {
    this.knowledge = knowledge;
    this.earlier = earlier;
    this.mayKnowMore = !knowledge.complete;
  }

  /** Starts the next history of the same client. */
  next(knowledge: Knowledge): Client {
    const { ids, choices, runs } = this.earlier;
    const earlier = { ids, choices: [...choices, ...this.choices], runs: [...runs, ...(this.run ? [this.run] : [])] };
    return new Client(knowledge, earlier);
  }

  begin(exchange: Exchange): void {
    this.#underWay.set(exchange.number, exchange);
  }

  note(event: HistoryEvent): void {
    this.#work = undefined;
    this.#events.push(event);
    if (this.#events.length > mostEvents) this.#events.shift();
  }

  add(exchange: Exchange): void {
    this.#work = undefined;
    this.#underWay.delete(exchange.number);
    this.ids.add(exchange);
    this.#exchanges.push(exchange);
    const { tool } = exchange.request;
    this.mayKnowMore ||= exchange.response?.unread !== undefined && (tool === null || !givesNoIds(tool));
    if (this.#exchanges.length <= mostExchanges) return;
    this.mayKnowMore = true;
    // Confirmations are remembered longest.
    const oldest = this.#exchanges.findIndex((other) => presentedId(other) === undefined);
    this.#exchanges.splice(Math.max(0, oldest), 1);
  }

  /** The run of the client's process, if the history has one. */
  get run(): RunOfClient | undefined {
    const { run } = this.knowledge;
    if (run === undefined) return undefined;
    this.#work ??= workIn(this.#exchanges, this.#events);
    return { ...run, ...this.#work };
  }

  /** Earlier runs of the client's process without problems. */
  get plainRuns(): RunOfClient[] {
    return this.earlier.runs.filter(({ kind }) => kind === 'plain');
  }

  /** The run, if all of its output is known. */
  get printedRun(): RunOfClient | undefined {
    const { run } = this;
    return run?.output === undefined || run.isCut === true ? undefined : run;
  }

  /** Returns such exchanges whose responses arrived before a request was sent, latest first. */
  before(exchange: Exchange, isWanted: (other: Exchange) => boolean): Exchange[] {
    return this.#exchanges
      .filter((other) => other.number < exchange.number && precedes(other, exchange) && isWanted(other))
      .reverse();
  }

  /** Returns other such exchanges that were under way at the same time. */
  during(exchange: Exchange, isWanted: (other: Exchange) => boolean): Exchange[] {
    return this.#exchanges.filter((other) => other !== exchange && overlap(other, exchange) && isWanted(other));
  }

  /**
   * Returns whether the client certainly had the earlier response when it sent a request. Both used one connection, or
   * the request came too late to have been sent together with the earlier one.
   */
  knew(later: Exchange, earlier: Exchange): boolean {
    if (later.number <= earlier.number || !precedes(earlier, later)) return false;
    if (later.connection !== undefined && later.connection === earlier.connection) return true;
    // If several requests were in flight, some may have been delayed until after the response.
    const others = [...this.#exchanges, ...this.#underWay.values()];
    const isAlone = this.knowledge.complete && !others.some((other) => other !== earlier && overlap(other, earlier));
    const took = isAlone ? earlier.receivedAt - earlier.sentAt : 0;
    return sinceReceipt(later, earlier) > Math.max(0, togetherMs - took);
  }

  /** Returns the items with an ID that searches had found before a request was sent. */
  itemsBefore(exchange: Exchange, id: unknown): (LibraryItem & { readonly search: Completed })[] {
    return this.before(exchange, ({ request }) => request.tool === 'library.search')
      .filter(isCompleted)
      .flatMap((search) => itemsIn(search).map((item) => ({ ...item, search })))
      .filter((item) => item.id === id);
  }

  /** Returns how often a request was sent so far, with any key. */
  timesAsked(exchange: Exchange): number {
    return this.#exchanges.filter((other) => asksSame(other, exchange)).length;
  }

  /** Workspaces that the client named after a refusal that asks for a choice. */
  get choices(): Choice[] {
    return this.#exchanges.flatMap((exchange) => this.choiceOf(exchange) ?? []);
  }

  /** Returns the choice that a request makes: the first request after the refusal that names a new workspace. */
  choiceOf(exchange: Exchange): Choice | undefined {
    const { role } = exchange.sender;
    const workspace = exchange.request.args?.workspace;
    if (role === null || typeof workspace !== 'string' || workspace === '') return undefined;
    const [refusal] = this.before(
      exchange,
      (other) =>
        isCompleted(other) &&
        isRefusal(other, refusalCodes.workspaceAmbiguous) &&
        other.sender.role === role &&
        this.knew(exchange, other),
    );
    if (refusal === undefined || !isCompleted(refusal)) return undefined;
    const listed = slugsIn(refusal);
    const isDecided = this.#exchanges.some((other) => {
      if (other.sender.role !== role || other.number >= exchange.number) return false;
      const named = other.request.args?.workspace;
      return named === workspace || (listed.some((slug) => slug === named) && this.knew(other, refusal));
    });
    return isDecided ? undefined : { refusal, exchange, workspace, listed };
  }

  /** Returns the last decision of a person on a proposal before a request. */
  lastWordOn(id: string, { number }: Exchange): PersonAct | undefined {
    const isWord = (event: HistoryEvent) => event.kind === 'person' && event.subject === id && event.act !== 'picked';
    const last = this.#events.findLast((event) => event.number < number && isWord(event));
    return last?.kind === 'person' ? last.act : undefined;
  }

  /** Returns whether a person picked this workspace before a request. */
  isPicked(workspace: string, { number }: Exchange): boolean {
    return this.#events.some(
      (event) =>
        event.kind === 'person' && event.act === 'picked' && event.subject === workspace && event.number < number,
    );
  }

  /** Returns whether the deployment was changed between two exchanges. */
  isChangedBetween(earlier: Exchange, later: Exchange): boolean {
    return this.#events.some(
      ({ kind, number }) => kind === 'change' && number > earlier.number && number < later.number,
    );
  }
}
