import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import { type Exchange, isCompleted } from '../../exchange/exchange.ts';
import type { History, HistoryEvent, Knowledge } from '../../exchange/history.ts';
import type { Rule } from '../rule.ts';
import type { Earlier } from '../world/client-memory.ts';
import { Seen } from '../world/seen.ts';
import { type Fact, type Judgement, notingUnknownFacts, type RuleJudge } from './judgement.ts';
import { evidenceOf } from './response-evidence.ts';
import { type OnFinding, ResponseJudge } from './response-judge.ts';

/**
 * Judges a growing history by all rules. The caller reports each exchange twice: when it is sent, and when it is
 * received.
 */
export class Judge<Id extends string = RequirementId> {
  #seen: Seen;
  #unknown: Set<Fact>;
  readonly #ofRules: readonly RuleJudge<Id>[];

  /** @param earlier what the client knew before, if the rules judge a client */
  constructor(ofRules: readonly RuleJudge<Id>[], knowledge: Knowledge, earlier?: Earlier) {
    const known = notingUnknownFacts(knowledge);
    this.#unknown = known.unknown;
    this.#seen = new Seen(known, earlier);
    this.#ofRules = ofRules;
  }

  begin(exchange: Exchange): void {
    this.#seen.begin(exchange);
  }

  see(exchange: Exchange): void {
    this.#seen.add(exchange);
    const evidence = isCompleted(exchange) ? evidenceOf(exchange, this.#seen.knowledge) : undefined;
    for (const each of this.#ofRules) each.see(exchange, this.#seen, evidence, this.#unknown);
  }

  note(event: HistoryEvent): void {
    this.#seen.note(event);
  }

  /** Ends the history: settles what waited for a control, and reports the findings that are now certain. */
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
  judgements(ids?: ReadonlySet<Id>): Judgement<Id>[] {
    const asked = ids === undefined ? this.#ofRules : this.#ofRules.filter(({ id }) => ids.has(id));
    return asked.map((each) => each.judgement(this.#seen));
  }
}

/**
 * Judges a growing history of responses.
 *
 * @param onFinding called with each finding as soon as it is certain
 */
export const judgeOf = (rules: readonly Rule[], knowledge: Knowledge, onFinding?: OnFinding): Judge =>
  new Judge(
    rules.map((rule) => new ResponseJudge(rule, onFinding)),
    knowledge,
  );

/** Judges a complete history. */
export function judge(rules: readonly Rule[], { knowledge, exchanges, events }: History): Judgement[] {
  const judge = judgeOf(rules, knowledge);
  feed(judge, exchanges, events);
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
