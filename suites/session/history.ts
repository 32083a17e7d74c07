import type { Exchange, Sender } from '../history/exchange.ts';
import { isRefusable } from '../history/intermediaries.ts';
import type { Credential, SentExchange } from './sent-exchange.ts';

/** Cache of completed exchanges, which no longer change. */
const known = new WeakMap<SentExchange, Exchange>();

/** Converts an exchange of the session to plain data for the history, without secrets. */
export function historyExchange(sent: SentExchange): Exchange {
  const exchange = known.get(sent) ?? written(sent);
  if (sent.response !== null) known.set(sent, exchange);
  return exchange;
}

function written(sent: SentExchange): Exchange {
  const { seq, credential, request, response, atMs, durationMs, clockMovedMs = 0, together = 1 } = sent;
  return {
    kind: 'exchange',
    number: seq,
    sender: senderOf(credential),
    request: {
      method: request.method,
      url: request.url,
      tool: request.tool,
      headers: request.headers,
      body: request.body,
      args: request.body === null ? {} : request.args,
    },
    response: response && {
      status: response.status,
      headers: response.headers,
      text: response.text,
      // Parsed on demand, because the parsed values of a whole run do not fit into memory.
      get json() {
        return response.json;
      },
      ...(response.unread === undefined ? {} : { unread: response.unread }),
    },
    sentAt: atMs,
    receivedAt: atMs + durationMs,
    clockMoved: clockMovedMs,
    together,
    invented: request.invented ?? [],
    observes: request.observes ?? null,
    odd: request.odd,
    refusable: isRefusable(request),
    ...(sent.closedInARow === undefined ? {} : { closedInARow: sent.closedInARow }),
    ...(sent.around === undefined ? {} : { around: sent.around }),
  };
}

function senderOf({ label, role, kind }: Credential): Sender {
  return { label, role: role ?? null, kind: kind ?? (role === undefined ? 'other' : 'key') };
}
