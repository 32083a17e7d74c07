import type { ClientRuleId } from '../../fixtures/client-rules.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Finding, KitFinding } from '../model/finding.ts';
import type { Judged } from '../model/rule.ts';
import type { Client } from './client.ts';

/** One requirement on clients, judged on every request of a history, including requests without a response. */
export interface ClientRule {
  readonly id: ClientRuleId;
  /** Judges a request, given what its client knew when it sent the request. */
  judge(exchange: Exchange, client: Client): Judged;
  /** Returns why findings would prove nothing. The requirement is then not tested. */
  prevented(client: Client): string | undefined;
  /** Judges the history as a whole. Returns undefined if the history is not conclusive. */
  atEnd(client: Client): Judged;
}

/** A finding about the requests of a client. */
type ClientFinding = KitFinding & Pick<Finding, 'actual' | 'exchanges' | 'hint'>;

/** The judgement of a history as a whole. */
export type AtEnd = Judged<ClientFinding>;

/** Returns a rule that judges each request. */
export function clientRule(
  id: ClientRuleId,
  judge: (exchange: Exchange, client: Client) => Judged<Omit<ClientFinding, 'exchanges'> & Partial<ClientFinding>>,
  more: Partial<Pick<ClientRule, 'prevented'>> & { atEnd?(client: Client): AtEnd } = {},
): ClientRule {
  const { prevented = () => undefined, atEnd = () => undefined } = more;
  return {
    id,
    prevented,
    judge(exchange, client) {
      const finding = judge(exchange, client);
      return finding && { at: 'exchanges', exchanges: [exchange], ...finding };
    },
    atEnd(client) {
      const finding = atEnd(client);
      return finding && { at: 'exchanges', ...finding };
    },
  };
}

/** Returns a rule that judges a history as a whole. */
export function clientRuleAtEnd(id: ClientRuleId, atEnd: (client: Client) => AtEnd): ClientRule {
  return clientRule(id, () => undefined, { atEnd });
}

/** Shortest time in which a person can read a sentence and decide. */
export const readingMs = 1000;

export function inSeconds(ms: number): string {
  return `${(Math.max(0, ms) / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`;
}
