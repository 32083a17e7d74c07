import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { type Answered, body, type Credential, type Exchange, type SentRequest } from '../exchange.ts';
import { Allowance } from './allowance.ts';
import { BalanceWatch } from './balance-watch.ts';
import { type Budget, NotTested } from './budget.ts';
import { ConfirmationIds, type IssuedId, isPlainConfirmation, presentationOf, type Time } from './confirmation-ids.ts';
import {
  argumentsOf,
  declinedForCredits,
  imagesIn,
  imagesOf,
  isAnswered,
  reachesImages,
  refusalCode,
  saysDispatched,
} from './image-requests.ts';

/** The most simultaneous requests that present one id: each of them may run. */
export const mostRunners = 4;

/**
 * How many open ids in a row may be refused before the run confirms nothing more. Where the deployment has a clock that
 * can be moved, somebody else may have moved it and ended the life of some.
 */
const refusalsInARow = { withoutClock: 1, withClock: 3 };

/** A confirmation was answered with 429. It counts as spent, and only a fresh id is presented. */
export class Throttled extends NotTested {
  override readonly name: string = 'Throttled';

  constructor() {
    super('a confirmation got a 429: the run does not send the same id again');
  }
}

/** What a request is about to do. */
interface Intent {
  request: SentRequest;
  by: Credential;
  /** How many are sent at one moment. */
  times: number;
  /** Milliseconds since the start of the run. */
  elapsedMs: () => number;
}

/** What is set aside for a request, or for several at once that present one id. */
export interface Reservation {
  /** How many requests may be sent. */
  runners: number;
  /** Images that one of them may cost. */
  worst: number;
  way: 'proposal' | 'wrong' | 'correct' | 'counted';
  /** The id that it presents correctly. */
  issued: IssuedId | undefined;
  /** By the specification it dispatches. */
  plain: boolean;
}

/** What became of a reservation, for the list of what the run left behind. */
export interface Settled {
  /** The most images that a response of it may claim. */
  most: number;
  /** It was a correct presentation, so that what its response claims counts as confirmed. */
  confirmed: boolean;
}

/**
 * Watches every request that may spend, whoever sends it: sets aside what it may cost at worst before it is sent, and
 * counts a correct presentation in full, whatever is answered or not. Stops at the first sign that a request spends
 * which must not.
 */
export class Spending {
  readonly images: Allowance;
  readonly balances = new BalanceWatch((seen) => this.stop(seen));
  /** Images of the proposals that the run confirmed: what was asked for. */
  requested = 0;
  /** The proposal that was confirmed last just as it was made, and dispatched. */
  dispatched: Pick<IssuedId, 'id' | 'args'> | undefined;
  readonly #budget: Budget;
  readonly #refusals: number;
  readonly #ids = new ConfirmationIds();
  #movedMs = 0;
  #waitedMs = 0;
  #refusedInARow = 0;
  #stopped: string | undefined;

  /** @param signal aborts when the run ends */
  constructor(budget: Budget, maxImages: number, hasClock: boolean, signal?: AbortSignal) {
    this.#budget = budget;
    this.images = new Allowance(maxImages, signal);
    this.#refusals = hasClock ? refusalsInARow.withClock : refusalsInARow.withoutClock;
  }

  /** The clock of the deployment was moved. */
  moved(seconds: number): void {
    this.#movedMs += seconds * 1000;
  }

  /** Time was let pass. */
  waited(seconds: number): void {
    this.#waitedMs += seconds * 1000;
  }

  #time(elapsedMs: number): Time {
    return { nowMs: elapsedMs + this.#movedMs, passedMs: this.#waitedMs + this.#movedMs };
  }

  /**
   * Sets images aside for a request, or for as many requests at once as what is left allows, while `use` sends them.
   * Then counts what the requests in `sent` may have cost. A request that cannot spend gets no reservation. Throws
   * `NotTested` if the request is not allowed, too little is left, or spending has stopped.
   */
  async using<T>(
    { request, by, times, elapsedMs }: Intent,
    sent: readonly Exchange[],
    use: (reservation: Reservation | undefined) => Promise<T>,
    onSettled: (settled: Settled | undefined) => void,
  ): Promise<T> {
    if (!by.good || !reachesImages(request)) return await use(undefined).finally(() => onSettled(undefined));
    const look = () => this.#look(request, by, this.#time(elapsedMs()));
    let seen = look();
    let runners = times;
    const wanted = (left: number, free: number) => {
      seen = look();
      this.#require(seen);
      const { way } = seen;
      const worst = toSetAside(seen);
      if (way === 'proposal') {
        runners = times;
        // It must not spend: so it waits for room, and needs none where nothing else is under way.
        const some = Math.min(worst * times, left);
        return some <= free || free === left ? some : 'wait';
      }
      runners = Math.min(times, mostRunners, worst === 0 ? times : Math.floor(left / worst));
      if (runners < Math.min(2, times)) throw tooMany(this.images.most);
      const now = worst === 0 ? runners : Math.min(runners, Math.floor(free / worst));
      if (now < Math.min(2, times) || now < runners / 2) return 'wait';
      runners = now;
      return worst * runners;
    };
    let reservation: Reservation | undefined;
    const send = async () => {
      const { issued, way, worst, plain } = seen;
      if (way === 'correct' && issued !== undefined) issued.open -= 1;
      this.balances.begun(mayCost(way));
      reservation = { runners, worst, way, issued, plain };
      return await use(reservation);
    };
    const made = () => {
      if (reservation === undefined) return 0;
      const images = spentBy(reservation, sent);
      onSettled(this.#settle(reservation, sent));
      return images;
    };
    return await this.images.using(wanted, send, made);
  }

  /** To be asked again right before a request is sent: something may have stopped it while it waited. */
  require(reservation: Reservation | undefined): void {
    if (reservation !== undefined) this.#require(reservation);
  }

  #require({ way }: Pick<Reservation, 'way'>): void {
    if (way !== 'proposal') this.balances.beforePresenting();
    this.#budget.require('proposals');
    if (way !== 'correct' && way !== 'counted') return;
    this.#budget.require('spending');
    if (this.#stopped !== undefined) throw new NotTested(this.#stopped);
  }

  #look(request: SentRequest, by: Credential, time: Time): Omit<Reservation, 'runners'> {
    const args = argumentsOf(request);
    const asked = imagesIn(args.count);
    const { confirmation_id: id } = args;
    const issued = this.#ids.get(id);
    if (issued !== undefined) {
      const way = presentationOf(issued, args, by, time);
      const plain = way === 'correct' && isPlainConfirmation(issued, args, by, time);
      return { way, issued, plain, worst: Math.max(asked, issued.images) };
    }
    const near = [...this.#ids.within(request), ...(typeof id === 'string' ? this.#ids.resembling(id) : [])];
    // Whatever stands for an id must be refused, a number or a list too.
    const way = near.length > 0 || (id ?? '') !== '' ? 'wrong' : 'proposal';
    return { way, issued: undefined, plain: false, worst: Math.max(asked, ...near.map(({ images }) => images)) };
  }

  /** Notes what the responses to the sent requests say. */
  #settle(reservation: Reservation, sent: readonly Exchange[]): Settled {
    const { way, worst, issued } = reservation;
    const dispatched = sent.filter(saysDispatched);
    const surprising = way === 'proposal' || way === 'wrong';
    const allowed = surprising || issued?.dispatched === true ? 0 : 1;
    if (issued !== undefined && sent.length > 0 && !surprising) issued.counted = Math.max(issued.counted, worst);
    this.balances.ended(mayCost(way));
    for (const exchange of sent.filter(isAnswered)) this.#noteIssued(exchange);
    if (way === 'correct' && sent.length === 0 && issued !== undefined) {
      issued.open += 1;
    } else if (way === 'correct') {
      this.requested += issued?.asked ?? 0;
    }
    if (issued !== undefined && dispatched.length > 0) {
      issued.dispatched = true;
      if (reservation.plain) this.dispatched = issued;
    }
    if (dispatched.length > allowed) this.stop(inWords[way]);
    if (reservation.plain && sent.length > 0) this.#noteConfirmation(sent, dispatched.length > 0);
    return { most: worst, confirmed: !surprising };
  }

  #noteIssued(exchange: Answered): void {
    const { confirmation_id: id, count } = body(exchange);
    const args = argumentsOf(exchange.request);
    if (typeof id !== 'string' || id === '' || id === args.confirmation_id) return;
    const asked = imagesIn(args.count);
    this.#ids.issued({
      id,
      credential: exchange.credential,
      args,
      images: Math.max(asked, imagesOf(count) ?? 1),
      asked,
      issuedAt: this.#time(exchange.atMs + exchange.durationMs),
    });
  }

  #noteConfirmation(sent: readonly Exchange[], dispatched: boolean): void {
    if (dispatched) this.#refusedInARow = 0;
    const [code, ...others] = sent.map(refusalCode);
    if (code === undefined || others.includes(undefined) || sent.some((each) => declinedForCredits(each))) return;
    this.#refusedInARow += 1;
    if (this.#refusedInARow < this.#refusals && code === refusalCodes.confirmationInvalid) return;
    this.#stopped ??= `spending has stopped: the deployment refused an open confirmation id (${code})`;
    this.#budget.note(this.#stopped);
    this.images.wake();
  }

  /** Ends all spending of the run, proposals included. */
  stop(seen: string): void {
    this.#budget.stop(['proposals', 'spending'], `spending has stopped: ${seen}`);
    this.images.wake();
  }
}

/** What a presentation is to the balance: one that must be refused costs as little as a proposal. */
const mayCost = (way: Reservation['way']) => (way === 'proposal' || way === 'wrong' ? 'free' : 'confirmations');

/** Images that one request may cost beyond what counts already. */
function toSetAside({ way, worst, issued }: Pick<Reservation, 'way' | 'worst' | 'issued'>): number {
  return way === 'counted' ? Math.max(0, worst - (issued?.counted ?? 0)) : worst;
}

/** Images that requests may have cost, which are those that they are not known not to have cost. */
function spentBy(reservation: Reservation, sent: readonly Exchange[]): number {
  const { way, worst } = reservation;
  const dispatched = sent.filter(saysDispatched).length;
  if (way === 'proposal') return dispatched * worst;
  // What must be refused cost nothing where it was: whatever else is answered, or nothing at all, does not say so.
  if (way === 'wrong') return sent.filter((each) => !saysNothingRan(each)).length * worst;
  // Where one of several says that it ran, the refusals of the others are what the specification wants.
  const refused = dispatched === 0 ? 0 : sent.filter((each) => refusalCode(each) !== undefined).length;
  return (sent.length - refused) * toSetAside(reservation);
}

/** A whole response which refuses, or proposes where the arguments had no id. */
function saysNothingRan(exchange: Exchange): boolean {
  if (!isAnswered(exchange) || exchange.answer.unread !== undefined) return false;
  const { confirmation_id: presented } = argumentsOf(exchange.request);
  const proposes = body(exchange).status === 'confirmation_required' && !saysDispatched(exchange);
  return refusalCode(exchange) !== undefined || (proposes && (presented ?? '') === '');
}

const inWords: Readonly<Record<Reservation['way'], string>> = {
  proposal: 'a request without a confirmation id got the status dispatched',
  wrong: 'a confirmation id that must be refused got the status dispatched',
  correct: 'a confirmation id got the status dispatched more than once',
  counted: 'a confirmation id got the status dispatched more than once',
};

function tooMany(most: number): NotTested {
  const missing = { kind: 'setting', setting: 'maxImages' } as const;
  return new NotTested(`maxImages is ${most}, and this confirmation could exceed it`, [missing]);
}
