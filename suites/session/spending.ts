import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { body, type Completed, type Exchange, isCompleted, type Request } from '../exchange/exchange.ts';
import { declinedForCredits } from '../model/world/house-rules.ts';
import { isDispatch } from '../model/world/ids.ts';
import type { Missing } from '../result.ts';
import type { Target } from '../target/target.ts';
import { Allowance, planReservation } from './allowance.ts';
import { BalanceWatch } from './balance-watch.ts';
import { type Budget, Disturbed, NotTested } from './budget.ts';
import {
  ConfirmationIds,
  isPlainConfirmation,
  type KnownId,
  type PresentationKind,
  presentationOf,
  type Time,
} from './confirmation-ids.ts';
import { argumentsOf, imagesIn, imagesOf, isUnusual, Ledger, reachesImages, refusalCode } from './image-requests.ts';
import type { RunTime } from './run-time.ts';
import type { Credential } from './sent-exchange.ts';

/**
 * Refusals of unused IDs in a row, after which the run confirms nothing more. If the deployment's clock can be
 * advanced, another client may have advanced it, and some IDs may have expired: more often than a story runs.
 */
const refusalsInARow = { withoutClock: 1, withClock: 6 };

/** Thrown after a 429 to a confirmation. The confirmation counts as spent, and the run presents only new IDs. */
export class Throttled extends Disturbed {
  override readonly name: string = 'Throttled';

  constructor() {
    super('a confirmation got a 429: the run does not send the same ID again');
  }
}

export interface Intent {
  request: Request;
  by: Credential;
  times: number;
}

/** Images reserved for a request, or for several simultaneous requests that present one ID. */
export interface Reservation {
  runners: number;
  images: number;
  worst: number;
  way: PresentationKind | 'proposal';
  issued: KnownId | undefined;
  plain: boolean;
}

/**
 * Guards every request that may spend. It reserves the highest possible cost before the request is sent. A correct
 * confirmation counts in full, whatever the response. Spending stops at the first request that spends although it must
 * not.
 */
export class Spending {
  readonly images: Allowance;
  readonly ledger = new Ledger();
  readonly balances: BalanceWatch;
  /** Images of the confirmations that the run has sent. */
  requested = 0;
  /** Last proposal that was confirmed unchanged and dispatched. */
  dispatched: Pick<KnownId, 'id' | 'args'> | undefined;
  readonly #budget: Budget;
  readonly #time: Pick<RunTime, 'elapsedMs' | 'movedMs' | 'waitedMs'>;
  readonly #refusals: number;
  readonly #ids = new ConfirmationIds();
  #refusedInARow = 0;
  #stopped: string | undefined;

  constructor(
    budget: Budget,
    target: Pick<Target, 'maxImages' | 'maxCredits' | 'clock'>,
    time: Pick<RunTime, 'elapsedMs' | 'movedMs' | 'waitedMs'>,
  ) {
    this.#budget = budget;
    this.#time = time;
    this.images = new Allowance(target.maxImages);
    this.balances = new BalanceWatch(
      target.maxCredits,
      () => this.requested,
      (seen, missing) => this.#stop(seen, missing),
    );
    this.#refusals = target.clock !== undefined ? refusalsInARow.withClock : refusalsInARow.withoutClock;
  }

  #at(elapsedMs: number): Time {
    const { movedMs, waitedMs } = this.#time;
    return { nowMs: elapsedMs + movedMs, passedMs: waitedMs + movedMs };
  }

  /**
   * Reserves images for a request, or for as many simultaneous requests as the remaining images allow. Call this right
   * before sending, and `after` when all responses are known. A request that cannot spend needs no reservation. Returns
   * `wait` while open reservations may leave room later. Throws `NotTested` if the request is not allowed, too few
   * images remain, or spending has stopped.
   */
  before({ request, by, times }: Intent): Reservation | 'wait' | undefined {
    if (!by.good || !reachesImages(request)) return undefined;
    const seen = this.#look(request, by);
    const { way, issued } = seen;
    const worst = toSetAside(seen);
    if (way !== 'proposal') this.balances.beforePresenting(worst);
    this.#require(way);
    const { left, free } = this.images;
    const plan = planReservation({ way, worst, times, unusual: isUnusual(request) }, left, free);
    if (plan === 'too many') throw tooMany(this.images.most);
    if (plan === 'wait') return plan;
    this.images.reserve(plan.images);
    if (way === 'correct' && issued !== undefined) issued.open -= 1;
    if (!mustNotDispatch(way)) this.balances.confirming();
    return { ...seen, ...plan };
  }

  isCorrect({ request, by }: Intent): boolean {
    return by.good && reachesImages(request) && this.#look(request, by).way === 'correct';
  }

  /** Counts what the sent requests may have cost, ends their reservation, and records what the responses report. */
  after(reservation: Reservation | undefined, sent: readonly Exchange[]): void {
    for (const exchange of sent.filter(isCompleted)) {
      if (reservation !== undefined) this.ledger.images(exchange, reservation.worst, !mustNotDispatch(reservation.way));
      else if (reachesImages(exchange.request) && isDispatch(exchange))
        this.#stop('the server ran a request without a valid key');
    }
    if (reservation === undefined) return;
    const spent = spentBy(reservation, sent);
    this.#settle(reservation, sent);
    this.images.settle(reservation.images, spent);
  }

  #require(way: Reservation['way']): void {
    this.#budget.require('proposals');
    if (way !== 'correct' && way !== 'counted') return;
    this.#budget.require('spending');
    if (this.#stopped !== undefined) throw new NotTested(this.#stopped);
  }

  #look(request: Request, by: Credential): Omit<Reservation, 'runners' | 'images'> {
    const args = argumentsOf(request);
    const asked = imagesIn(args.count);
    const { confirmation_id: id } = args;
    const issued = this.#ids.get(id);
    if (issued !== undefined) {
      const time = this.#at(this.#time.elapsedMs());
      const way = presentationOf(issued, args, by, time);
      const plain = way === 'correct' && isPlainConfirmation(issued, args, by, time);
      return { way, issued, plain, worst: Math.max(asked, issued.images) };
    }
    const near = [...this.#ids.within(request), ...(typeof id === 'string' ? this.#ids.resembling(id) : [])];
    // Any other value in place of an ID must be refused, even a number or a list.
    const way = near.length > 0 || (id ?? '') !== '' ? 'wrong' : 'proposal';
    return { way, issued: undefined, plain: false, worst: Math.max(asked, ...near.map(({ images }) => images)) };
  }

  #settle(reservation: Reservation, sent: readonly Exchange[]): void {
    const { way, worst, issued } = reservation;
    const dispatched = sent.filter(isDispatch);
    const surprising = mustNotDispatch(way);
    const allowed = surprising || issued?.dispatched === true ? 0 : 1;
    if (issued !== undefined && sent.length > 0 && !surprising) issued.counted = Math.max(issued.counted, worst);
    if (!surprising) this.balances.confirmed(this.#time.elapsedMs());
    for (const exchange of sent.filter(isCompleted)) this.#noteIssued(exchange);
    if (way === 'correct' && sent.length === 0 && issued !== undefined) {
      issued.open += 1;
    } else if (way === 'correct') {
      this.requested += issued?.asked ?? 0;
    }
    if (issued !== undefined && dispatched.length > 0) {
      issued.dispatched = true;
      if (reservation.plain) this.dispatched = issued;
    }
    if (dispatched.length > allowed) this.#stop(inWords[way]);
    if (reservation.plain && sent.length > 0) this.#noteConfirmation(sent, dispatched.length > 0);
  }

  #noteIssued(exchange: Completed): void {
    const { confirmation_id: id, count } = body(exchange);
    const args = argumentsOf(exchange.request);
    if (typeof id !== 'string' || id === '' || id === args.confirmation_id) return;
    const asked = imagesIn(args.count);
    this.#ids.issued({
      id,
      role: exchange.sender.role,
      args,
      images: Math.max(asked, imagesOf(count) ?? 1),
      asked,
      issuedAt: this.#at(exchange.receivedAt),
    });
  }

  #noteConfirmation(sent: readonly Exchange[], dispatched: boolean): void {
    if (dispatched) this.#refusedInARow = 0;
    const [code, ...others] = sent.map(refusalCode);
    if (code === undefined || others.includes(undefined)) return;
    if (sent.filter(isCompleted).some((exchange) => declinedForCredits(exchange))) return;
    this.#refusedInARow += 1;
    if (this.#refusedInARow < this.#refusals && code === refusalCodes.confirmationInvalid) return;
    this.#stopped ??= `stopped confirming images: the server refused an open confirmation ID (${code})`;
    this.#budget.note(this.#stopped);
  }

  /** Stops all spending of the run, including proposals. */
  #stop(seen: string, missing: readonly Missing[] = []): void {
    this.#budget.stop(['proposals', 'spending'], `stopped confirming images: ${seen}`, missing);
  }
}

const mustNotDispatch = (way: Reservation['way']) => way === 'proposal' || way === 'wrong';

/** Images that one request may cost beyond those already counted. */
function toSetAside({ way, worst, issued }: Pick<Reservation, 'way' | 'worst' | 'issued'>): number {
  return way === 'counted' ? Math.max(0, worst - (issued?.counted ?? 0)) : worst;
}

/** Images that the requests may have cost: all except those that certainly cost nothing. */
function spentBy(reservation: Reservation, sent: readonly Exchange[]): number {
  const { way, worst } = reservation;
  const dispatched = sent.filter(isDispatch).length;
  if (way === 'proposal') return dispatched * worst;
  // A request that must be refused costs nothing only if the response shows that nothing ran.
  if (way === 'wrong') return sent.filter((exchange) => !saysNothingRan(exchange)).length * worst;
  // If one of several requests dispatched, the specification requires a refusal of the others.
  const refused = dispatched === 0 ? 0 : sent.filter((exchange) => refusalCode(exchange) !== undefined).length;
  return (sent.length - refused) * toSetAside(reservation);
}

/** Returns whether a complete response refuses, or proposes to a request without an ID. */
function saysNothingRan(exchange: Exchange): boolean {
  if (!isCompleted(exchange) || exchange.response.unread !== undefined) return false;
  const { confirmation_id: presented } = argumentsOf(exchange.request);
  const proposes = body(exchange).status === 'confirmation_required' && !isDispatch(exchange);
  return refusalCode(exchange) !== undefined || (proposes && (presented ?? '') === '');
}

const inWords: Readonly<Record<Reservation['way'], string>> = {
  proposal: 'the server ran a request without a confirmation ID',
  wrong: 'the server accepted a confirmation ID that it must refuse',
  correct: 'the server ran one confirmation ID more than once',
  counted: 'the server ran one confirmation ID more than once',
};

function tooMany(most: number): NotTested {
  const missing = { kind: 'setting', setting: 'maxImages' } as const;
  return new NotTested(`maxImages is ${most}, and this request could exceed it`, [missing]);
}
