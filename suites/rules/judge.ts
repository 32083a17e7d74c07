import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { type Completed, type Exchange, isCompleted } from '../history/exchange.ts';
import type { History, HistoryEvent, Knowledge } from '../history/history.ts';
import { brief } from '../json.ts';
import { type Finding, timesToCount } from './finding.ts';
import { declinedWith } from './match/declined.ts';
import type { AnyRule, ClientRule, Rule } from './rule.ts';
import { Seen } from './seen/seen.ts';

/** What a rule said of a history. */
export interface Judgement<R extends AnyRule = Rule> {
  readonly id: R['id'];
  /** How often it applied with a twin that succeeded. */
  readonly tested: number;
  readonly findings: readonly Finding[];
  /** Findings that are not certain without repeating their exchanges. */
  readonly suspicions: readonly Finding[];
  /** The requirement that promises the twin, where only its failure kept the rule from being tested. */
  readonly deniedBy?: RequirementId;
  /** How the service declined by its own rule, where only that kept the rule from being tested. */
  readonly declined?: string;
  /** A fault of the rule itself, with the exchange that it met. */
  readonly broke?: { readonly reason: string; readonly exchange: Exchange };
}

/** Applications of a rule that wait for their twin, and no more of them than this. */
const mostWaiting = 200;

/** Judges a history as it grows, by every rule. Tell it of each exchange when it is sent, and when it is received. */
export class Judge<R extends AnyRule = Rule> {
  #seen: Seen;
  readonly #dockets: readonly Docket<R>[];

  constructor(rules: readonly R[], knowledge: Knowledge) {
    this.#seen = new Seen(knowledge);
    this.#dockets = rules.map((each) => new Docket(each));
  }

  begin(exchange: Exchange): void {
    this.#seen.begin(exchange);
  }

  see(exchange: Exchange): void {
    this.#seen.add(exchange);
    for (const docket of this.#dockets) docket.enter(exchange, this.#seen);
  }

  note(event: HistoryEvent): void {
    this.#seen.note(event);
  }

  /** Ends one history and begins another of the same client. */
  next(knowledge: Knowledge): void {
    for (const docket of this.#dockets) docket.end(this.#seen);
    this.#seen = this.#seen.next(knowledge);
  }

  /** What the rules say of all that was seen, one judgement a rule. */
  judgements(): Judgement<R>[] {
    return this.#dockets.map((docket) => docket.close(this.#seen));
  }
}

/** Judges a whole history. */
export function judge<R extends AnyRule = Rule>(rules: readonly R[], history: History): Judgement<R>[] {
  return judgeAll(rules, [history]);
}

/** Judges several histories of one client, in order. */
export function judgeAll<R extends AnyRule>(rules: readonly R[], histories: readonly History[]): Judgement<R>[] {
  const [first, ...others] = histories;
  if (first === undefined) return [];
  const it = new Judge(rules, first.knowledge);
  feed(it, first.exchanges, first.events);
  for (const { knowledge, exchanges, events } of others) {
    it.next(knowledge);
    feed(it, exchanges, events);
  }
  return it.judgements();
}

/** Tells a judge of exchanges in the order in which their requests were sent and their responses received. */
export function feed(
  it: Pick<Judge, 'begin' | 'see' | 'note'>,
  exchanges: readonly Exchange[],
  events: readonly HistoryEvent[] = [],
): void {
  const moments = [
    // What happened at the same time as a request is known before it; rules compare the numbers.
    ...events.map((event) => ({ at: event.at, turn: () => it.note(event) })),
    ...exchanges.flatMap((exchange) => [
      { at: exchange.sentAt, turn: () => it.begin(exchange) },
      { at: exchange.receivedAt, turn: () => it.see(exchange) },
    ]),
  ];
  for (const { turn } of moments.sort((a, b) => a.at - b.at)) turn();
}

interface Waiting {
  readonly exchange: Completed;
  readonly finding: Finding | undefined;
}

/** A response that says something about the requirement at hand: a 429 or a 5xx says nothing about it. */
function isOrdinary({ odd, request, response }: Completed): boolean {
  return !odd && (request.unread ?? response.unread) === undefined && response.status !== 429 && response.status < 500;
}

/** One rule with what it has said so far. */
class Docket<R extends AnyRule> {
  readonly #rule: R;
  readonly #findings: Finding[] = [];
  readonly #suspicions: Finding[] = [];
  readonly #shaky: Finding[] = [];
  #waiting: Waiting[] = [];
  #tested = 0;
  #declined: string | undefined;
  #broke: Judgement['broke'];

  constructor(rule: R) {
    this.#rule = rule;
  }

  enter(exchange: Exchange, seen: Seen): void {
    const rule: AnyRule = this.#rule;
    try {
      if ('judges' in rule) this.#enterRequest(rule, exchange, seen);
      else if (isCompleted(exchange)) this.#enterResponse(rule, exchange, seen);
    } catch (error) {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#broke ??= { reason: `the rule ${rule.id} broke: ${reason}`, exchange };
    }
  }

  #enterRequest(rule: ClientRule, exchange: Exchange, seen: Seen): void {
    if (rule.applies(exchange, seen)) this.#settle(rule.expect(exchange, seen));
  }

  #enterResponse(rule: Rule, exchange: Completed, seen: Seen): void {
    if (rule.everyResponse !== true && !isOrdinary(exchange)) return;
    if (!rule.applies(exchange, seen)) return;
    const code = rule.mayDecline?.(exchange) === true ? declinedWith(exchange) : undefined;
    if (code !== undefined) {
      this.#declined ??= `${exchange.request.tool} declined with code ${brief(code)}`;
      return;
    }
    const finding = rule.expect(exchange, seen);
    if (rule.twin?.(exchange, seen).succeeded ?? true) this.#settle(finding);
    else if (this.#waiting.length < mostWaiting) this.#waiting.push({ exchange, finding });
  }

  /** Settles what waited for the end of a history. */
  end(seen: Seen): void {
    this.#settleWaiting(seen);
    const shown = this.#atEnd(seen);
    if (shown !== undefined) this.#settle(shown.finding);
  }

  close(seen: Seen): Judgement<R> {
    const deniedBy = this.#settleWaiting(seen);
    const shown = this.#atEnd(seen);
    const shaky = this.#shaky.length >= timesToCount && !this.#isDisturbed(seen) ? this.#shaky : [];
    const tested = this.#tested + shaky.length + (shown === undefined ? 0 : 1);
    return {
      id: this.#rule.id,
      tested,
      findings: [...this.#findings, ...shaky, ...(shown?.finding === undefined ? [] : [shown.finding])],
      suspicions: this.#suspicions,
      ...(tested > 0 || deniedBy === undefined ? {} : { deniedBy }),
      ...(tested > 0 || this.#declined === undefined ? {} : { declined: this.#declined }),
      ...(this.#broke === undefined ? {} : { broke: this.#broke }),
    };
  }

  #atEnd(seen: Seen): ReturnType<NonNullable<ClientRule['atEnd']>> {
    const rule: AnyRule = this.#rule;
    return 'judges' in rule ? rule.atEnd?.(seen) : undefined;
  }

  #isDisturbed(seen: Seen): boolean {
    const rule: AnyRule = this.#rule;
    return !('judges' in rule) && rule.disturbed?.(seen) === true;
  }

  /** Settles applications whose twin has succeeded by now. Returns the requirement that denies the others. */
  #settleWaiting(seen: Seen): RequirementId | undefined {
    const rule: AnyRule = this.#rule;
    if ('judges' in rule) return undefined;
    let deniedBy: RequirementId | undefined;
    this.#waiting = this.#waiting.filter(({ exchange, finding }) => {
      const twin = rule.twin?.(exchange, seen);
      if (twin?.succeeded === false) {
        deniedBy ??= twin.promisedBy;
        return true;
      }
      this.#settle(finding);
      return false;
    });
    return deniedBy;
  }

  #settle(finding: Finding | undefined): void {
    if (finding?.shaky === true) {
      this.#shaky.push(finding);
      return;
    }
    this.#tested += 1;
    if (finding === undefined) return;
    (finding.uncertain === undefined ? this.#findings : this.#suspicions).push(finding);
  }
}
