import { isDeepStrictEqual } from 'node:util';
import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { limits } from '../../../fixtures/contract/limits.ts';
import {
  ageAt,
  body,
  type Completed,
  type Ended,
  type Exchange,
  isCompleted,
  isRefusal,
  isSuccess,
  precedes,
  type Request,
} from '../../exchange/exchange.ts';
import { keep, mostRemembered } from './remember.ts';

/** Result of a presentation of an ID. `limited`: a 429. `unknown`: the ID may have dispatched. */
type PresentationOutcome = 'dispatched' | 'invalid' | 'refused' | 'limited' | 'unknown';

export interface Presentation {
  readonly exchange: Exchange;
  readonly outcome: PresentationOutcome;
}

/** A confirmation ID and its history. */
export interface IssuedId {
  readonly id: string;
  /** First exchange that issued the ID. */
  readonly proposal: Completed;
  /** Latest exchange that issued the ID, for the same request. */
  latest: Completed;
  /** First presentations that ended. */
  readonly presentations: Presentation[];
  /** The ID was issued for two requests, or again after its use, so its meaning is ambiguous. */
  twice: boolean;
}

/** Arguments that a confirmation must repeat from its proposal. Both requests require them. */
export const boundArguments = ['board', 'brief', 'count', 'shape'] as const;

/** Returns the bound arguments whose values differ from the proposal. Missing arguments do not count. */
export function changedArguments({ request }: Exchange, { request: proposed }: Exchange): string[] {
  return boundArguments.filter((name) => {
    const value = request.args?.[name];
    return value !== undefined && !isDeepStrictEqual(value, proposed.args?.[name]);
  });
}

/** More than can be unused at once, because rules need used IDs for a while longer. */
const mostIds = 2000;
const mostPresentations = 64;

const surelyDeadMs = limits.confirmation.surelyDead * 60_000;

/** Returns whether a response reports a dispatch, even if the rest of the response contradicts it. */
export function isDispatch(exchange: Exchange): boolean {
  if (!isCompleted(exchange) || !isSuccess(exchange)) return false;
  const { status, run_id } = body(exchange);
  return status === 'dispatched' || typeof run_id === 'string';
}

export function isProposal(exchange: Ended): boolean {
  return isSuccess(exchange) && body(exchange).status === 'confirmation_required';
}

export function outcomeOf(exchange: Exchange): PresentationOutcome {
  if (!isCompleted(exchange) || exchange.response.unread !== undefined) return 'unknown';
  if (exchange.response.status === 429) return 'limited';
  if (exchange.response.status >= 500) return 'unknown';
  if (isDispatch(exchange)) return 'dispatched';
  if (isRefusal(exchange, refusalCodes.confirmationInvalid)) return 'invalid';
  return isSuccess(exchange) ? 'unknown' : 'refused';
}

/** Returns the ID that a request presents; undefined for proposals and for other tools. */
export function presentedId({ request }: { readonly request: Pick<Request, 'tool' | 'args'> }): string | undefined {
  const id = request.tool === 'images.generate' ? request.args?.confirmation_id : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** Returns whether a request proposes images, without a confirmation ID. */
export function requestsProposal({ request: { tool, args } }: Exchange): boolean {
  return tool === 'images.generate' && args?.confirmation_id === undefined;
}

/** A shorter ID may be part of a text by coincidence. */
const leastLetters = 8;

/** Returns the ID that an exchange issues; undefined if it issues none. */
export function issuedId(exchange: Exchange): string | undefined {
  if (!isCompleted(exchange) || exchange.request.tool !== 'images.generate' || !isProposal(exchange)) return undefined;
  const { confirmation_id: id } = body(exchange);
  return typeof id === 'string' && id !== '' && presentedId(exchange) === undefined ? id : undefined;
}

/**
 * Returns whether a text resembles an ID. The text may differ in case, punctuation, accents, full-width letters,
 * surrounding text, prefix or last character. The text may also be half of a long ID.
 */
export function resembles(text: string, id: string): boolean {
  const bare = (given: string) =>
    given
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '');
  const [one, other] = [bare(text), bare(id)];
  const half = Math.ceil(other.length / 2);
  if (half >= leastLetters && (one.startsWith(other.slice(0, half)) || one.endsWith(other.slice(-half)))) return true;
  if (other.length >= leastLetters && one.includes(other)) return true;
  const isNear = one.startsWith(other) || other.startsWith(one);
  if (isNear && Math.abs(one.length - other.length) <= 2) return true;
  // The prefix is missing, or the last character differs.
  if (2 * one.length > other.length && other.endsWith(one)) return true;
  return one.length === other.length && other.startsWith(one.slice(0, -1));
}

/** All confirmation IDs of a history, with their proposals and presentations. */
export class Ids {
  readonly #ids = new Map<string, IssuedId>();
  /** Latest dispatches, with their proposals if these are known. */
  readonly dispatches: { readonly id: string; readonly exchange: Exchange; readonly proposal?: Completed }[] = [];
  /** Latest refusals of an ID as invalid. */
  readonly #refused: Completed[] = [];
  #forgotten = false;
  readonly #underWay: ReadonlyMap<number, Exchange>;

  /** @param underWay requests without a response so far, by number */
  constructor(underWay: ReadonlyMap<number, Exchange> = new Map()) {
    this.#underWay = underWay;
  }

  add(exchange: Exchange): void {
    const issued = issuedId(exchange);
    if (issued !== undefined && isCompleted(exchange)) this.#issue(issued, exchange);
    if (isCompleted(exchange) && isRefusedAsInvalid(exchange)) keep(this.#refused, exchange, mostRemembered);
    const id = presentedId(exchange);
    if (id === undefined) return;
    const outcome = outcomeOf(exchange);
    const { proposal, presentations, twice } = this.#ids.get(id) ?? {};
    if (outcome === 'dispatched')
      keep(this.dispatches, { id, exchange, ...(proposal && !twice && { proposal }) }, mostRemembered);
    if (presentations !== undefined && presentations.length < mostPresentations)
      presentations.push({ exchange, outcome });
  }

  /** Returns the refusal as invalid from which a new proposal of the same request recovers. */
  refusedBefore(exchange: Completed): Completed | undefined {
    const { args, tool } = exchange.request;
    if (tool !== 'images.generate' || args?.confirmation_id !== undefined) return undefined;
    const asked = { ...args, confirmation_id: undefined };
    const isOfSame = ({ sender, request }: Completed) =>
      sender.role === exchange.sender.role && isDeepStrictEqual({ ...request.args, confirmation_id: undefined }, asked);
    return this.#refused.findLast((refused) => precedes(refused, exchange) && isOfSame(refused));
  }

  issued(id: string): IssuedId | undefined {
    return this.#ids.get(id);
  }

  /** Returns the presentations of an ID, including those without a response so far. */
  presentationsOf({ id, presentations }: IssuedId): Presentation[] {
    const pending = [...this.#underWay.values()].filter((exchange) => presentedId(exchange) === id);
    return [...presentations, ...pending.map((exchange) => ({ exchange, outcome: 'unknown' }) as const)];
  }

  /** Returns an issued ID that differs from this text only in case. */
  inOtherCase(id: string): IssuedId | undefined {
    if (this.#ids.has(id)) return undefined;
    return [...this.#ids.values()].findLast((issued) => issued.id.toLowerCase() === id.toLowerCase());
  }

  /** Returns an issued ID that a text resembles. */
  resembled(text: string, isWanted: (issued: IssuedId) => boolean = () => true): IssuedId | undefined {
    return [...this.#ids.values()].find((issued) => isWanted(issued) && resembles(text, issued.id));
  }

  /** Returns whether any response issued this ID; undefined if old IDs were forgotten. */
  wasIssued(id: string): boolean | undefined {
    return this.#ids.has(id) || (this.#forgotten ? undefined : false);
  }

  get anyIssued(): boolean {
    return this.#ids.size > 0;
  }

  get anyDispatched(): boolean {
    return this.dispatches.length > 0;
  }

  /** Returns whether an ID that was issued no later than `proposal` was dispatched after this response arrived. */
  isDispatchedLater({ receivedAt }: Exchange, proposal: Completed): boolean {
    return this.dispatches.some(
      (other) =>
        other.exchange.receivedAt > receivedAt &&
        other.proposal !== undefined &&
        other.proposal.receivedAt <= proposal.receivedAt,
    );
  }

  /** Returns whether a confirmation was dispatched with exactly these arguments changed. */
  dispatchedWith(changed: readonly string[]): boolean {
    return this.dispatches.some(({ exchange, proposal }) => {
      const names = proposal === undefined ? [] : changedArguments(exchange, proposal);
      return names.join() === changed.join();
    });
  }

  /** Returns whether another ID was issued or dispatched between the issue of this ID and its presentation. */
  othersBetween({ id, proposal }: IssuedId, later: Exchange): boolean {
    // IDs are forgotten in the order of their issue.
    if (!this.#ids.has(id)) return true;
    const issues = [...this.#ids.values()].map((issued) => ({ id: issued.id, exchange: issued.latest }));
    return [...issues, ...this.dispatches].some(({ id: other, exchange: { receivedAt } }) => {
      return other !== id && receivedAt > proposal.sentAt && receivedAt <= later.receivedAt;
    });
  }

  all(): Iterable<IssuedId> {
    return this.#ids.values();
  }

  #issue(id: string, proposal: Completed): void {
    const known = this.#ids.get(id);
    const used = known?.presentations.some(({ outcome }) => outcome === 'dispatched') === true;
    const isRepeated = known !== undefined && !used && isSameProposal(known.proposal, proposal);
    // An ID that is issued again after it has expired begins anew.
    if (known !== undefined && !(isRepeated && ageAt(known.proposal, proposal) >= surelyDeadMs)) {
      known.twice ||= !isRepeated;
      known.latest = proposal;
      return;
    }
    const [oldest] = this.#ids.keys();
    if (this.#ids.size >= mostIds && oldest !== undefined) {
      this.#ids.delete(oldest);
      this.#forgotten = true;
    }
    this.#ids.set(id, {
      id,
      proposal,
      latest: proposal,
      presentations: [],
      twice: false,
    });
  }
}

const isRefusedAsInvalid = (exchange: Completed) =>
  exchange.request.tool === 'images.generate' &&
  exchange.request.args?.confirmation_id !== undefined &&
  isRefusal(exchange, refusalCodes.confirmationInvalid);

/** Returns whether two proposals show a person the same request, with the same key and in the same workspace. */
function isSameProposal(one: Completed, other: Completed): boolean {
  const shown = (exchange: Completed) => {
    const { workspace, board, brief, count, shape } = exchange.request.args ?? {};
    return JSON.stringify([exchange.sender.role, body(exchange).workspace ?? workspace, board, brief, count, shape]);
  };
  return shown(one) === shown(other);
}
