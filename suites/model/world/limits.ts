import { toolsWithoutSideEffects } from '../../../fixtures/contract/tools.ts';
import { type Completed, type Exchange, isCompleted, type KeyName, retryAfter } from '../../exchange/exchange.ts';
import { isValid } from './violations.ts';

const minuteMs = 60_000;
const mostRemembered = 5000;

/** Age in real time after which an entry is outside every minute that a rule asks for. */
const oldMs = 2 * minuteMs;

/** Counts served requests per minute. */
export class Rate {
  #times: { readonly real: number; readonly moved: number }[] = [];
  /** Highest count in any minute, by the deployment's clock. */
  most = 0;

  add(exchange: Exchange): void {
    this.#times.push({ real: exchange.receivedAt, moved: exchange.clockMoved });
    const half = this.#times.length >> 1;
    const isOld = exchange.receivedAt - (this.#times[half]?.real ?? 0) > oldMs;
    if (isOld || this.#times.length > 2 * mostRemembered) this.#times = this.#times.slice(half);
    this.most = Math.max(this.most, this.inMinute(exchange, true));
  }

  /** Returns the count in the minute before, by the deployment's clock or in real time. */
  inMinute({ receivedAt, clockMoved }: Exchange, byClock: boolean): number {
    const now = receivedAt + (byClock ? clockMoved : 0);
    const isBefore = (index: number): boolean => {
      const time = this.#times[index];
      return time === undefined || now - time.real - (byClock ? time.moved : 0) > minuteMs;
    };
    // Binary search, because the times are sorted.
    let [low, high] = [0, this.#times.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(middle)) low = middle + 1;
      else high = middle;
    }
    // Limited to the entries that are certainly complete, because older ones may have been dropped.
    return Math.min(this.#times.length - low, mostRemembered);
  }
}

/** A tool that succeeds this often right after another tool's 429 does not share its limit. */
const sightings = 9;

const mostTools = 64;

/** Longest time between the sending and the receipt of a 429, even on a busy machine. */
const underWayMs = 2000;

/** A limit that refills faster than this may have refilled in real time. */
export const shortSeconds = 5;

/** After this many served requests per minute, half as many is clearly less. */
const telling = 20;

/** Use of one tool by one key. */
interface Use {
  readonly served: Rate;
  /** Positions of the latest served response and the latest 429 among the responses to the key. */
  lastServed: number;
  lastRefused: number;
  latest: Completed;
  /** How often the tool was served while every other tool was refused, since its own latest 429. */
  behind: number;
}

/** Responses to one key. */
class KeyResponses {
  count = 0;
  readonly served = new Rate();
  readonly uses = new Map<string, Use>();
  /** Latest consecutive 429s: the one with the longest wait per tool. */
  readonly overInRow = new Map<string, Completed>();
  /** The limit follows the clock that the kit advances. */
  followsClock = false;
  /** The limit refused a request with invalid arguments. */
  isBeforeArguments = false;
}

/** State right before a request that was sent alone. */
interface Before {
  readonly number: number;
  readonly latest: Exchange;
  /** The consecutive 429s for the key: the one with the longest wait per tool. */
  readonly over: readonly Completed[];
}

/** Returns whether a response reports that a key is over its rate limit. */
export const isLimited = ({ response }: Completed) => response.status === 429;
/** Returns whether the rate limit admitted a request. A 5xx does not count, because it shows nothing. */
const isLetThrough = ({ response }: Completed) => response.status !== 429 && response.status < 500;

/** Observed rate limits: how often each key was served, and the responses after a 429. */
export class Limits {
  readonly #keys = new Map<KeyName, KeyResponses>();
  readonly #all = new Rate();
  /** The limit of any key follows the clock. */
  #anyFollowsClock = false;
  #before: Before | undefined;
  readonly #underWay: ReadonlyMap<number, Exchange>;
  #latest: Exchange | undefined;

  constructor(underWay: ReadonlyMap<number, Exchange>) {
    this.#underWay = underWay;
  }

  /** Records a pending request, before it is under way. */
  begin(exchange: Exchange): void {
    if (this.#underWay.size === 0 && this.#latest !== undefined && exchange.together === 1) {
      const over = this.#key(exchange.sender.role)?.overInRow.values() ?? [];
      this.#before = { number: exchange.number, latest: this.#latest, over: [...over] };
    }
  }

  add(exchange: Exchange): void {
    if (isCompleted(exchange)) this.#note(exchange);
    this.#latest = exchange;
  }

  /**
   * Returns the 429 that was the last response before this request, if the request was sent alone. `ofSameRole`: the
   * 429 went to the same role.
   */
  #overBefore({ number, sender }: Completed, ofSameRole: boolean): Completed | undefined {
    const latest = this.#before?.number === number ? this.#before.latest : undefined;
    if (latest === undefined || !isCompleted(latest) || !isLimited(latest) || !isKey(latest)) return undefined;
    return (latest.sender.role === sender.role) === ofSameRole ? latest : undefined;
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
    const over = this.#overBefore(exchange, true);
    const seconds = over && retryAfter(over);
    if (over === undefined || seconds === undefined) return undefined;
    const followsClock = this.#key(exchange.sender.role)?.followsClock === true;
    // A second limit may follow real time, so an advance of the clock does not count for another short wait.
    const byClock = followsClock && (!isLimited(exchange) || seconds >= shortSeconds);
    const isOver = (limited: Completed) =>
      waitedMs(limited, exchange, byClock) > ((retryAfter(limited) ?? 0) - 1) * 1000;
    const areOver = this.#before?.over.every(isOver) === true;
    return areOver && waitedMs(over, exchange, byClock) >= seconds * 1000 ? over : undefined;
  }

  /** Returns how often a tool served the key in the minute before `at`. */
  uses({ sender, request }: Completed, at: Completed): number {
    return this.#useOf(sender.role, request.tool)?.served.inMinute(at, true) ?? 0;
  }

  /**
   * Returns whether a tool was served repeatedly after 429s of another tool, while all reading tools had reached that
   * limit.
   */
  isUncounted(exchange: Completed, over: Completed): boolean {
    const limit = this.uses(over, exchange);
    const usedUp = (tool: string) => {
      const use = this.#useOf(exchange.sender.role, tool);
      return use !== undefined && (isLimited(use.latest) || use.served.inMinute(exchange, true) >= limit);
    };
    const behind = this.#useOf(exchange.sender.role, exchange.request.tool)?.behind ?? 0;
    return behind >= sightings && toolsWithoutSideEffects.every(usedUp);
  }

  /** Returns whether the server checks the limit of this key before it checks the arguments. */
  isBeforeArguments(role: KeyName | null): boolean {
    return this.#key(role)?.isBeforeArguments === true;
  }

  /** Returns whether no limit shared by keys explains this 429: far more was served in an earlier minute. */
  isBelowOthers(exchange: Completed): boolean {
    const { role } = exchange.sender;
    const rates = [this.#all, ...(role === null ? [] : [this.#key(role)?.served ?? new Rate()])];
    return rates.every(
      (rate) => rate.most >= telling && 2 * rate.inMinute(exchange, this.#anyFollowsClock) <= rate.most,
    );
  }

  #note(exchange: Completed): void {
    const { role } = exchange.sender;
    if (isLetThrough(exchange)) this.#all.add(exchange);
    if (!isKey(exchange) || role === null || exchange.request.tool === null) return;
    const key = this.#keys.get(role) ?? new KeyResponses();
    this.#keys.set(role, key);
    if (isLetThrough(exchange)) key.served.add(exchange);
    const { tool } = exchange.request;
    const over = key.overInRow.get(tool);
    if (isLimited(exchange)) {
      if (!isValid(exchange)) key.isBeforeArguments = true;
      const isLonger = over === undefined || (retryAfter(exchange) ?? 0) > (retryAfter(over) ?? 0);
      if (isLonger && (key.overInRow.size < mostTools || over !== undefined)) key.overInRow.set(tool, exchange);
    } else {
      // Another tool may have its own limit.
      if (over !== undefined) this.#learnClock(key, over, exchange);
      key.overInRow.clear();
    }
    noteUse(key, tool, exchange);
  }

  /** Records that a limit follows the advanced clock, if a request succeeded although little real time had passed. */
  #learnClock(key: KeyResponses, over: Completed, exchange: Completed): void {
    const seconds = retryAfter(over) ?? 0;
    if (seconds < shortSeconds || waitedMs(over, exchange, false) >= seconds * 500) return;
    if (waitedMs(over, exchange, true) >= seconds * 1000 - underWayMs) key.followsClock = this.#anyFollowsClock = true;
  }

  #key(role: KeyName | null): KeyResponses | undefined {
    return role === null ? undefined : this.#keys.get(role);
  }

  #useOf(role: KeyName | null, tool: string | null): Use | undefined {
    return tool === null ? undefined : this.#key(role)?.uses.get(tool);
  }
}

function noteUse(key: KeyResponses, tool: string, exchange: Completed): void {
  const { uses } = key;
  const place = ++key.count;
  const use = uses.get(tool) ?? { served: new Rate(), lastServed: 0, lastRefused: 0, latest: exchange, behind: 0 };
  if (uses.size >= mostTools && !uses.has(tool)) return;
  uses.set(tool, use);
  const before = Math.max(use.lastServed, use.lastRefused);
  const others = [...uses.values()].filter((other) => other !== use);
  use.latest = exchange;
  if (isLimited(exchange)) {
    use.lastRefused = place;
    use.behind = 0;
  } else if (isLetThrough(exchange)) {
    use.lastServed = place;
    use.served.add(exchange);
    const refused = others.some((other) => other.lastRefused > before);
    if (refused && others.every((other) => other.lastServed < before) && exchange.together === 1) use.behind += 1;
  }
}

const isKey = ({ sender }: Exchange) => sender.kind === 'key';

/** Returns the milliseconds from a response to a later request: by the advanced clock, or in real time. */
const waitedMs = (one: Exchange, other: Exchange, byClock: boolean): number =>
  other.sentAt - one.receivedAt + (byClock ? other.clockMoved - one.clockMoved : 0);
