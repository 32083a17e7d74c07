import type { Exchange } from '../suites/exchange/exchange.ts';
import type { History } from '../suites/exchange/history.ts';
import type { Judgement } from '../suites/model/judge/judgement.ts';
import type { Recorded } from '../suites/recorded/recorded.ts';
import { Recording, type Ways } from '../suites/recorded/recording.ts';
import { Senders } from '../suites/recorded/senders.ts';
import { rules } from '../suites/topics/index.ts';

/** Parts that are missing from a recording of a history. */
export interface Lack {
  /** True to omit request headers, which include the keys. */
  readonly keys?: boolean;
  /** True to omit response headers. */
  readonly headers?: boolean;
  /** Returns true for exchanges to omit. */
  readonly exchange?: (exchange: Exchange) => boolean;
  readonly requestBody?: (exchange: Exchange) => boolean;
  readonly responseBody?: (exchange: Exchange) => boolean;
}

/** Returns a history as another program records it. Keys have no roles, and changes of the clock are unknown. */
export function recordedOf({ exchanges }: History, lack: Lack = {}, keysOf = 'a-key'): Recorded[] {
  return exchanges
    .filter((exchange) => lack.exchange?.(exchange) !== true)
    .map((exchange): Recorded => {
      const { request, response, sender, sentAt, receivedAt } = exchange;
      const token = `${keysOf}-of-${sender.label.replaceAll(/[ ,]+/g, '-')}`;
      const key = sender.kind === 'absent' ? [] : [['authorization', `Bearer ${token}`] as const];
      const host = ['host', new URL(request.url).host] as const;
      const others = [host, ...request.headers.filter(([name]) => name !== 'authorization')];
      const [sent, received] = [Math.floor(sentAt), Math.ceil(receivedAt)];
      return {
        method: request.method,
        url: request.url,
        requestHeaders: lack.keys === true ? others : [...others, ...key],
        requestBody: lack.requestBody?.(exchange) === true ? undefined : request.body,
        response: response && {
          status: response.status,
          headers: lack.headers === true ? undefined : response.headers,
          contentType: 'application/json',
          text: lack.responseBody?.(exchange) === true || response.unread !== undefined ? undefined : response.text,
        },
        sentAt: sent,
        receivedAt: received,
      };
    });
}

/** Returns the judgements of all rules on recorded traffic. */
export function judgementsOf(all: readonly Recorded[], ways: Partial<Ways> = {}): Judgement[] {
  const assumed = ways.assumed ?? [];
  const senders = new Senders(ways.target, assumed.includes('one-key'));
  const recording = new Recording({ rules, target: undefined, baseUrl: undefined, senders, assumed, ...ways }, 0);
  for (const one of all) recording.add(one);
  return recording.end();
}

/** Returns the requirements that fail on a recording. */
export function foundIn(all: readonly Recorded[], ways: Partial<Ways> = {}): string[] {
  return judgementsOf(all, ways).flatMap(({ id, findings, broke }) => {
    if (broke !== undefined) throw new Error(broke.reason);
    return findings.length > 0 ? [id] : [];
  });
}
