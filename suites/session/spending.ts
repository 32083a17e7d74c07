import { refusalCodes } from '../../fixtures/contract/codes.ts';
import type { Effect } from '../../fixtures/side-effects.ts';
import { body, type Exchange, isCompleted, type Request } from '../exchange/exchange.ts';
import { declinedForCredits } from '../model/world/house-rules.ts';
import { isDispatch } from '../model/world/ids.ts';
import type { Missing } from '../result.ts';
import type { Target } from '../target/target.ts';
import { BalanceWatch } from './balance-watch.ts';
import { type Budget, mostContentRequests, mostRunners, NotTested } from './budget.ts';
import type { Credential } from './call.ts';
import { ConfirmationIds, costOf, type KnownId, type Shown } from './confirmation-ids.ts';
import { argumentsOf, isUnusual, Ledger, mayHaveCreated, reachesImages, refusalCode } from './image-requests.ts';
import type { RunTime } from './run-time.ts';

/**
 * Refusals of unused IDs in a row, after which the run confirms nothing more. If the deployment's clock can be
 * advanced, another client may have advanced it, and some IDs may have expired: more often than a story runs.
 */
const refusalsInARow = { withoutClock: 1, withClock: 6 };

export interface Intent {
  request: Request;
  by: Credential;
  effect: Effect | undefined;
  times: number;
}

/** What is set aside for a request, or for several simultaneous requests that present one ID. */
export interface Reservation {
  /** Number of requests to send. */
  readonly runners: number;
  /** Whether the request presents an ID that may dispatch, and is therefore never sent again. */
  readonly confirms: boolean;
  /**
   * Counts what the sent requests may have cost, releases the rest, and records what the responses report. Call this
   * when all responses are known.
   */
  readonly after: (sent: readonly Exchange[]) => void;
}

/**
 * Guards every request that may change something. It reserves the highest possible cost before the request is sent. A
 * correct confirmation counts in full, whatever the response. Spending stops at the first request that spends although
 * it must not.
 */
export class Spending {
  readonly images: Allowance;
  readonly ledger = new Ledger();
  readonly balances: BalanceWatch;
  /** Images of the confirmations that the run has sent. */
  requested = 0;
  /** Last proposal that was confirmed unchanged and dispatched. */
  dispatched: Pick<KnownId, 'id' | 'args'> | undefined;
  readonly #contentRequests = new Allowance(mostContentRequests);
  readonly #budget: Budget;
  readonly #time: Pick<RunTime, 'deploymentMs' | 'elapsedMs' | 'movedMs'>;
  readonly #mostRefusals: number;
  readonly #ids = new ConfirmationIds();
  #refusedInARow = 0;

  constructor(
    budget: Budget,
    target: Pick<Target, 'maxImages' | 'maxCredits' | 'clock'>,
    time: Pick<RunTime, 'deploymentMs' | 'elapsedMs' | 'movedMs'>,
  ) {
    this.#budget = budget;
    this.#time = time;
    this.images = new Allowance(target.maxImages);
    this.balances = new BalanceWatch(
      target.maxCredits,
      () => this.requested,
      (seen, missing) => this.#stop(seen, missing),
    );
    this.#mostRefusals = target.clock !== undefined ? refusalsInARow.withClock : refusalsInARow.withoutClock;
  }

  #shown({ request, by }: Intent): Shown {
    return this.#ids.shown(request, by, this.#time.deploymentMs);
  }

  isConfirmation(intent: Intent): boolean {
    return intent.by.good && reachesImages(intent.request) && this.#shown(intent).way === 'confirmation';
  }

  /**
   * Reserves what a request may create or spend, for as many simultaneous requests as the rest allows. Call this right
   * before sending. Returns `wait` while open reservations may leave room later. Throws `NotTested` if the request is
   * not allowed, too little is left, or spending has stopped.
   */
  before(intent: Intent): Reservation | 'wait' {
    const { request, by, effect, times } = intent;
    if (effect !== undefined) this.#budget.require(effect);
    if (effect === 'writes') return this.#reserveContentRequest();
    if (!by.good) return { runners: times, confirms: false, after: (sent) => this.#afterInvalidKey(sent) };
    const shown = this.#shown(intent);
    const { way, issued } = shown;
    const cost = costOf(shown);
    const confirms = way === 'confirmation';
    if (way !== 'proposal') this.balances.beforePresenting(cost);
    this.#budget.require('proposals');
    if (confirms) this.#budget.require('spending');
    // A server may treat an unusual proposal as confirmed, although it treats others correctly.
    const needsRoom = way !== 'proposal' || isUnusual(request);
    const plan = planReservation({ cost, times, needsRoom }, this.images);
    if (plan === 'wait') return plan;
    this.images.reserve(plan.images);
    if (issued !== undefined && confirms) issued.presented += 1;
    if (confirms) this.balances.confirming();
    return { runners: plan.runners, confirms, after: (sent) => this.#after(shown, plan.images, sent) };
  }

  #reserveContentRequest(): Reservation | 'wait' {
    const { left, free, most } = this.#contentRequests;
    if (left === 0) {
      const reason = `the run may have created ${most} content requests, which is its limit on any deployment`;
      throw this.#budget.ceiling(reason);
    }
    if (free === 0) return 'wait';
    this.#contentRequests.reserve(1);
    const after = (sent: readonly Exchange[]) => {
      for (const exchange of sent.filter(isCompleted)) this.ledger.contentRequest(exchange);
      this.#contentRequests.settle(1, sent.some(mayHaveCreated) ? 1 : 0);
    };
    return { runners: 1, confirms: false, after };
  }

  #afterInvalidKey(sent: readonly Exchange[]): void {
    if (sent.some((exchange) => reachesImages(exchange.request) && isDispatch(exchange)))
      this.#stop('the server ran a request without a valid key');
  }

  #after(shown: Shown, reserved: number, sent: readonly Exchange[]): void {
    const { way, worst, issued, plain } = shown;
    const dispatches = sent.filter(isDispatch).length;
    const confirms = way === 'confirmation';
    const allowed = confirms && issued?.dispatched === false ? 1 : 0;
    this.images.settle(reserved, spentBy(shown, sent));
    if (confirms) this.balances.confirmed(this.#time.elapsedMs());
    for (const exchange of sent.filter(isCompleted)) {
      this.ledger.images(exchange, worst, confirms);
      this.#ids.see(exchange, exchange.receivedAt + this.#time.movedMs);
    }
    if (issued !== undefined && confirms && sent.length === 0) issued.presented -= 1;
    if (issued !== undefined && confirms && sent.length > 0) {
      if (issued.counted === 0) this.requested += issued.asked;
      issued.counted = Math.max(issued.counted, worst);
    }
    if (issued !== undefined && dispatches > 0) {
      issued.dispatched = true;
      if (plain) this.dispatched = issued;
    }
    if (dispatches > allowed) this.#stop(inWords[way]);
    if (plain && sent.length > 0) this.#noteConfirmation(sent, dispatches > 0);
  }

  #noteConfirmation(sent: readonly Exchange[], dispatched: boolean): void {
    if (dispatched) this.#refusedInARow = 0;
    const [code, ...others] = sent.map(refusalCode);
    if (code === undefined || others.includes(undefined)) return;
    if (sent.filter(isCompleted).some((exchange) => declinedForCredits(exchange))) return;
    this.#refusedInARow += 1;
    if (this.#refusedInARow < this.#mostRefusals && code === refusalCodes.confirmationInvalid) return;
    this.#budget.stop(['spending'], `stopped confirming images: the server refused an open confirmation ID (${code})`);
  }

  /** Stops all spending of the run, including proposals. */
  #stop(seen: string, missing: readonly Missing[] = []): void {
    this.#budget.stop(['proposals', 'spending'], `stopped confirming images: ${seen}`, missing);
  }
}

/** Images that the requests may have cost: all except those that certainly cost nothing. */
function spentBy(shown: Shown, sent: readonly Exchange[]): number {
  const { way } = shown;
  const cost = costOf(shown);
  const dispatched = sent.filter(isDispatch).length;
  if (way === 'proposal') return dispatched * cost;
  // A request that must be refused costs nothing only if the response shows that nothing ran.
  if (way === 'wrong') return sent.filter((exchange) => !saysNothingRan(exchange)).length * cost;
  // If one of several requests dispatched, the specification requires a refusal of the others.
  const refused = dispatched === 0 ? 0 : sent.filter((exchange) => refusalCode(exchange) !== undefined).length;
  return (sent.length - refused) * cost;
}

/** Returns whether a complete response refuses, or proposes to a request without an ID. */
function saysNothingRan(exchange: Exchange): boolean {
  if (!isCompleted(exchange) || exchange.response.unread !== undefined) return false;
  const { confirmation_id: presented } = argumentsOf(exchange.request);
  const proposes = body(exchange).status === 'confirmation_required' && !isDispatch(exchange);
  return refusalCode(exchange) !== undefined || (proposes && (presented ?? '') === '');
}

const inWords: Readonly<Record<Shown['way'], string>> = {
  proposal: 'the server ran a request without a confirmation ID',
  wrong: 'the server accepted a confirmation ID that it must refuse',
  confirmation: 'the server ran one confirmation ID more than once',
};

/** Limits how many things a run creates at a deployment, at worst: what a request may create is reserved before it. */
export class Allowance {
  readonly most: number;
  #made = 0;
  #reserved = 0;

  constructor(most: number) {
    this.most = most;
  }

  /** Things left to create if no open reservation is used. */
  get left(): number {
    return Math.max(0, this.most - this.#made);
  }

  /** Things left to create if every open reservation is used. */
  get free(): number {
    return this.left - this.#reserved;
  }

  /** Things that the run may have created, including all open reservations. */
  get atWorst(): number {
    return this.#made + this.#reserved;
  }

  reserve(count: number): void {
    this.#reserved += count;
  }

  /** Ends a reservation. `made` is how many things may have been created. */
  settle(reserved: number, made: number): void {
    this.#reserved -= reserved;
    this.#made += made;
  }
}

/**
 * Plans how many images to reserve for how many requests. Returns `wait` while open reservations may leave room later.
 * Throws `NotTested` if too few images are left. A request that must not spend needs no room, but waits for room while
 * other reservations are open.
 */
export function planReservation(
  { cost, times, needsRoom }: { readonly cost: number; readonly times: number; readonly needsRoom: boolean },
  { left, free, most }: Pick<Allowance, 'left' | 'free' | 'most'>,
): { readonly runners: number; readonly images: number } | 'wait' {
  if (!needsRoom) {
    const images = Math.min(cost * times, left);
    return images <= free || free === left ? { runners: times, images } : 'wait';
  }
  const least = Math.min(2, times);
  const within = (images: number) => Math.min(times, mostRunners, cost === 0 ? times : Math.floor(images / cost));
  const [possible, now] = [within(left), within(free)];
  if (possible < least) {
    const missing = { kind: 'setting', setting: 'maxImages' } as const;
    throw new NotTested(`maxImages is ${most}, and this request could exceed it`, [missing]);
  }
  return now < least || now < possible / 2 ? 'wait' : { runners: now, images: cost * now };
}
