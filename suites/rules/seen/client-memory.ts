import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { type Completed, type Exchange, isCompleted, isRefusal, isSuccess, precedes } from '../../history/exchange.ts';
import { accountOf, type ClientRun, type HistoryEvent, type Knowledge } from '../../history/history.ts';
import { ask, codeOf, fingerprint, isHopeless, isLost, redirectedTo, waitOf } from '../match/client-requests.ts';
import { type Choice, ChoicesMade } from './choices-made.ts';
import { outcomeOf, presentedId } from './ids.ts';
import { itemsIn } from './items.ts';
import { Acquaintance, Known, sinceReceipt } from './known.ts';
import { MovedWork } from './moved-work.ts';
import { People } from './people.ts';

/** What an exchange may be to a client afterwards, each by a name. */
const facts = {
  /** A 429 to a role. */
  limited: ({ sender, response }) => (response?.status === 429 ? String(sender.role) : undefined),
  /** The same, by the request. */
  limitedRequest: (exchange) => (exchange.response?.status === 429 ? ask(exchange) : undefined),
  /** A request that is not worth repeating. */
  hopeless: (exchange) => (isCompleted(exchange) && isHopeless(exchange) ? fingerprint(exchange) : undefined),
  dispatched: (exchange) => (outcomeOf(exchange) === 'dispatched' ? presentedId(exchange) : undefined),
  invalid: (exchange) => (outcomeOf(exchange) === 'invalid' ? presentedId(exchange) : undefined),
  /** Requests that create or spend, whose outcome the client did not learn. */
  lostCreation: (exchange) =>
    exchange.request.tool === 'content.create_request' && isLost(exchange) ? fingerprint(exchange) : undefined,
  lostConfirmation: (exchange) => (presentedId(exchange) !== undefined && isLost(exchange) ? 'any' : undefined),
  /** A response that shows what was done. */
  look: (exchange) =>
    isCompleted(exchange) && (isSuccess(exchange) || exchange.response.unread !== undefined)
      ? String(exchange.request.tool)
      : undefined,
  /** A response that told whether a tool did its work, by the tool. */
  outcome: (exchange) =>
    isCompleted(exchange) && (isSuccess(exchange) || isRefusal(exchange)) && presentedId(exchange) === undefined
      ? String(exchange.request.tool)
      : undefined,
  anyOutcome: (exchange) => (isCompleted(exchange) && (isSuccess(exchange) || isRefusal(exchange)) ? 'any' : undefined),
  /** A response that sends the client to another address, by its origin. */
  redirect: (exchange) => (isCompleted(exchange) ? redirectedTo(exchange) : undefined),
} satisfies Readonly<Record<string, (exchange: Exchange) => string | undefined>>;

export type Fact = keyof typeof facts;

/** What earlier histories of the same client have shown. */
export interface Earlier {
  /** Confirmation ids that it was given in any of its histories. */
  readonly ids: ReadonlySet<string>;
  readonly choices: readonly Choice[];
  readonly runs: readonly RunOfClient[];
}

/** A run of a client's process, with the tools that it used. */
export interface RunOfClient extends ClientRun {
  readonly tools: ReadonlySet<string>;
  /** Those that did their work, and those that were refused, other than for a person's answer that was missing. */
  readonly succeeded: ReadonlySet<string>;
  readonly refused: ReadonlySet<string>;
  /** Whether a request was refused or failed. */
  readonly metTrouble: boolean;
  /** Whether it sent a confirmation id. */
  readonly confirms: boolean;
  /** How often it sent the same request of a tool, at most. */
  readonly repeats: ReadonlyMap<string, number>;
  /** Values of arguments that other programs make of what is not there. */
  readonly words: ReadonlySet<unknown>;
  /** The latest exchanges, for a finding about its end. */
  readonly latest: readonly Exchange[];
}

export const nothingEarlier: Earlier = { ids: new Set(), choices: [], runs: [] };

/** Tools whose results hold nothing that later requests have to carry as it was given. */
const givesNoIds: readonly string[] = ['schedule.read', 'content.status', 'connections.status', 'credits.balance'];

/** Refusals after which a client has to ask its person. */
const waitForPerson = [refusalCodes.workspaceAmbiguous, refusalCodes.confirmationInvalid];

/** A timer may fire this much early, as seen from elsewhere. */
const earlyMs = 25;

interface FoundItem {
  readonly kind: string;
  readonly search: Completed;
}

/** What programs make of a value that is not there; a person may also mean the word. */
export const placeholders: readonly unknown[] = ['undefined', 'null', 'None', 'NaN', '[object Object]'];

const mostItems = 10_000;
/** Of one id. */
const mostKinds = 8;
const mostAsked = 10_000;
const mostTools = 1000;

/** What a client knew when it sent a request, and what its person said. */
export class ClientMemory {
  readonly people = new People();
  readonly choices: ChoicesMade;
  readonly moved: MovedWork;
  readonly #known = new Known();
  readonly #acquaintance: Acquaintance;
  readonly #knowledge: Knowledge;
  /** Library items that searches found, by id. */
  readonly #items = new Map<unknown, FoundItem[]>();
  readonly #tools = new Set<string>();
  readonly #succeeded = new Set<string>();
  readonly #refused = new Set<string>();
  readonly #asked = new Map<string, number>();
  readonly #repeats = new Map<string, number>();
  readonly #words = new Set<unknown>();
  #metTrouble = false;
  #confirms = false;
  #latest: readonly Exchange[] = [];
  #unread = false;

  constructor(knowledge: Knowledge) {
    this.#knowledge = knowledge;
    this.#acquaintance = new Acquaintance(knowledge.complete);
    this.choices = new ChoicesMade(this.#acquaintance);
    this.moved = new MovedWork((later, limited) => this.isOtherKey(later, limited) && this.isTooEarly(later, limited));
  }

  begin(exchange: Exchange): void {
    this.#acquaintance.begin(exchange);
  }

  note(event: HistoryEvent): void {
    this.people.note(event);
  }

  add(exchange: Exchange): void {
    this.#acquaintance.end(exchange);
    for (const [fact, nameOf] of Object.entries(facts)) {
      const name = nameOf(exchange);
      if (name !== undefined) this.#known.add(`${fact} ${name}`, exchange);
    }
    this.choices.add(exchange);
    this.moved.add(exchange);
    const { tool } = exchange.request;
    this.#unread ||= exchange.response?.unread !== undefined && (tool === null || !givesNoIds.includes(tool));
    this.#addOutcome(exchange);
    this.#latest = [...this.#latest, exchange].slice(-2);
    if (exchange.request.tool !== 'library.search' || !isCompleted(exchange)) return;
    for (const { id, kind } of itemsIn(exchange)) {
      const known = this.#items.get(id) ?? [];
      // The first search that told it is the one that every later request may rest on.
      if (known.some((item) => item.kind === kind)) continue;
      if (this.#items.size < mostItems && known.length < mostKinds)
        this.#items.set(id, [...known, { kind, search: exchange }]);
      else this.#unread = true;
    }
  }

  #addOutcome(exchange: Exchange): void {
    const { tool, args } = exchange.request;
    const isDone = isCompleted(exchange) && isSuccess(exchange);
    this.#metTrouble ||= !isDone;
    this.#confirms ||= presentedId(exchange) !== undefined;
    if (tool === null || this.#tools.size >= mostTools) return;
    this.#tools.add(tool);
    for (const value of Object.values(args ?? {})) if (placeholders.includes(value)) this.#words.add(value);
    const times = this.timesAsked(exchange) + 1;
    if (times > 1 || this.#asked.size < mostAsked) this.#asked.set(ask(exchange), times);
    this.#repeats.set(tool, Math.max(times, this.#repeats.get(tool) ?? 0));
    if (isDone) this.#succeeded.add(tool);
    if (!isCompleted(exchange) || !isRefusal(exchange)) return;
    if (!waitForPerson.includes(codeOf(exchange) ?? '')) this.#refused.add(tool);
  }

  /** How often a request was sent so far, whatever the key. */
  timesAsked(exchange: Exchange): number {
    return this.#asked.get(ask(exchange)) ?? 0;
  }

  /** Whether the client was given something that the history does not hold. */
  get mayKnowMore(): boolean {
    return this.#unread || !this.#knowledge.complete;
  }

  /** Earlier exchanges of a kind whose responses the client had when it sent a request, the latest first. */
  before(exchange: Exchange, fact: Fact, name = 'any'): Exchange[] {
    return this.#known.of(`${fact} ${name}`).filter((each) => this.#acquaintance.knew(exchange, each));
  }

  /**
   * The same without allowance for requests that are made together: what a client sends twice at once, it knows itself.
   */
  answeredBefore(exchange: Exchange, fact: Fact, name = 'any'): Exchange[] {
    return this.#known
      .of(`${fact} ${name}`)
      .filter((each) => each.number < exchange.number && precedes(each, exchange));
  }

  /** Items with an id that searches had found before a request was sent. */
  itemsBefore(exchange: Exchange, id: unknown): FoundItem[] {
    return (this.#items.get(id) ?? []).filter(({ search }) => precedes(search, exchange));
  }

  /** Whether a request came before the wait was over that a 429 asked for, although its client knew. */
  isTooEarly(later: Exchange, limited: Exchange): boolean {
    if (!isCompleted(limited) || !this.#acquaintance.knew(later, limited)) return false;
    return sinceReceipt(later, limited) < waitOf(limited) - earlyMs;
  }

  /** Whether requests came with different keys of one account. */
  isOtherKey({ sender }: Exchange, { sender: limited }: Exchange): boolean {
    const account = accountOf(sender.role, this.#knowledge);
    return (
      sender.role !== limited.role && account !== undefined && account === accountOf(limited.role, this.#knowledge)
    );
  }

  /** The run of the client's process that the history shows. */
  get run(): RunOfClient | undefined {
    const { run } = this.#knowledge;
    if (run === undefined) return undefined;
    return {
      ...run,
      tools: this.#tools,
      succeeded: this.#succeeded,
      refused: this.#refused,
      metTrouble: this.#metTrouble,
      confirms: this.#confirms,
      repeats: this.#repeats,
      words: this.#words,
      latest: this.#latest,
    };
  }

  /** What the next history of the client is to know of this one. */
  endedWith({ ids, choices, runs }: Earlier): Earlier {
    return {
      ids,
      choices: [...choices, ...this.choices.all()],
      runs: [...runs, ...(this.run === undefined ? [] : [this.run])],
    };
  }
}
