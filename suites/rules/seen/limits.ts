import { toolsWithoutSideEffects } from '../../../fixtures/contract/tools.ts';

import { type Completed, type Exchange, isCompleted, type KeyName } from '../../history/exchange.ts';
import { retryAfter } from '../match/retry-after.ts';
import { Rate } from './rate.ts';

/** How often a tool is served directly behind a 429 of another one before that is no chance. */
const sightings = 9;

const mostTools = 64;

/** A 429 is received this much later at most than it was sent, on a busy machine too. */
const underWayMs = 2000;

/** What refills within fewer seconds may have done so in real time. */
const shortSeconds = 5;

/** So much was served in a minute that half of it is clearly less. */
const telling = 20;

/** What a key did with one tool. */
interface Use {
  readonly served: Rate;
  /** Places in the key's responses at which it was last served, and last refused with 429. */
  lastServed: number;
  lastRefused: number;
  latest: Completed;
  /** How often it was served while every other tool was refused, since it was refused itself. */
  behind: number;
}

interface Before {
  readonly latest: Exchange;
  /** Of the 429s in a row that the key had met, those that told it to wait longest. */
  readonly over: readonly Completed[];
}

const isOver = ({ response }: Completed) => response.status === 429;
/** The limit did not stop it, whatever the key may do; what fails says nothing. */
const isLetThrough = ({ response }: Completed) => response.status !== 429 && response.status < 500;

/** Rate limits as they showed themselves: who was served how often, and what a 429 was followed by. */
export class Limits {
  readonly #uses = new Map<KeyName, Map<string, Use>>();
  readonly #responses = new Map<KeyName, number>();
  readonly #all = new Rate();
  readonly #ofRole = new Map<KeyName, Rate>();
  /** What was there right before an exchange that was sent alone, by its number. */
  readonly #before = new Map<number, Before>();
  readonly #underWay = new Set<number>();
  #latest: Exchange | undefined;
  /** Of the 429s in a row that a key met last, the one of each tool that told it to wait longest. */
  readonly #overInRow = new Map<KeyName, Map<string, Completed>>();
  /** Keys whose limit goes by the clock that is moved. */
  readonly #followClock = new Set<KeyName>();

  begin(exchange: Exchange): void {
    if (this.#underWay.size === 0 && this.#latest !== undefined && exchange.together === 1) {
      const { role } = exchange.sender;
      const over = (role === null ? undefined : this.#overInRow.get(role)) ?? new Map<string, Completed>();
      this.#before.clear();
      this.#before.set(exchange.number, { latest: this.#latest, over: [...over.values()] });
    }
    this.#underWay.add(exchange.number);
  }

  add(exchange: Exchange): void {
    this.#underWay.delete(exchange.number);
    if (isCompleted(exchange)) this.#note(exchange);
    this.#latest = exchange;
  }

  /** The 429 to a key of this role that was the last response before this request, which was sent alone. */
  #overBefore(exchange: Completed, ofSameRole: boolean): Completed | undefined {
    const { latest } = this.#before.get(exchange.number) ?? {};
    if (latest === undefined || !isCompleted(latest) || !isOver(latest) || !isKey(latest)) return undefined;
    return (latest.sender.role === exchange.sender.role) === ofSameRole ? latest : undefined;
  }

  /** The same, where the wait that it asked for cannot be over. */
  stillOverBefore(exchange: Completed, ofSameRole: boolean): Completed | undefined {
    const over = this.#overBefore(exchange, ofSameRole);
    if (over === undefined) return undefined;
    const { real, moved } = elapsed(over, exchange);
    return real + moved < (retryAfter(over) ?? 1) * 1000 ? over : undefined;
  }

  /**
   * The 429 that this request waited out, as long as it said, and with nothing else sent meanwhile. Time by which the
   * clock was moved counts only after `#learnClock` has seen that the limit of the key goes by that clock. Where the
   * request is refused again after a short wait, it does not count: a second limit may go by real time.
   */
  waitedOutBy(exchange: Completed): Completed | undefined {
    const over = this.#overBefore(exchange, true);
    const seconds = over && retryAfter(over);
    if (over === undefined || seconds === undefined) return undefined;
    const { role } = exchange.sender;
    const followsClock = role !== null && this.#followClock.has(role);
    const countsMoved = followsClock && (!isOver(exchange) || seconds >= shortSeconds);
    const passed = (since: Completed) => {
      const { real, moved } = elapsed(since, exchange);
      return real + (countsMoved ? moved : 0);
    };
    // Of two limits, each asks for its own wait, rounded up.
    const { over: all = [] } = this.#before.get(exchange.number) ?? {};
    const areOver = all.every((each) => passed(each) > ((retryAfter(each) ?? 0) - 1) * 1000);
    return passed(over) >= seconds * 1000 && areOver ? over : undefined;
  }

  /** How often the key was served by a tool in the minute before. */
  uses({ sender, request }: Completed, at: Completed): number {
    return this.#useOf(sender.role, request.tool)?.served.inMinute(at, true) ?? 0;
  }

  /** Served again and again behind 429s of another tool, when all that read are used up to that limit. */
  isUncounted(exchange: Completed, over: Completed): boolean {
    const limit = this.uses(over, exchange);
    const usedUp = (tool: string) => {
      const use = this.#useOf(exchange.sender.role, tool);
      return use !== undefined && (isOver(use.latest) || use.served.inMinute(exchange, true) >= limit);
    };
    const behind = this.#useOf(exchange.sender.role, exchange.request.tool)?.behind ?? 0;
    return behind >= sightings && toolsWithoutSideEffects.every(usedUp);
  }

  /** No limit that keys share explains this 429: far more was served in a minute before than in this one. */
  isBelowOthers(exchange: Completed): boolean {
    const role = exchange.sender.role;
    const rates = [this.#all, ...(role === null ? [] : [this.#ofRole.get(role) ?? new Rate()])];
    return rates.every(
      (rate) => rate.most >= telling && 2 * rate.inMinute(exchange, this.#followClock.size > 0) <= rate.most,
    );
  }

  #note(exchange: Completed): void {
    const { role } = exchange.sender;
    if (isLetThrough(exchange)) this.#all.add(exchange);
    if (!isKey(exchange) || role === null || exchange.request.tool === null) return;
    if (isLetThrough(exchange)) {
      const rate = this.#ofRole.get(role) ?? new Rate();
      this.#ofRole.set(role, rate);
      rate.add(exchange);
    }
    const { tool } = exchange.request;
    const overs = this.#overInRow.get(role) ?? new Map<string, Completed>();
    const over = overs.get(tool);
    if (isOver(exchange)) {
      const isLonger = over === undefined || (retryAfter(exchange) ?? 0) > (retryAfter(over) ?? 0);
      if (isLonger && (overs.size < mostTools || over !== undefined)) overs.set(tool, exchange);
      this.#overInRow.set(role, overs);
    } else {
      // Another tool may have a limit of its own.
      if (over !== undefined) this.#learnClock(role, over, exchange);
      this.#overInRow.delete(role);
    }
    this.#noteUse(role, tool, exchange);
  }

  /** Served although the time to wait passed by the moved clock alone: the limit goes by that clock. */
  #learnClock(role: KeyName, over: Completed, exchange: Completed): void {
    const { real, moved } = elapsed(over, exchange);
    const seconds = retryAfter(over) ?? 0;
    if (seconds < shortSeconds || real >= seconds * 500) return;
    if (real + moved >= seconds * 1000 - underWayMs) this.#followClock.add(role);
  }

  #noteUse(role: KeyName, tool: string, exchange: Completed): void {
    const uses = this.#uses.get(role) ?? new Map<string, Use>();
    this.#uses.set(role, uses);
    const place = (this.#responses.get(role) ?? 0) + 1;
    this.#responses.set(role, place);
    const use = uses.get(tool) ?? { served: new Rate(), lastServed: 0, lastRefused: 0, latest: exchange, behind: 0 };
    if (uses.size >= mostTools && !uses.has(tool)) return;
    uses.set(tool, use);
    const before = Math.max(use.lastServed, use.lastRefused);
    const others = [...uses.values()].filter((each) => each !== use);
    use.latest = exchange;
    if (isOver(exchange)) {
      use.lastRefused = place;
      use.behind = 0;
    } else if (isLetThrough(exchange)) {
      use.lastServed = place;
      use.served.add(exchange);
      const refused = others.some((each) => each.lastRefused > before);
      if (refused && others.every((each) => each.lastServed < before) && exchange.together === 1) use.behind += 1;
    }
  }

  #useOf(role: KeyName | null, tool: string | null): Use | undefined {
    return role === null || tool === null ? undefined : this.#uses.get(role)?.get(tool);
  }
}

const isKey = ({ sender }: Exchange) => sender.kind === 'key';

/** Milliseconds from the response to one until the other was sent: that passed, and by which the clock was moved. */
function elapsed(one: Exchange, other: Exchange): { real: number; moved: number } {
  return { real: other.sentAt - one.receivedAt, moved: other.clockMoved - one.clockMoved };
}
