import type { Exchange } from '../history/exchange.ts';
import type { History, HistoryEvent, Knowledge } from '../history/history.ts';
import { Docket, type Judgement, type OnFinding } from './docket.ts';
import { doubting, type Fact } from './doubts.ts';
import type { AnyRule, Rule } from './rule.ts';
import { type Earlier, nothingEarlier } from './seen/client-memory.ts';
import { issuedId } from './seen/ids.ts';
import { Seen } from './seen/seen.ts';
import { tellingOf } from './telling.ts';

/** Judges a history as it grows, by every rule. Tell it of each exchange when it is sent, and when it is received. */
export class Judge<R extends AnyRule = Rule> {
  #seen: Seen;
  #doubts: Set<Fact>;
  readonly #dockets: readonly Docket<R>[];

  /** @param onFinding is told of each finding as it becomes certain. */
  constructor(rules: readonly R[], knowledge: Knowledge, onFinding?: OnFinding<R>, earlier?: Earlier) {
    const known = doubting(knowledge);
    this.#doubts = known.doubts;
    this.#seen = new Seen(
      known,
      rules.some((each) => 'judges' in each),
      earlier,
    );
    this.#dockets = rules.map((each) => new Docket(each, onFinding));
  }

  begin(exchange: Exchange): void {
    this.#seen.begin(exchange);
  }

  see(exchange: Exchange): void {
    this.#seen.add(exchange);
    const telling = tellingOf(exchange, this.#seen.knowledge);
    for (const docket of this.#dockets) docket.enter(exchange, this.#seen, telling, this.#doubts);
  }

  note(event: HistoryEvent): void {
    this.#seen.note(event);
  }

  /** Ends a history: what waited for a twin to succeed is settled for good, and reported as it becomes certain. */
  end(): void {
    for (const docket of this.#dockets) docket.end(this.#seen);
  }

  /** Ends one history and begins another of the same client. */
  next(knowledge: Knowledge): void {
    this.end();
    const known = doubting(knowledge);
    this.#doubts = known.doubts;
    this.#seen = this.#seen.next(known);
  }

  /** What the rules say of all that was seen so far, one judgement a rule, or only those of `ids`. */
  judgements(ids?: ReadonlySet<R['id']>): Judgement<R>[] {
    const asked = ids === undefined ? this.#dockets : this.#dockets.filter(({ id }) => ids.has(id));
    return asked.map((docket) => docket.judgement(this.#seen));
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
  // A client may keep an id and confirm it in another run, and runs may overlap.
  const given = others.length === 0 ? [] : histories.flatMap(({ exchanges }) => exchanges);
  const ids = new Set(given.flatMap((exchange) => issuedId(exchange) ?? []));
  const it = new Judge(rules, first.knowledge, undefined, { ...nothingEarlier, ids });
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
