import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { isToolName, tools } from '../../../fixtures/contract/tools.ts';
import {
  type Completed,
  type Exchange,
  isCompleted,
  isRefusal,
  isSuccess,
  overlap,
  precedes,
} from '../../exchange/exchange.ts';
import { accountOf, type HistoryEvent, type Knowledge, type PersonAct } from '../../exchange/history.ts';
import { Acquaintance, ExchangeIndex, sinceReceipt } from './client-knowledge.ts';
import { ask, fingerprint, isHopeless, isLost, redirectedTo, waitOf } from './client-requests.ts';
import { type RunOfClient, workIn } from './client-run.ts';
import { outcomeOf, presentedId } from './ids.ts';
import { itemsIn } from './items.ts';
import { slugsIn } from './places.ts';

/** A confirmation is another step than the proposal of the same tool. */
const toolAndAny = (exchange: Exchange) =>
  presentedId(exchange) === undefined ? [String(exchange.request.tool), 'any'] : ['any'];

/** Facts about an exchange that rules look up later. Each function returns the names for the lookup, if any. */
const facts = {
  /** A 429, by role. */
  limited: ({ sender, response }) => (response?.status === 429 ? String(sender.role) : undefined),
  /** A 429, by request. */
  limitedRequest: (exchange) => (exchange.response?.status === 429 ? ask(exchange) : undefined),
  /** A request that is not worth repeating, by request and key. */
  hopeless: (exchange) => (isCompleted(exchange) && isHopeless(exchange) ? fingerprint(exchange) : undefined),
  dispatched: (exchange) => (outcomeOf(exchange) === 'dispatched' ? presentedId(exchange) : undefined),
  invalid: (exchange) => (outcomeOf(exchange) === 'invalid' ? presentedId(exchange) : undefined),
  /** Requests that create or spend, if the client did not learn their outcome. */
  lostCreation: (exchange) =>
    exchange.request.tool === 'content.create_request' && isLost(exchange) ? fingerprint(exchange) : undefined,
  creation: (exchange) => (exchange.request.tool === 'content.create_request' ? fingerprint(exchange) : undefined),
  lostConfirmation: (exchange) => (presentedId(exchange) !== undefined && isLost(exchange) ? 'any' : undefined),
  /** A response that shows what was done, by tool. */
  look: (exchange) =>
    isCompleted(exchange) && (isSuccess(exchange) || exchange.response.unread !== undefined)
      ? String(exchange.request.tool)
      : undefined,
  /** A response that shows whether a tool did its work, by tool and for any tool. */
  outcome: (exchange) =>
    isCompleted(exchange) && (isSuccess(exchange) || isRefusal(exchange)) ? toolAndAny(exchange) : undefined,
  /** A response with an error status, by tool and for any tool. */
  error: (exchange) => ((exchange.response?.status ?? 0) >= 400 ? toolAndAny(exchange) : undefined),
  /** A request that presents a confirmation ID, with its response, by ID. */
  confirmation: (exchange) => (isCompleted(exchange) ? presentedId(exchange) : undefined),
  /** A refusal that asks for a choice of the workspace, by role. */
  ambiguous: (exchange) =>
    isCompleted(exchange) && isRefusal(exchange, refusalCodes.workspaceAmbiguous)
      ? String(exchange.sender.role)
      : undefined,
  /** A redirect to another origin, by this origin. */
  redirect: (exchange) => (isCompleted(exchange) ? redirectedTo(exchange) : undefined),
} satisfies Readonly<Record<string, (exchange: Exchange) => string | string[] | undefined>>;

type ClientFact = keyof typeof facts;

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

/** Whether results of a tool contain nothing that later requests must repeat. */
const givesNoIds = (tool: string) => isToolName(tool) && !tools[tool].givesIds;

/** A timer may fire this many milliseconds early, measured in another process. */
const earlyMs = 25;

interface FoundItem {
  readonly kind: string;
  readonly search: Completed;
}

/** A run of a command has fewer requests. Confirmations are kept beyond this number. */
const mostExchanges = 1000;

const mostItems = 10_000;
/** Kinds of one ID. */
const mostKinds = 8;
const mostAsked = 10_000;
const mostEvents = 10_000;
const mostChoices = 1000;

/** Knowledge of a client at each request, and decisions of its person. */
export class ClientMemory {
  readonly #known = new ExchangeIndex();
  readonly #acquaintance: Acquaintance;
  readonly #knowledge: Knowledge;
  /** Decisions of the person, and changes of the deployment from outside. */
  readonly #events: HistoryEvent[] = [];
  /** Library items that searches found, by ID. */
  readonly #items = new Map<unknown, FoundItem[]>();
  /** Requests of the process, if the client ran as a command. */
  readonly #exchanges: Exchange[] = [];
  #latest: readonly Exchange[] = [];
  readonly #asked = new Map<string, number>();
  readonly #repeats = new Map<string, number>();
  /** Workspaces that the client named after a refusal that asks for a choice. */
  readonly choices: Choice[] = [];
  readonly #named = new Set<string>();
  readonly #answered = new WeakSet<Exchange>();
  #unread = false;
  /** Work of the process so far, once a rule asked for it. */
  #work: ReturnType<typeof workIn> | undefined;

  constructor(knowledge: Knowledge) {
    this.#knowledge = knowledge;
    this.#acquaintance = new Acquaintance(knowledge.complete);
  }

  begin(exchange: Exchange): void {
    this.#acquaintance.begin(exchange);
  }

  note(event: HistoryEvent): void {
    this.#work = undefined;
    this.#events.push(event);
    if (this.#events.length > mostEvents) this.#events.shift();
  }

  add(exchange: Exchange): void {
    this.#work = undefined;
    this.#acquaintance.end(exchange);
    for (const [fact, nameOf] of Object.entries(facts)) {
      for (const name of [nameOf(exchange) ?? []].flat()) this.#known.add(`${fact} ${name}`, exchange);
    }
    const { tool } = exchange.request;
    this.#unread ||= exchange.response?.unread !== undefined && (tool === null || !givesNoIds(tool));
    const isKept = this.#exchanges.length < mostExchanges || presentedId(exchange) !== undefined;
    if (this.#knowledge.run !== undefined && isKept) this.#exchanges.push(exchange);
    this.#latest = [...this.#latest, exchange].slice(-2);
    this.#addAsked(exchange);
    this.#addChoice(exchange);
    if (tool === 'library.search' && isCompleted(exchange)) this.#addItems(exchange);
  }

  #addItems(search: Completed): void {
    for (const { id, kind } of itemsIn(search)) {
      const known = this.#items.get(id) ?? [];
      // The first search that found an item counts, because every later request may rely on it.
      if (known.some((item) => item.kind === kind)) continue;
      if (this.#items.size < mostItems && known.length < mostKinds) this.#items.set(id, [...known, { kind, search }]);
      else this.#unread = true;
    }
  }

  #addAsked(exchange: Exchange): void {
    const { tool } = exchange.request;
    const times = this.timesAsked(exchange) + 1;
    if (tool === null || (times === 1 && this.#asked.size >= mostAsked)) return;
    this.#asked.set(ask(exchange), times);
    this.#repeats.set(tool, Math.max(times, this.#repeats.get(tool) ?? 0));
  }

  #addChoice(exchange: Exchange): void {
    const { request, sender } = exchange;
    const workspace = request.args?.workspace;
    if (sender.role === null || typeof workspace !== 'string' || workspace === '') return;
    const name = `${sender.role} ${workspace}`;
    const isNew = !this.#named.has(name);
    if (this.#named.size < mostChoices) this.#named.add(name);
    const [refusal] = this.before(exchange, 'ambiguous', sender.role);
    if (refusal === undefined || !isCompleted(refusal) || this.#answered.has(refusal)) return;
    const listed = slugsIn(refusal);
    if (listed.includes(workspace)) this.#answered.add(refusal);
    if (isNew && this.choices.length < mostChoices) this.choices.push({ refusal, exchange, workspace, listed });
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

  /** Returns how often a request was sent so far, with any key. */
  timesAsked(exchange: Exchange): number {
    return this.#asked.get(ask(exchange)) ?? 0;
  }

  /** Whether the client may have received something that the history lacks. */
  get mayKnowMore(): boolean {
    return this.#unread || !this.#knowledge.complete;
  }

  /** Returns earlier exchanges with a fact whose responses the client had when it sent a request, latest first. */
  before(exchange: Exchange, fact: ClientFact, name = 'any'): Exchange[] {
    return this.#known.of(`${fact} ${name}`).filter((other) => this.#acquaintance.knew(exchange, other));
  }

  /**
   * Like `before`, but without tolerance for requests that are sent together: a client knows what it sends twice at
   * once.
   */
  answeredBefore(exchange: Exchange, fact: ClientFact, name = 'any'): Exchange[] {
    return this.#known
      .of(`${fact} ${name}`)
      .filter((other) => other.number < exchange.number && precedes(other, exchange));
  }

  /** Returns the other exchanges with a fact that were under way at the same time. */
  during(exchange: Exchange, fact: ClientFact, name = 'any'): Exchange[] {
    return this.#known.of(`${fact} ${name}`).filter((other) => other !== exchange && overlap(other, exchange));
  }

  /** Returns the items with an ID that searches had found before a request was sent. */
  itemsBefore(exchange: Exchange, id: unknown): FoundItem[] {
    return (this.#items.get(id) ?? []).filter(({ search }) => precedes(search, exchange));
  }

  /** Returns whether the client sent a request before the wait of a 429 was over, although it knew the 429. */
  isTooEarly(later: Exchange, limited: Exchange): boolean {
    if (!isCompleted(limited) || !this.#acquaintance.knew(later, limited)) return false;
    return sinceReceipt(later, limited) < waitOf(limited) - earlyMs;
  }

  /** Returns whether two requests used different keys of one account. */
  isOtherKey({ sender }: Exchange, { sender: limited }: Exchange): boolean {
    const account = accountOf(sender.role, this.#knowledge);
    return (
      sender.role !== limited.role && account !== undefined && account === accountOf(limited.role, this.#knowledge)
    );
  }

  /** The run of the client's process, if the history has one. */
  get run(): RunOfClient | undefined {
    const { run } = this.#knowledge;
    if (run === undefined) return undefined;
    this.#work ??= workIn(this.#exchanges, this.#events);
    return { ...run, ...this.#work, repeats: this.#repeats, latest: this.#latest };
  }

  /** Returns the results for the next history of the client, including those of this one. */
  endedWith({ ids, choices, runs }: Earlier): Earlier {
    return {
      ids,
      choices: [...choices, ...this.choices],
      runs: [...runs, ...(this.run === undefined ? [] : [this.run])],
    };
  }
}
