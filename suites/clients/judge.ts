import { type ClientRuleId, clientRules as texts } from '../../fixtures/client-rules.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { History, HistoryEvent, Knowledge } from '../exchange/history.ts';
import { withoutUndefined } from '../json.ts';
import type { Finding } from '../model/finding.ts';
import { feed } from '../model/judge/judge.ts';
import { brokenBy, type Judgement, Tally } from '../model/judge/judgement.ts';
import { issuedId } from '../model/world/ids.ts';
import type { Status, Verdict } from '../result.ts';
import { Client, nothingEarlier } from './client.ts';
import { clientRules } from './index.ts';
import type { ClientRule } from './rule.ts';

/** Judges requests by one rule for clients. */
class RequestJudge {
  readonly id: ClientRuleId;
  readonly #rule: ClientRule;
  readonly #tally = new Tally();
  #prevented: string | undefined;
  #broke: Judgement['broke'];

  constructor(rule: ClientRule) {
    this.id = rule.id;
    this.#rule = rule;
  }

  see(exchange: Exchange, client: Client): void {
    try {
      const finding = this.#rule.judge(exchange, client);
      const prevented = finding ? this.#rule.prevented(client) : undefined;
      this.#prevented ??= prevented;
      if (prevented === undefined) this.#tally.add(finding, exchange);
    } catch (error) {
      this.#broke ??= brokenBy(error, this.id, exchange);
    }
  }

  end(client: Client): void {
    this.#tally.add(this.#rule.atEnd(client));
  }

  judgement(client: Client): Judgement<ClientRuleId> {
    const { id } = this;
    const tally = this.#tally.copy();
    tally.add(this.#rule.atEnd(client));
    const { findings, more, unconfirmed, witness } = tally;
    const tested = this.#prevented === undefined ? tally.tested : 0;
    const prevented = tested > 0 ? undefined : this.#prevented;
    const rest = withoutUndefined({ prevented, broke: this.#broke, witness });
    return { id, tested, findings, more, unconfirmed, lacks: [], ...rest };
  }
}

/** Judges a growing history of the requests of a client, and further histories of the same client. */
export class ClientJudge {
  readonly #ofRules: readonly RequestJudge[];
  #client: Client;

  /** @param earlier what the client knew before */
  constructor(rules: readonly ClientRule[], knowledge: Knowledge, earlier = nothingEarlier) {
    this.#ofRules = rules.map((rule) => new RequestJudge(rule));
    this.#client = new Client(knowledge, earlier);
  }

  begin(exchange: Exchange): void {
    this.#client.begin(exchange);
  }

  see(exchange: Exchange): void {
    this.#client.add(exchange);
    for (const each of this.#ofRules) each.see(exchange, this.#client);
  }

  note(event: HistoryEvent): void {
    this.#client.note(event);
  }

  /** Ends the history and starts another one. */
  next(knowledge: Knowledge): void {
    for (const each of this.#ofRules) each.end(this.#client);
    this.#client = this.#client.next(knowledge);
  }

  /** Returns one judgment per rule on everything so far. */
  judgements(): Judgement<ClientRuleId>[] {
    return this.#ofRules.map((each) => each.judgement(this.#client));
  }
}

/** Judges several histories of one client in order. */
function judgeAll([first, ...others]: readonly History[]): Judgement<ClientRuleId>[] {
  if (first === undefined) return [];
  // A client may confirm an ID in a later run, and runs may overlap.
  const given = others.length === 0 ? [] : [first, ...others].flatMap(({ exchanges }) => exchanges);
  const ids = new Set(given.flatMap((exchange) => issuedId(exchange) ?? []));
  const judge = new ClientJudge(clientRules, first.knowledge, { ...nothingEarlier, ids });
  feed(judge, first.exchanges, first.events);
  for (const { knowledge, exchanges, events } of others) {
    judge.next(knowledge);
    feed(judge, exchanges, events);
  }
  return judge.judgements();
}

/** Result of one rule for clients. */
export interface JudgedRule {
  readonly id: ClientRuleId;
  readonly status: Status;
  /** Why the rule was not tested or could not be judged. */
  readonly reason?: string;
  readonly findings: readonly Finding[];
}

/** Results of all rules for one client. */
export interface JudgedClient {
  readonly verdict: Exclude<Verdict, 'partial'>;
  readonly requirements: readonly JudgedRule[];
}

/** Judges one client by all its histories, in order. */
export function judgeClient(histories: readonly History[]): JudgedClient {
  const judgements = new Map(judgeAll(histories).map((judgement) => [judgement.id, judgement]));
  const requirements = clientRules.map(({ id }) => judgedRule(id, judgements.get(id)));
  const has = (status: Status) => requirements.some((requirement) => requirement.status === status);
  const isTested = requirements.some(({ status }) => status !== 'not-tested');
  const verdict = has('failed') ? 'non-conformant' : has('errored') || !isTested ? 'inconclusive' : 'conformant';
  return { verdict, requirements };
}

function judgedRule(id: ClientRuleId, judgement: Judgement<ClientRuleId> | undefined): JudgedRule {
  const { level, triedBy } = texts[id];
  if (judgement === undefined) return { id, status: 'not-tested', reason: triedBy, findings: [] };
  const { tested, findings, broke, prevented = triedBy } = judgement;
  if (findings.length > 0) return { id, status: level === 'must' ? 'failed' : 'warned', findings };
  if (broke !== undefined) return { id, status: 'errored', reason: broke.reason, findings };
  if (tested > 0) return { id, status: 'passed', findings };
  return { id, status: 'not-tested', reason: prevented, findings };
}
