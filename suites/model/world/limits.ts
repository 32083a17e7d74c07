import { toolsWithoutSideEffects } from '../../../fixtures/contract/tools.ts';
import {
  type Completed,
  type Exchange,
  isCompleted,
  type KeyName,
  precedes,
  retryAfter,
} from '../../exchange/exchange.ts';
import { isValid } from './violations.ts';

const minuteMs = 60_000;
const mostRemembered = 2000;

/** Returns how many responses were received in the minute before `at`: by the advanced clock, or in real time. */
function inMinute(responses: readonly Exchange[], at: Exchange, byClock = true): number {
  const momentOf = ({ receivedAt, clockMoved }: Exchange) => receivedAt + (byClock ? clockMoved : 0);
  const start = momentOf(at) - minuteMs;
  return responses.filter((response) => momentOf(response) >= start).length;
}

/** A tool that succeeds this often right after another tool's 429 does not share its limit. */
const sightings = 9;

/** Longest time between the sending and the receipt of a 429, even on a busy machine. */
const underWayMs = 2000;

/** A limit that refills faster than this may have refilled in real time. */
export const shortSeconds = 5;

/** After this many served requests per minute, half as many is clearly less. */
const telling = 20;

/** Returns whether a response reports that a key is over its rate limit. */
export const isLimited = ({ response }: Completed) => response.status === 429;
/** Returns whether the rate limit admitted a request. A 5xx does not count, because it shows nothing. */
const isLetThrough = ({ response }: Completed) => response.status !== 429 && response.status < 500;

/** Observed rate limits: how often each key was served, and the responses after a 429. */
export class Limits {
  /** Latest exchanges, in the order of their responses. */
  readonly #latest: Exchange[] = [];
  readonly #underWay: ReadonlyMap<number, Exchange>;
  /** Keys whose limit follows the clock that the kit advances. */
  readonly #followsClock = new Set<KeyName>();

  constructor(underWay: ReadonlyMap<number, Exchange>) {
    this.#underWay = underWay;
  }

  add(exchange: Exchange): void {
    const { role } = exchange.sender;
    const isServed = isCompleted(exchange) && !isLimited(exchange);
    if (isServed && isOfKey(exchange) && role !== null) this.#learnClock(role, exchange);
    this.#latest.push(exchange);
    if (this.#latest.length > mostRemembered) this.#latest.shift();
  }

  /** Records that a limit follows the advanced clock, if a request succeeded although little real time had passed. */
  #learnClock(role: KeyName, exchange: Completed): void {
    const isByClock = (over: Completed): boolean => {
      const seconds = retryAfter(over) ?? 0;
      if (seconds < shortSeconds || waitedMs(over, exchange, false) >= seconds * 500) return false;
      return waitedMs(over, exchange, true) >= seconds * 1000 - underWayMs;
    };
    // Another tool may have its own limit.
    const isOfTool = ({ request }: Completed) => request.tool === exchange.request.tool;
    if (this.#limitedInRow(role, exchange).some((over) => isOfTool(over) && isByClock(over)))
      this.#followsClock.add(role);
  }

  /**
   * Returns the 429 that was the last response before this request, if the request was sent alone. `ofSameRole`: the
   * 429 went to the same role.
   */
  #overBefore(exchange: Completed, ofSameRole: boolean): Completed | undefined {
    const isEarlier = (other: Exchange) => other.number < exchange.number;
    const latest = this.#latest.findLast(isEarlier);
    if (latest === undefined || !isCompleted(latest) || !isLimited(latest) || !isOfKey(latest)) return undefined;
    if (exchange.together > 1 || (latest.sender.role === exchange.sender.role) !== ofSameRole) return undefined;
    const isUnderWay = (other: Exchange) => isEarlier(other) && !precedes(other, exchange);
    const isAlone = !this.#latest.some(isUnderWay) && ![...this.#underWay.values()].some(isEarlier);
    return isAlone ? latest : undefined;
  }

  /** Returns the 429 that was the last response before this request, if its wait cannot be over. */
  stillOverBefore(exchange: Completed, ofSameRole: boolean): Completed | undefined {
    const over = this.#overBefore(exchange, ofSameRole);
    return over && waitedMs(over, exchange, true) < (retryAfter(over) ?? 1) * 1000 ? over : undefined;
  }

  /**
   * Returns the 429 with a `Retry-After` that was the last response before this request, if its wait and the waits of
   * the consecutive 429s before it are over. If two limits apply, each asks for its own wait, rounded up.
   */
  waitedOutBy(exchange: Completed): Completed | undefined {
    const { role } = exchange.sender;
    const over = this.#overBefore(exchange, true);
    const seconds = over && retryAfter(over);
    if (role === null || over === undefined || seconds === undefined) return undefined;
    // A second limit may follow real time, so an advance of the clock does not count for another short wait.
    const byClock = this.#followsClock.has(role) && (!isLimited(exchange) || seconds >= shortSeconds);
    const isOver = (limited: Completed) =>
      waitedMs(limited, exchange, byClock) > ((retryAfter(limited) ?? 0) - 1) * 1000;
    const areOver = this.#limitedInRow(role, exchange).every(isOver);
    return areOver && waitedMs(over, exchange, byClock) >= seconds * 1000 ? over : undefined;
  }

  /** Returns how often a tool served the key in the minute before `at`. */
  uses({ sender, request }: Completed, at: Completed): number {
    const isServed = (other: Completed) => other.request.tool === request.tool && isLetThrough(other);
    return inMinute(this.#of(sender.role).filter(isServed), at);
  }

  /**
   * Returns whether a tool was served repeatedly after 429s of another tool, while all reading tools had reached that
   * limit.
   */
  isUncounted(exchange: Completed, over: Completed): boolean {
    const limit = this.uses(over, exchange);
    const responses = this.#of(exchange.sender.role);
    const isUsedUp = (tool: string): boolean => {
      const latest = responses.findLast(({ request }) => request.tool === tool);
      return latest !== undefined && (isLimited(latest) || this.uses(latest, exchange) >= limit);
    };
    return servedBehind(responses, exchange.request.tool) >= sightings && toolsWithoutSideEffects.every(isUsedUp);
  }

  /** Returns whether the server checks the limit of this key before it checks the arguments. */
  isBeforeArguments(role: KeyName | null): boolean {
    return this.#of(role).some((response) => isLimited(response) && !isValid(response));
  }

  /** Returns whether no limit shared by keys explains this 429: far more was served in an earlier minute. */
  isBelowOthers(exchange: Completed): boolean {
    const all = this.#latest.filter(isCompleted).filter(isLetThrough);
    const own = this.#of(exchange.sender.role).filter(isLetThrough);
    return [all, own].every((served) => {
      const most = Math.max(...served.map((one, index) => inMinute(served.slice(0, index + 1), one)));
      return most >= telling && 2 * inMinute(served, exchange, this.#followsClock.size > 0) <= most;
    });
  }

  /** Returns the consecutive 429s that were the last responses to a key before a request. */
  #limitedInRow(role: KeyName, before: Exchange): Completed[] {
    const isOwn = (other: Exchange): other is Completed =>
      other.number < before.number && other.sender.role === role && isOfKey(other) && isCompleted(other);
    const served = this.#latest.findLastIndex((other) => isOwn(other) && !isLimited(other));
    return this.#latest.slice(served + 1).filter(isOwn);
  }

  /** Returns the latest responses to requests of a key for tools. */
  #of(role: KeyName | null): Completed[] {
    return this.#latest.filter(isCompleted).filter((other) => other.sender.role === role && isOfKey(other));
  }
}

/** Returns how often a tool was served while every other tool was refused, since its own latest 429. */
function servedBehind(responses: readonly Completed[], tool: string | null): number {
  let count = 0;
  let between: Completed[] = [];
  for (const response of responses.filter((one) => isLimited(one) || isLetThrough(one))) {
    if (response.request.tool !== tool) {
      between.push(response);
      continue;
    }
    const isBehind = between.length > 0 && between.every(isLimited) && response.together === 1;
    if (isLimited(response)) count = 0;
    else if (isBehind) count += 1;
    between = [];
  }
  return count;
}

const isOfKey = ({ sender, request }: Exchange) => sender.kind === 'key' && request.tool !== null;

/** Returns the milliseconds from a response to a later request: by the advanced clock, or in real time. */
const waitedMs = (one: Exchange, other: Exchange, byClock: boolean): number =>
  other.sentAt - one.receivedAt + (byClock ? other.clockMoved - one.clockMoved : 0);
