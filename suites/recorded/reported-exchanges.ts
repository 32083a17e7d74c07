import type { Exchange } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import type { HeaderList, ReportedExchange, RunResult } from '../result.ts';

/** A history, with a name if there are several. */
export interface NamedHistory {
  readonly name?: string;
  /** Description of the scenario: a sentence fragment that follows "the client". */
  readonly what?: string;
  readonly history: History;
  /** What the requests did, if the server is known to have done it. Default: according to the responses. */
  readonly effects?: Effects;
}

/** What requests did, even if their responses were lost. */
export interface Effects {
  readonly images: number;
  readonly contentRequests: number;
}

interface Placed {
  readonly exchange: Exchange;
  /** Label of the sender, with the name of the history. */
  readonly credential: string;
  readonly atMs: number;
}

/** Exchanges of histories for a report. The histories follow each other in time. */
export class ReportedExchanges {
  readonly #all: Placed[] = [];
  readonly #placed = new Map<Exchange, Placed>();
  readonly #ids = new Map<Exchange, number>();

  constructor(histories: readonly NamedHistory[]) {
    let offset = 0;
    for (const { name, history } of histories) {
      for (const exchange of history.exchanges) {
        const { label } = exchange.sender;
        const credential = name === undefined ? label : `${label}, scenario: ${name}`;
        const placed = { exchange, credential, atMs: offset + exchange.sentAt };
        this.#all.push(placed);
        this.#placed.set(exchange, placed);
      }
      offset += history.exchanges.reduce((end, { receivedAt }) => Math.max(end, receivedAt), 0) + 1;
    }
  }

  get count(): number {
    return this.#all.length;
  }

  /** Returns the ID of an exchange, which is assigned on the first reference. */
  refer(exchange: Exchange): number {
    const id = this.#ids.get(exchange) ?? this.#ids.size + 1;
    this.#ids.set(exchange, id);
    return id;
  }

  reported(): ReportedExchange[] {
    return [...this.#ids].flatMap(([exchange, id]) => {
      const placed = this.#placed.get(exchange);
      return placed === undefined ? [] : [reportedExchange(id, placed)];
    });
  }

  timeline(): RunResult['timeline'] {
    return this.#all.map(({ exchange, credential, atMs }) => ({
      atMs,
      durationMs: exchange.receivedAt - exchange.sentAt,
      credential,
      tool: exchange.request.tool,
      status: exchange.response?.status ?? null,
    }));
  }
}

function reportedExchange(id: number, { exchange, credential, atMs }: Placed): ReportedExchange {
  const { sender, request, response, problem } = exchange;
  const { method, url, tool, body } = request;
  const headers = pairs(request.headers);
  return {
    id,
    tool,
    role: sender.role,
    credential,
    atMs,
    durationMs: exchange.receivedAt - exchange.sentAt,
    request: { method, url, headers, body },
    response: response && { status: response.status, headers: pairs(response.headers), body: response.text },
    problem: problem ?? (response === null ? 'no response is known' : null),
    // The server of a scenario no longer exists.
    curl: '',
  };
}

const pairs = (headers: Exchange['request']['headers']): HeaderList => headers.map(([name, value]) => [name, value]);
