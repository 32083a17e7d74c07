import type { Role } from '../../fixtures/roles.ts';
import type { Exchange } from '../../suites/exchange/exchange.ts';
import type { History, HistoryEvent } from '../../suites/exchange/history.ts';
import { isRefusable } from '../../suites/exchange/intermediaries.ts';
import { isRecord, parsed } from '../../suites/json.ts';
import { type DeliveryState, type ExchangeEvent, type Journal, keptOfAnswer, keptOfRequest } from './event.ts';

/** Facts about a sandbox that its events do not contain. */
interface Around {
  /** Account of each role. The account of `primary` is the client's own. */
  readonly accounts: ReadonlyMap<Role, string>;
  /** Whether a person decides. Confirmations without a decision then count as not approved. */
  readonly person: boolean;
}

/** Default address of `tck stub`, so that requests can be repeated there. */
const usualOrigin = 'http://127.0.0.1:4010';

/** Converts a journal into a history without secrets. */
export function historyOf({ events, dropped }: Journal, { accounts, person }: Around): History {
  const [first] = events;
  const begin = first === undefined ? 0 : realTime(first);
  const own = accounts.get('primary');
  const accountOf = ([role, account]: [Role, string]) => [role, account === own ? 'own' : account];
  return {
    knowledge: {
      complete: dropped === 0,
      clock: true,
      clockShared: false,
      roles: true,
      headers: true,
      accounts: Object.fromEntries([...accounts].map(accountOf)),
      startedAt: begin,
      workspaces: [],
      boards: [],
      person,
    },
    exchanges: events.flatMap((event) => (event.kind === 'exchange' ? [exchangeOf(event, begin)] : [])),
    events: events.flatMap((event): HistoryEvent[] => {
      const dated = { number: event.seq, at: realTime(event) - begin };
      if (event.kind === 'person') return [{ kind: 'person', ...dated, act: event.act, subject: event.subject }];
      return event.kind === 'control' ? [{ kind: 'change', ...dated, what: event.what }] : [];
    }),
  };
}

const realTime = ({ at, aheadMs }: { readonly at: number; readonly aheadMs: number }) => at - aheadMs;

const problems: Readonly<Record<DeliveryState, string | undefined>> = {
  whole: undefined,
  abandoned: 'the client closed the connection before the whole response was sent',
  cut: 'the connection was ended within the response, on purpose',
  'dropped-before-effect': 'the connection was ended before the request had any effect, on purpose',
  'dropped-after-effect': 'the connection was ended after the request had its effect, on purpose',
};

function exchangeOf(event: ExchangeEvent, begin: number): Exchange {
  const { role, request, answer, delivery, connection } = event;
  const { method, path, headers, body } = request;
  const sentAt = realTime(event) - begin;
  const problem = problems[delivery];
  const isCut = request.bodyBytes > keptOfRequest;
  const sent = body === null || body === '' ? {} : parsed(body);
  const url = usualOrigin + path;
  return {
    kind: 'exchange',
    number: event.seq,
    sender: { label: role ?? 'no key of this sandbox', kind: role === null ? 'other' : 'key', role },
    request: {
      method,
      url,
      tool: event.tool,
      headers,
      body,
      args: isRecord(sent) ? sent : null,
      ...(isCut ? { unread: `more than ${keptOfRequest} bytes` } : {}),
    },
    response:
      delivery !== 'whole' || answer === null
        ? null
        : {
            status: answer.status,
            headers: answer.headers,
            text: answer.body,
            json: parsed(answer.body),
            ...(answer.bodyBytes > keptOfAnswer ? { unread: `a body of more than ${keptOfAnswer} bytes` } : {}),
          },
    sentAt,
    receivedAt: sentAt + event.delayMs,
    clockMoved: event.aheadMs,
    together: 1,
    invented: [],
    observes: null,
    odd: false,
    refusable: isRefusable({ url, headers, body }),
    ...(connection === null ? {} : { connection }),
    ...(problem === undefined ? {} : { problem }),
  };
}
