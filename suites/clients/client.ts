import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { isToolName, tools } from '../../fixtures/contract/tools.ts';
import { type Completed, type Exchange, isCompleted, isRefusal, overlap, precedes } from '../exchange/exchange.ts';
import type { HistoryEvent, Knowledge, PersonAct } from '../exchange/history.ts';
import { Ids, presentedId } from '../model/world/ids.ts';
import { itemsIn } from '../model/world/items.ts';
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

interface FoundItem {
  readonly kind: string;
  /** First search that found the item, because every later request may rely on it. */
  readonly search: Completed;
}

export const nothingEarlier: Earlier = { ids: new Set(), choices: [], runs: [] };

/** Requests that a client sends together arrive within this time, even on a busy machine. */
export const togetherMs = 250;

/** A run of a command rarely has more requests. */
const mostExchanges = 2000;
/** A window of large bodies needs at most about 100 MB. */
const mostCharacters = 20_000_000;
const mostItems = 10_000;
/** Kinds of one ID. */
const mostKinds = 8;
/** Workspaces that one client names. */
const mostNames = 1000;
const mostEvents = 10_000;

/** Whether results of a tool contain nothing that later requests must repeat. */
const givesNoIds = (tool: string) => isToolName(tool) && !tools[tool].givesIds;

const isEarlier = (one: Exchange, other: Exchange) => one.number < other.number && precedes(one, other);

const lengthOf = ({ request, response }: Exchange) => (request.body?.length ?? 0) + (response?.text.length ?? 0);

/** A client: what it knew at each request, what it did, and the decisions of its person. */
export class Client {
  readonly knowledge: Knowledge;
  readonly earlier: Earlier;
  /** Latest exchanges, in the order of their responses. */
  readonly #exchanges: Exchange[] = [];
  #characters = 0;
  /** Number of the latest request that left the window. */
  #lastForgotten = -1;
  /** Requests without a response so far, by number. */
  readonly #underWay = new Map<number, Exchange>();
  /** Numbers of the requests that were under way together with others. */
  readonly #accompanied = new Set<number>();
  readonly ids = new Ids(this.#underWay);
  /** Library items that searches found, by ID. */
  readonly #items = new Map<unknown, FoundItem[]>();
  /** Workspaces that the client named after a refusal that asks for a choice. */
  readonly choices: Choice[] = [];
  /** Workspaces that the client named, by role. */
  readonly #named = new Set<string>();
  /** Refusals whose choice was made. */
  readonly #decided = new WeakSet<Exchange>();
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
    if (this.#underWay.size > 1) for (const number of this.#underWay.keys()) this.#accompanied.add(number);
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
    this.#characters += lengthOf(exchange);
    const { tool } = exchange.request;
    this.mayKnowMore ||= exchange.response?.unread !== undefined && (tool === null || !givesNoIds(tool));
    if (tool === 'library.search' && isCompleted(exchange)) this.#addItems(exchange);
    this.#addChoice(exchange);
    while (this.#exchanges.length > mostExchanges || this.#characters > mostCharacters) this.#forget();
  }

  #forget(): void {
    // Confirmations are remembered longest.
    const oldest = this.#exchanges.findIndex((other) => presentedId(other) === undefined);
    for (const forgotten of this.#exchanges.splice(Math.max(0, oldest), 1)) {
      this.#characters -= lengthOf(forgotten);
      this.#accompanied.delete(forgotten.number);
      this.#lastForgotten = Math.max(this.#lastForgotten, forgotten.number);
    }
  }

  #addItems(search: Completed): void {
    for (const { id, kind } of itemsIn(search)) {
      const known = this.#items.get(id) ?? [];
      if (known.some((item) => item.kind === kind)) continue;
      if (this.#items.size < mostItems && known.length < mostKinds) this.#items.set(id, [...known, { kind, search }]);
      else this.mayKnowMore = true;
    }
  }

  /** Adds the choice of a request: the first request after the refusal that names a new workspace. */
  #addChoice(exchange: Exchange): void {
    const { role } = exchange.sender;
    const workspace = exchange.request.args?.workspace;
    if (role === null || typeof workspace !== 'string' || workspace === '') return;
    const isNew = !this.#named.has(`${role} ${workspace}`) && this.#named.size < mostNames;
    if (isNew) this.#named.add(`${role} ${workspace}`);
    const refusal = this.answeredBefore(
      exchange,
      (other) =>
        isRefusal(other, refusalCodes.workspaceAmbiguous) && other.sender.role === role && this.knew(exchange, other),
    );
    if (refusal === undefined || this.#decided.has(refusal)) return;
    const listed = slugsIn(refusal);
    if (listed.includes(workspace)) this.#decided.add(refusal);
    if (isNew) this.choices.push({ refusal, exchange, workspace, listed });
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

  /** Returns the latest such exchange that ended before a request was sent. */
  before(exchange: Exchange, isWanted: (other: Exchange) => boolean): Exchange | undefined {
    return this.#exchanges.findLast((other) => isEarlier(other, exchange) && isWanted(other));
  }

  /** Returns the latest such exchange whose response arrived before a request was sent. */
  answeredBefore(exchange: Exchange, isWanted: (other: Completed) => boolean): Completed | undefined {
    return this.#exchanges.findLast(
      (other): other is Completed => isCompleted(other) && isEarlier(other, exchange) && isWanted(other),
    );
  }

  /** Returns whether the client may have sent requests after this one that are forgotten. */
  hasForgottenSince({ number }: Exchange): boolean {
    return number < this.#lastForgotten;
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
    if (!isEarlier(earlier, later)) return false;
    if (later.connection !== undefined && later.connection === earlier.connection) return true;
    // If several requests were in flight, some may have been delayed until after the response.
    const isAlone = this.knowledge.complete && !this.#accompanied.has(earlier.number);
    const took = isAlone ? earlier.receivedAt - earlier.sentAt : 0;
    return sinceReceipt(later, earlier) > Math.max(0, togetherMs - took);
  }

  /** Returns the items with an ID that searches had found before a request was sent. */
  itemsBefore(exchange: Exchange, id: unknown): FoundItem[] {
    return (this.#items.get(id) ?? []).filter(({ search }) => precedes(search, exchange));
  }

  /** Returns how often a request was sent so far, with any key. */
  timesAsked(exchange: Exchange): number {
    return this.#exchanges.filter((other) => asksSame(other, exchange)).length;
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
