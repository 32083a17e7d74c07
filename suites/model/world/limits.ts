import { toolsWithoutSideEffects } from '../../../fixtures/contract/tools.ts';
import { type Completed, type Exchange, isCompleted, type KeyName, retryAfter } from '../../exchange/exchange.ts';
import { keep } from './remember.ts';
import { isValid } from './violations.ts';

const minuteMs = 60_000;

/** Most requests to remember of each key, and of all senders: more than a common limit admits in a minute. */
const mostRemembered = 5000;

type Moment = Pick<Exchange, 'receivedAt' | 'clockMoved'>;

/** What is remembered of an exchange. Bodies may be large, so only a 429 is remembered whole. */
interface Summary extends Pick<Exchange, 'number' | 'receivedAt' | 'clockMoved' | 'together'> {
  readonly tool: string | null;
  /** The rate limit admitted the request. A 5xx does not count, because it shows nothing. */
  readonly isLetThrough: boolean;
  readonly over: Completed | undefined;
}

function summaryOf(exchange: Exchange): Summary {
  const { number, receivedAt, clockMoved, together, request } = exchange;
  const status = exchange.response?.status ?? 500;
  const over = isCompleted(exchange) && isLimited(exchange) ? exchange : undefined;
  const isLetThrough = status !== 429 && status < 500;
  return { number, receivedAt, clockMoved, together, tool: request.tool, isLetThrough, over };
}

const momentOf = ({ receivedAt, clockMoved }: Moment, byClock = true) => receivedAt + (byClock ? clockMoved : 0);

/** Returns how many responses were received in the minute before `at`: by the advanced clock, or in real time. */
function inMinute(responses: readonly Moment[], at: Moment, byClock = true): number {
  const start = momentOf(at, byClock) - minuteMs;
  return responses.filter((response) => momentOf(response, byClock) >= start).length;
}

/** Returns the highest number of responses that were received in any minute, by the advanced clock. */
function mostInMinute(responses: readonly Moment[]): number {
  const moments = responses.map((response) => momentOf(response));
  let [first, most] = [0, 0];
  for (const [index, moment] of moments.entries()) {
    while ((moments[first] ?? moment) < moment - minuteMs) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
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

/** Observed rate limits: how often each key was served, and the responses after a 429. */
export class Limits {
  /** Latest exchanges, in the order of their responses. */
  readonly #latest: Summary[] = [];
  /** Latest responses to requests of each key for tools. */
  readonly #keys = new Map<KeyName | null, Summary[]>();
  readonly #underWay: ReadonlyMap<number, Exchange>;
  /** Keys whose limit follows the clock that the kit advances. */
  readonly #followsClock = new Set<KeyName>();
  /** Keys whose limit refused a request with invalid arguments. */
  readonly #beforeArguments = new Set<KeyName | null>();

  constructor(underWay: ReadonlyMap<number, Exchange>) {
    this.#underWay = underWay;
  }

  add(exchange: Exchange): void {
    const summary = summaryOf(exchange);
    keep(this.#latest, summary, mostRemembered);
    if (!isCompleted(exchange) || !isOfKey(exchange)) return;
    const { role } = exchange.sender;
    if (summary.over === undefined && role !== null) this.#learnClock(role, exchange);
    if (summary.over !== undefined && !isValid(exchange)) this.#beforeArguments.add(role);
    const ofKey = this.#of(role);
    this.#keys.set(role, ofKey);
    keep(ofKey, summary, mostRemembered);
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
    const isEarlier = ({ number }: Pick<Exchange, 'number'>) => number < exchange.number;
    const over = this.#latest.findLast(isEarlier)?.over;
    if (over === undefined || !isOfKey(over) || exchange.together > 1) return undefined;
    if ((over.sender.role === exchange.sender.role) !== ofSameRole) return undefined;
    const isUnderWay = (other: Summary) => isEarlier(other) && other.receivedAt > exchange.sentAt;
    const isAlone = !this.#latest.some(isUnderWay) && ![...this.#underWay.values()].some(isEarlier);
    return isAlone ? over : undefined;
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
  uses({ sender, request: { tool } }: Completed, at: Completed): number {
    return inMinute(
      this.#of(sender.role).filter((response) => response.tool === tool && response.isLetThrough),
      at,
    );
  }

  /**
   * Returns whether a tool was served repeatedly after 429s of another tool, while all reading tools had reached that
   * limit.
   */
  isUncounted(exchange: Completed, over: Completed): boolean {
    const { sender, request } = exchange;
    const responses = this.#of(sender.role);
    if (servedBehind(responses, request.tool) < sightings) return false;
    // What was forgotten of this minute may have used up the limit.
    if (responses.length === mostRemembered && inMinute(responses, exchange) === mostRemembered) return false;
    const limit = this.uses(over, exchange);
    return toolsWithoutSideEffects.every((tool) => {
      const latest = responses.findLast((response) => response.tool === tool);
      return latest && (latest.over || this.uses({ ...exchange, request: { ...request, tool } }, exchange) >= limit);
    });
  }

  /** Returns whether the server checks the limit of this key before it checks the arguments. */
  isBeforeArguments(role: KeyName | null): boolean {
    return this.#beforeArguments.has(role);
  }

  /** Returns whether no limit shared by keys explains this 429: far more was served in an earlier minute. */
  isBelowOthers(exchange: Completed): boolean {
    return [this.#latest, this.#of(exchange.sender.role)].every((responses) => {
      const served = responses.filter(({ isLetThrough }) => isLetThrough);
      const most = mostInMinute(served);
      return most >= telling && 2 * inMinute(served, exchange, this.#followsClock.size > 0) <= most;
    });
  }

  /** Returns the consecutive 429s that were the last responses to a key before a request. */
  #limitedInRow(role: KeyName, { number }: Exchange): Completed[] {
    const responses = this.#of(role);
    const served = responses.findLastIndex((response) => response.number < number && response.over === undefined);
    return responses.slice(served + 1).flatMap(({ over }) => (over !== undefined && over.number < number ? over : []));
  }

  #of(role: KeyName | null): Summary[] {
    return this.#keys.get(role) ?? [];
  }
}

/** Returns how often a tool was served while every other tool was refused, since its own latest 429. */
function servedBehind(responses: readonly Summary[], tool: string | null): number {
  let count = 0;
  let between: Summary[] = [];
  for (const response of responses.filter(({ over, isLetThrough }) => over !== undefined || isLetThrough)) {
    if (response.tool !== tool) {
      between.push(response);
      continue;
    }
    const isBehind = between.length > 0 && between.every(({ over }) => over !== undefined) && response.together === 1;
    if (response.over !== undefined) count = 0;
    else if (isBehind) count += 1;
    between = [];
  }
  return count;
}

const isOfKey = ({ sender, request }: Exchange) => sender.kind === 'key' && request.tool !== null;

/** Returns the milliseconds from a response to a later request: by the advanced clock, or in real time. */
const waitedMs = (one: Exchange, other: Exchange, byClock: boolean): number =>
  other.sentAt - one.receivedAt + (byClock ? other.clockMoved - one.clockMoved : 0);
