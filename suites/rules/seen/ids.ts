import { isDeepStrictEqual } from 'node:util';
import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { body, type Completed, type Exchange, isCompleted, isRefusal, isSuccess } from '../../history/exchange.ts';

/** What became of an id that was presented; `unknown` where it may have run and may not. */
export type Outcome = 'dispatched' | 'invalid' | 'refused' | 'unknown';

export interface Presentation {
  readonly exchange: Exchange;
  readonly outcome: Outcome;
}

/** A confirmation id with all that happened to it. */
export interface IssuedId {
  readonly id: string;
  /** The exchange that issued it first. */
  readonly proposal: Completed;
  /** The exchange that gave it out last, for the same request. */
  latest: Completed;
  /** By the numbers of their exchanges, in the order of sending; the outcome of one under way is unknown. */
  readonly presentations: Map<number, Presentation>;
  /** It was given to two requests, or given out again after its use, so that nothing more can be said of it. */
  twice: boolean;
  /** What was proposed is not known. */
  readonly unclear: boolean;
}

/** Something that happened to one id, which may disturb others. */
interface Turn {
  readonly id: string;
  readonly at: number;
}

/** Arguments that a proposal is bound to, and that are required on both calls. */
export const boundArguments = ['board', 'brief', 'count', 'shape'] as const;

/** Bound arguments that a request has with another value than its proposal. */
export function changedArguments({ request }: Exchange, { request: proposed }: Exchange): string[] {
  return boundArguments.filter((name) => {
    const value = request.args?.[name];
    return value !== undefined && !isDeepStrictEqual(value, proposed.args?.[name]);
  });
}

/** More than are open at once; what is said of an id that was used needs it for a while longer. */
const mostIds = 2000;
const mostTurns = 10_000;
const mostPresentations = 64;

export function isDispatch(exchange: Completed): boolean {
  const { status, run_id } = body(exchange);
  return isSuccess(exchange) && (status === 'dispatched' || typeof run_id === 'string');
}

export function isProposal(exchange: Completed): boolean {
  return isSuccess(exchange) && body(exchange).status === 'confirmation_required';
}

export function outcomeOf(exchange: Exchange): Outcome {
  if (!isCompleted(exchange) || exchange.response.unread !== undefined) return 'unknown';
  if (exchange.response.status === 429 || exchange.response.status >= 500) return 'unknown';
  if (isDispatch(exchange)) return 'dispatched';
  if (isRefusal(exchange, refusalCodes.confirmationInvalid)) return 'invalid';
  return isSuccess(exchange) ? 'unknown' : 'refused';
}

/** The id that an exchange presents; undefined where it proposes, or is no request of `images.generate`. */
export function presentedId({ request }: Exchange): string | undefined {
  const id = request.tool === 'images.generate' ? request.args?.confirmation_id : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** The id that an exchange issues. */
export function issuedId(exchange: Exchange): string | undefined {
  if (!isCompleted(exchange) || exchange.request.tool !== 'images.generate' || !isProposal(exchange)) return undefined;
  const { confirmation_id: id } = body(exchange);
  return typeof id === 'string' && id !== '' && presentedId(exchange) === undefined ? id : undefined;
}

/** Every confirmation id of a history: issued where and to whom, presented when, dispatched how often. */
export class Ids {
  readonly #ids = new Map<string, IssuedId>();
  readonly #inLowerCase = new Map<string, string>();
  #turns: Turn[] = [];
  /** When the last turn that was forgotten came. */
  #turnsSince = Number.NEGATIVE_INFINITY;
  /** Arguments that were changed on presentations that were dispatched. */
  readonly #dispatchedWith = new Set<string>();
  #lastDispatchAt = Number.NEGATIVE_INFINITY;
  #forgotten = false;

  /** Remembers a presentation that is under way. */
  begin(exchange: Exchange): void {
    const presentations = this.#ids.get(presentedId(exchange) ?? '')?.presentations;
    if (presentations === undefined || presentations.size >= mostPresentations) return;
    presentations.set(exchange.number, { exchange, outcome: 'unknown' });
  }

  add(exchange: Exchange): void {
    const issued = issuedId(exchange);
    if (issued !== undefined && isCompleted(exchange)) this.#issue(issued, exchange);
    const id = presentedId(exchange);
    if (id === undefined) return;
    const outcome = outcomeOf(exchange);
    if (outcome === 'dispatched') {
      this.#lastDispatchAt = exchange.receivedAt;
      const known = this.#ids.get(id);
      this.#dispatchedWith.add(known === undefined ? '' : changedArguments(exchange, known.proposal).join());
      this.#turn(id, exchange.receivedAt);
    }
    const presentations = this.#ids.get(id)?.presentations;
    const isKnown = presentations?.has(exchange.number) === true;
    if (presentations !== undefined && (isKnown || presentations.size < mostPresentations)) {
      presentations.set(exchange.number, { exchange, outcome });
    }
  }

  issued(id: string): IssuedId | undefined {
    return this.#ids.get(id);
  }

  /** An issued id that differs from this text in case alone. */
  inOtherCase(id: string): IssuedId | undefined {
    const other = this.#inLowerCase.get(id.toLowerCase());
    return other === undefined || other === id ? undefined : this.#ids.get(other);
  }

  /** An issued id that a text resembles: the same but for case, spaces, dashes, a prefix, or a character at its end. */
  resembled(text: string, isWanted: (issued: IssuedId) => boolean = () => true): IssuedId | undefined {
    const bare = (id: string) => id.trim().toLowerCase().replaceAll('-', '');
    for (const issued of this.#ids.values()) {
      if (!isWanted(issued)) continue;
      const [one, other] = [bare(text), bare(issued.id)];
      const near = one.startsWith(other) || other.startsWith(one);
      if (near && Math.abs(one.length - other.length) <= 2) return issued;
      // Without a prefix, or with another end.
      if (2 * one.length > other.length && other.endsWith(one)) return issued;
      if (one.length === other.length && other.startsWith(one.slice(0, -1))) return issued;
    }
    return undefined;
  }

  /** Whether any response gave this id out; undefined where that was forgotten. */
  wasIssued(id: string): boolean | undefined {
    return this.#ids.has(id) || (this.#forgotten ? undefined : false);
  }

  get anyIssued(): boolean {
    return this.#ids.size > 0;
  }

  /** Whether any confirmation was dispatched. */
  get anyDispatched(): boolean {
    return this.#dispatchedWith.size > 0;
  }

  /** Whether a confirmation was dispatched after this response was received. */
  dispatchedAfter({ receivedAt }: Exchange): boolean {
    return this.#lastDispatchAt > receivedAt;
  }

  /** Whether a confirmation with just these arguments changed was dispatched. */
  dispatchedWith(changed: readonly string[]): boolean {
    return this.#dispatchedWith.has(changed.join());
  }

  /** Whether other ids were issued or dispatched between the issue of one and its presentation. */
  disturbed({ id, proposal }: IssuedId, later: Exchange): boolean {
    if (proposal.sentAt < this.#turnsSince) return true;
    // They are in order of time.
    for (let index = this.#turns.length - 1; index >= 0; index -= 1) {
      const turn = this.#turns[index];
      if (turn === undefined || turn.at <= proposal.sentAt) return false;
      if (turn.id !== id && turn.at <= later.receivedAt) return true;
    }
    return false;
  }

  /** Every id that was issued. */
  all(): Iterable<IssuedId> {
    return this.#ids.values();
  }

  #turn(id: string, at: number): void {
    this.#turns.push({ id, at });
    if (this.#turns.length <= mostTurns) return;
    this.#turnsSince = this.#turns[mostTurns / 2]?.at ?? at;
    this.#turns = this.#turns.slice(mostTurns / 2);
  }

  #issue(id: string, proposal: Completed): void {
    this.#turn(id, proposal.receivedAt);
    const known = this.#ids.get(id);
    if (known !== undefined) {
      const used = [...known.presentations.values()].some(({ outcome }) => outcome === 'dispatched');
      known.twice ||= used || !isSameProposal(known.proposal, proposal);
      known.latest = proposal;
      return;
    }
    const [oldest] = this.#ids.keys();
    if (this.#ids.size >= mostIds && oldest !== undefined) {
      this.#ids.delete(oldest);
      this.#inLowerCase.delete(oldest.toLowerCase());
      this.#forgotten = true;
    }
    this.#ids.set(id, {
      id,
      proposal,
      latest: proposal,
      presentations: new Map(),
      twice: false,
      unclear: proposal.request.args === null,
    });
    this.#inLowerCase.set(id.toLowerCase(), id);
  }
}

/** The same request of the same key in the same workspace, as it was shown to a person. */
function isSameProposal(one: Completed, other: Completed): boolean {
  const shown = (exchange: Completed) => {
    const { workspace, board, brief, count, shape } = exchange.request.args ?? {};
    return JSON.stringify([exchange.sender.role, body(exchange).workspace ?? workspace, board, brief, count, shape]);
  };
  return shown(one) === shown(other);
}
