import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import { type Exchange, isCompleted } from '../../exchange/exchange.ts';
import type { History, HistoryEvent, Knowledge } from '../../exchange/history.ts';
import type { Rule } from '../rule.ts';
import { Seen } from '../world/seen.ts';
import { type Fact, type Judgement, notingUnknownFacts } from './judgement.ts';
import { evidenceOf } from './response-evidence.ts';
import { type OnFinding, ResponseJudge } from './response-judge.ts';

/**
 * Judges a growing history by all rules. The caller reports each exchange twice: when it is sent, and when it is
 * received.
 */
export class Judge {
  readonly #seen: Seen;
  readonly #unknown: Set<Fact>;
  readonly #ofRules: readonly ResponseJudge[];

  /** @param onFinding called with each finding as soon as it is certain */
  constructor(rules: readonly Rule[], knowledge: Knowledge, onFinding?: OnFinding) {
    const known = notingUnknownFacts(knowledge);
    this.#unknown = known.unknown;
    this.#seen = new Seen(known);
    this.#ofRules = rules.map((rule) => new ResponseJudge(rule, this.#seen, onFinding));
  }

  begin(exchange: Exchange): void {
    this.#seen.begin(exchange);
  }

  see(exchange: Exchange): void {
    this.#seen.add(exchange);
    const evidence = isCompleted(exchange) ? evidenceOf(exchange, this.#seen.knowledge) : undefined;
    for (const each of this.#ofRules) each.see(exchange, evidence, this.#unknown);
  }

  /** Ends the history: settles what waited for a control, and reports the findings that are now certain. */
  end(): void {
    for (const each of this.#ofRules) each.end();
  }

  /** Returns one judgment per rule on everything so far, or only those of `ids`. */
  judgements(ids?: ReadonlySet<RequirementId>): Judgement[] {
    const asked = ids === undefined ? this.#ofRules : this.#ofRules.filter(({ id }) => ids.has(id));
    return asked.map((each) => each.judgement());
  }
}

/** Judges a complete history. */
export function judge(rules: readonly Rule[], { knowledge, exchanges }: History): Judgement[] {
  const judge = new Judge(rules, knowledge);
  feed(judge, exchanges);
  return judge.judgements();
}

/** Passes exchanges to a judge in the order in which requests were sent and responses received. */
export function feed(
  judge: Pick<Judge, 'begin' | 'see'> & { note?(event: HistoryEvent): void },
  exchanges: readonly Exchange[],
  events: readonly HistoryEvent[] = [],
): void {
  const moments = [
    // Events come before requests of the same time, because rules compare the times.
    ...events.map((event) => ({ at: event.at, turn: () => judge.note?.(event) })),
    ...exchanges.flatMap((exchange) => [
      { at: exchange.sentAt, turn: () => judge.begin(exchange) },
      { at: exchange.receivedAt, turn: () => judge.see(exchange) },
    ]),
  ];
  for (const { turn } of moments.sort((a, b) => a.at - b.at)) turn();
}
