import type { Credential, Exchange as Sent } from '../exchange.ts';
import type { Exchange, Sender } from '../history/exchange.ts';
import { isRefusable } from '../history/intermediaries.ts';

/** Those that are over, which do not change any more. */
const known = new WeakMap<Sent, Exchange>();

/** An exchange of the session as the history has it: plain data without a secret. */
export function historyExchange(sent: Sent): Exchange {
  const exchange = known.get(sent) ?? written(sent);
  if (sent.answer !== null) known.set(sent, exchange);
  return exchange;
}

function written(sent: Sent): Exchange {
  const { seq, credential, request, answer, atMs, durationMs, clockMovedMs = 0, together = 1 } = sent;
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
    response: answer && {
      status: answer.status,
      headers: answer.headers,
      text: answer.text,
      // Parsed when a rule asks: what a whole run received as parsed values would not fit into memory.
      get json() {
        return answer.json;
      },
      ...(answer.unread === undefined ? {} : { unread: answer.unread }),
    },
    sentAt: atMs,
    receivedAt: atMs + durationMs,
    clockMoved: clockMovedMs,
    together,
    invented: request.invented ?? [],
    observes: request.observes ?? null,
    odd: request.odd,
    refusable: isRefusable(request),
  };
}

function senderOf({ label, role, kind }: Credential): Sender {
  return { label, role: role ?? null, kind: kind ?? (role === undefined ? 'other' : 'key') };
}
