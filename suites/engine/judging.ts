import type { RequirementId } from '../../fixtures/requirements/index.ts';
import type { Answered, Exchange as Sent } from '../exchange.ts';
import type { Exchange } from '../history/exchange.ts';
import type { History, Knowledge } from '../history/history.ts';
import type { Judgement } from '../rules/docket.ts';
import type { Finding } from '../rules/finding.ts';
import { feed, Judge } from '../rules/judge.ts';
import type { Rule } from '../rules/rule.ts';
import { historyExchange } from '../session/history.ts';
import type { Session } from '../session/session.ts';
import type { Found } from './outcome.ts';

/** The history of a run, judged as it grows. */
export class Judging {
  readonly rules: readonly Rule[];
  readonly #session: Session;
  readonly #knowledge: () => Knowledge;
  #live: Judge | undefined;

  /** What is known is asked for when something is judged for the first time. */
  constructor(rules: readonly Rule[], session: Session, knowledge: () => Knowledge) {
    this.rules = rules;
    this.#session = session;
    this.#knowledge = knowledge;
  }

  /** What happened so far. */
  history(): History {
    const exchanges = this.#session.exchanges.filter(isOver).map(historyExchange);
    return { knowledge: this.#knowledge(), exchanges };
  }

  /** What the rules say so far; `ids` where only some are asked for. */
  judgements(ids?: ReadonlySet<RequirementId>): Judgement[] {
    this.#live ??= this.#follow();
    return this.#live.judgements(ids);
  }

  /** A finding with the exchanges as the session has them. */
  found({ expected, actual, hint, exchanges }: Finding): Found {
    const shown = exchanges.map((each) => this.sent(each)).filter(isAnswered);
    return { expected, actual, hint, exchanges: shown, times: 1 };
  }

  sent({ number }: Pick<Exchange, 'number'>): Sent {
    const sent = this.#session.exchanges[number];
    if (sent === undefined) throw new Error(`the history has no exchange ${number}`);
    return sent;
  }

  /** Judges what was sent so far, and from now on each exchange as it ends. */
  #follow(): Judge {
    const { knowledge, exchanges } = this.history();
    const live = new Judge(this.rules, knowledge);
    feed(live, exchanges);
    this.#session.listen((sent, isOver) => {
      const exchange = historyExchange(sent);
      if (isOver) live.see(exchange);
      else live.begin(exchange);
    });
    return live;
  }
}

export const isAnswered = (sent: Sent): sent is Answered => sent.answer !== null;

/** Whether an exchange has its response, or will not get one. */
const isOver = ({ answer, problem }: Sent) => answer !== null || problem !== null;
