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
import { accountOf, type ClientRun, type HistoryEvent, type Knowledge } from '../../exchange/history.ts';
import { Acquaintance, type Choice, ChoicesMade, ExchangeIndex, People, sinceReceipt } from './client-knowledge.ts';
import { ask, codeOf, fingerprint, isHopeless, isLost, redirectedTo, waitOf } from './client-requests.ts';
import { outcomeOf, presentedId } from './ids.ts';
import { itemsIn } from './items.ts';

/** Facts about an exchange that rules look up later. Each function returns the name for the lookup, or undefined. */
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
  /** A response that shows whether a tool did its work, by tool. */
  outcome: (exchange) =>
    isCompleted(exchange) && (isSuccess(exchange) || isRefusal(exchange)) && presentedId(exchange) === undefined
      ? String(exchange.request.tool)
      : undefined,
  /** A response with an error status, by tool. */
  error: (exchange) =>
    isCompleted(exchange) && exchange.response.status >= 400 && presentedId(exchange) === undefined
      ? String(exchange.request.tool)
      : undefined,
  anyError: (exchange) => (isCompleted(exchange) && exchange.response.status >= 400 ? 'any' : undefined),
  /** A request that presents a confirmation ID, with its response, by ID. */
  confirmation: (exchange) => (isCompleted(exchange) ? presentedId(exchange) : undefined),
  anyOutcome: (exchange) => (isCompleted(exchange) && (isSuccess(exchange) || isRefusal(exchange)) ? 'any' : undefined),
  /** A redirect to another origin, by this origin. */
  redirect: (exchange) => (isCompleted(exchange) ? redirectedTo(exchange) : undefined),
} satisfies Readonly<Record<string, (exchange: Exchange) => string | undefined>>;

type ClientFact = keyof typeof facts;

/** Results of earlier histories of the same client. */
export interface Earlier {
  /** Confirmation IDs that the client received in any of its histories. */
  readonly ids: ReadonlySet<string>;
  readonly choices: readonly Choice[];
  readonly runs: readonly RunOfClient[];
}

/** The tools that a client's process used. */
class Work {
  readonly tools = new Set<string>();
  /** Tools that succeeded, tools with an error status, and tools that were refused without need of a person. */
  readonly succeeded = new Set<string>();
  readonly failed = new Set<string>();
  readonly refused = new Set<string>();
  /** Whether any request did not succeed. */
  metTrouble = false;
  /** Whether the run presented a confirmation ID, lost the response to a confirmation, and dispatched a run. */
  confirms = false;
  losesConfirmation = false;
  dispatches = false;
  /** Whether the person denied a proposal. */
  isDenied = false;
  /** Successes, and refusals and error responses, for a comparison with the output of the run. */
  readonly results: Completed[] = [];
  readonly refusals: Completed[] = [];
  /** How often one request was sent at most, by tool. */
  readonly repeats = new Map<string, number>();
  /** Argument values that programs write for a missing value. */
  readonly words = new Set<unknown>();
  /** Latest exchanges, for a finding about the end of the run. */
  latest: readonly Exchange[] = [];
}

/** A run of a client's process, with its work. */
export type RunOfClient = ClientRun & Readonly<Work>;

export const nothingEarlier: Earlier = { ids: new Set(), choices: [], runs: [] };

/** Whether results of a tool contain nothing that later requests must repeat. */
const givesNoIds = (tool: string) => isToolName(tool) && !tools[tool].givesIds;

/** Refusals after which a client must ask a person. */
const waitForPerson = [refusalCodes.workspaceAmbiguous, refusalCodes.confirmationInvalid];

/** A timer may fire this many milliseconds early, measured in another process. */
const earlyMs = 25;

interface FoundItem {
  readonly kind: string;
  readonly search: Completed;
}

/** Texts that programs write for a missing value. A person may also mean the word. */
export const placeholders: readonly unknown[] = ['undefined', 'null', 'None', 'NaN', '[object Object]'];

/** A run of a command shows less; a long recording has no output. */
const mostCompared = 500;

const mostItems = 10_000;
/** Kinds of one ID. */
const mostKinds = 8;
const mostAsked = 10_000;
const mostTools = 1000;

/** Knowledge of a client at each request, and decisions of its person. */
export class ClientMemory {
  readonly people = new People();
  readonly choices: ChoicesMade;
  readonly #known = new ExchangeIndex();
  readonly #acquaintance: Acquaintance;
  readonly #knowledge: Knowledge;
  /** Library items that searches found, by ID. */
  readonly #items = new Map<unknown, FoundItem[]>();
  readonly #work = new Work();
  readonly #asked = new Map<string, number>();
  #unread = false;

  constructor(knowledge: Knowledge) {
    this.#knowledge = knowledge;
    this.#acquaintance = new Acquaintance(knowledge.complete);
    this.choices = new ChoicesMade(this.#acquaintance);
  }

  begin(exchange: Exchange): void {
    this.#acquaintance.begin(exchange);
  }

  note(event: HistoryEvent): void {
    this.people.note(event);
    this.#work.isDenied ||= event.kind === 'person' && event.act === 'denied';
  }

  add(exchange: Exchange): void {
    this.#acquaintance.end(exchange);
    for (const [fact, nameOf] of Object.entries(facts)) {
      const name = nameOf(exchange);
      if (name !== undefined) this.#known.add(`${fact} ${name}`, exchange);
    }
    this.choices.add(exchange);
    const { tool } = exchange.request;
    this.#unread ||= exchange.response?.unread !== undefined && (tool === null || !givesNoIds(tool));
    this.#addOutcome(exchange);
    this.#work.latest = [...this.#work.latest, exchange].slice(-2);
    if (exchange.request.tool !== 'library.search' || !isCompleted(exchange)) return;
    for (const { id, kind } of itemsIn(exchange)) {
      const known = this.#items.get(id) ?? [];
      // The first search that found an item counts, because every later request may rely on it.
      if (known.some((item) => item.kind === kind)) continue;
      if (this.#items.size < mostItems && known.length < mostKinds)
        this.#items.set(id, [...known, { kind, search: exchange }]);
      else this.#unread = true;
    }
  }

  #addOutcome(exchange: Exchange): void {
    const work = this.#work;
    const { tool, args } = exchange.request;
    const isDone = isCompleted(exchange) && isSuccess(exchange);
    work.metTrouble ||= !isDone;
    work.confirms ||= presentedId(exchange) !== undefined;
    work.losesConfirmation ||= presentedId(exchange) !== undefined && isLost(exchange);
    work.dispatches ||= outcomeOf(exchange) === 'dispatched';
    const isRefused = isCompleted(exchange) && (isRefusal(exchange) || exchange.response.status >= 400);
    if (isDone && work.results.length < mostCompared) work.results.push(exchange);
    // A wait is no refusal.
    if (isRefused && exchange.response.status !== 429 && work.refusals.length < mostCompared)
      work.refusals.push(exchange);
    if (tool === null || work.tools.size >= mostTools) return;
    work.tools.add(tool);
    for (const value of Object.values(args ?? {})) if (placeholders.includes(value)) work.words.add(value);
    const times = this.timesAsked(exchange) + 1;
    if (times > 1 || this.#asked.size < mostAsked) this.#asked.set(ask(exchange), times);
    work.repeats.set(tool, Math.max(times, work.repeats.get(tool) ?? 0));
    if (isDone) work.succeeded.add(tool);
    if (isCompleted(exchange) && exchange.response.status >= 400) work.failed.add(tool);
    if (!isCompleted(exchange) || !isRefusal(exchange)) return;
    if (!waitForPerson.includes(codeOf(exchange) ?? '')) work.refused.add(tool);
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
    return run && { ...run, ...this.#work };
  }

  /** Returns the results for the next history of the client, including those of this one. */
  endedWith({ ids, choices, runs }: Earlier): Earlier {
    return {
      ids,
      choices: [...choices, ...this.choices.all()],
      runs: [...runs, ...(this.run === undefined ? [] : [this.run])],
    };
  }
}
