import type { RequirementId } from '../../fixtures/requirements/model.ts';
import type { History, Knowledge } from '../exchange/history.ts';
import { feed, Judge } from '../model/judge/judge.ts';
import type { Judgement } from '../model/judge/judgement.ts';
import type { Rule } from '../model/rule.ts';
import { hasEnded } from '../session/call.ts';
import type { Session } from '../session/session.ts';

export class LiveJudge {
  readonly rules: readonly Rule[];
  readonly #session: Session;
  readonly #knowledge: () => Knowledge;
  #live: Judge | undefined;

  /** `knowledge` is a function because the survey of the deployment completes it after construction. */
  constructor(rules: readonly Rule[], session: Session, knowledge: () => Knowledge) {
    this.rules = rules;
    this.#session = session;
    this.#knowledge = knowledge;
  }

  /** Returns the completed exchanges so far, with what the run knows about the deployment. */
  history(): History {
    const exchanges = this.#session.exchanges.filter(hasEnded);
    return { knowledge: this.#knowledge(), exchanges };
  }

  judgements(ids?: ReadonlySet<RequirementId>): Judgement[] {
    this.#live ??= this.#follow();
    return this.#live.judgements(ids);
  }

  #follow(): Judge {
    const { knowledge, exchanges } = this.history();
    const live = new Judge(this.rules, knowledge);
    feed(live, exchanges);
    this.#session.listen((exchange) => {
      if (hasEnded(exchange)) live.see(exchange);
      else live.begin(exchange);
    });
    return live;
  }
}
