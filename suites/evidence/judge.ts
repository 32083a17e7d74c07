import type { AnyRule, Rule } from '../expectations/rule.ts';
import type { Exchange } from '../history/exchange.ts';
import type { History, HistoryEvent, Knowledge } from '../history/history.ts';
import { type Earlier, nothingEarlier } from '../situations/client-memory.ts';
import { issuedId } from '../situations/ids.ts';
import { Seen } from '../situations/seen.ts';
import { responseEvidence } from './response-evidence.ts';
import { type Judgement, type OnFinding, RuleJudge } from './rule-judge.ts';
import { type Fact, notingUnknownFacts } from './unknown-facts.ts';

/**
 * Judges a growing history by all rules. The caller reports each exchange twice: when it is sent, and when it is
 * received.
 */
export class Judge<R extends AnyRule = Rule> {
  #seen: Seen;
  #unknown: Set<Fact>;
  readonly #ofRules: readonly RuleJudge<R>[];

  /** @param onFinding called with each finding as soon as it is certain */
  constructor(rules: readonly R[], knowledge: Knowledge, onFinding?: OnFinding<R>, earlier?: Earlier) {
    const known = notingUnknownFacts(knowledge);
    this.#unknown = known.unknown;
    this.#seen = new Seen(
      known,
      rules.some((rule) => rule.judges === 'requests'),
      earlier,
    );
    this.#ofRules = rules.map((rule) => new RuleJudge(rule, onFinding));
  }

  begin(exchange: Exchange): void {
    this.#seen.begin(exchange);
  }

  see(exchange: Exchange): void {
    this.#seen.add(exchange);
    const evidence = responseEvidence(exchange, this.#seen.knowledge);
    for (const each of this.#ofRules) each.see(exchange, this.#seen, evidence, this.#unknown);
  }

  note(event: HistoryEvent): void {
    this.#seen.note(event);
  }

  /** Ends the history: settles what waited for a twin, and reports the findings that are now certain. */
  end(): void {
    for (const each of this.#ofRules) each.end(this.#seen);
  }

  /** Ends the history and starts another one of the same client. */
  next(knowledge: Knowledge): void {
    this.end();
    const known = notingUnknownFacts(knowledge);
    this.#unknown = known.unknown;
    this.#seen = this.#seen.next(known);
  }

  /** Returns one judgment per rule on everything so far, or only those of `ids`. */
  judgements(ids?: ReadonlySet<R['id']>): Judgement<R>[] {
    const asked = ids === undefined ? this.#ofRules : this.#ofRules.filter(({ id }) => ids.has(id));
    return asked.map((each) => each.judgement(this.#seen));
  }
}

/** Judges a complete history. */
export function judge<R extends AnyRule = Rule>(rules: readonly R[], history: History): Judgement<R>[] {
  return judgeAll(rules, [history]);
}

/** Judges several histories of one client in order. */
export function judgeAll<R extends AnyRule>(rules: readonly R[], histories: readonly History[]): Judgement<R>[] {
  const [first, ...others] = histories;
  if (first === undefined) return [];
  // A client may confirm an ID in a later run, and runs may overlap.
  const given = others.length === 0 ? [] : histories.flatMap(({ exchanges }) => exchanges);
  const ids = new Set(given.flatMap((exchange) => issuedId(exchange) ?? []));
  const judge = new Judge(rules, first.knowledge, undefined, { ...nothingEarlier, ids });
  feed(judge, first.exchanges, first.events);
  for (const { knowledge, exchanges, events } of others) {
    judge.next(knowledge);
    feed(judge, exchanges, events);
  }
  return judge.judgements();
}

/** Passes exchanges to a judge in the order in which requests were sent and responses received. */
export function feed(
  it: Pick<Judge, 'begin' | 'see' | 'note'>,
  exchanges: readonly Exchange[],
  events: readonly HistoryEvent[] = [],
): void {
  const moments = [
    // Events come before requests of the same time, because rules compare the times.
    ...events.map((event) => ({ at: event.at, turn: () => it.note(event) })),
    ...exchanges.flatMap((exchange) => [
      { at: exchange.sentAt, turn: () => it.begin(exchange) },
      { at: exchange.receivedAt, turn: () => it.see(exchange) },
    ]),
  ];
  for (const { turn } of moments.sort((a, b) => a.at - b.at)) turn();
}
