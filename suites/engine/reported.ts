import type { Exchange, Response } from '../exchange/exchange.ts';
import type { ReportedExchange } from '../result.ts';

/** Maximum size of one body and of all bodies, in characters. A report holds hundreds of bodies in one file. */
const mostCharacters = 64 * 1024;
const mostCharactersInAll = 4 * 1024 * 1024;

/** Maximum share of the remaining characters that one body may use. */
const share = 1 / 32;

/** Exchanges that a report refers to, numbered by their first reference. */
export class Reported {
  readonly #ids = new Map<Exchange, number>();
  readonly #more: (exchange: Exchange) => Partial<ReportedExchange>;

  /** @param more returns what the history does not say of an exchange, and what the report says differently */
  constructor(more: (exchange: Exchange) => Partial<ReportedExchange> = () => ({})) {
    this.#more = more;
  }

  /** Returns the IDs of exchanges. Each exchange gets its ID on the first reference. */
  refer(exchanges: readonly Exchange[]): number[] {
    return exchanges.map((exchange) => {
      const id = this.#ids.get(exchange) ?? this.#ids.size + 1;
      this.#ids.set(exchange, id);
      return id;
    });
  }

  list(): ReportedExchange[] {
    let left = mostCharactersInAll;
    const shown = ({ status, headers, text, unread }: Response): NonNullable<ReportedExchange['response']> => {
      const body = text.slice(0, Math.min(mostCharacters, Math.floor(left * share)));
      left -= body.length;
      const isCut = body.length < text.length || (unread !== undefined && text !== '');
      const cutAtBytes = isCut ? { cutAtBytes: Buffer.byteLength(body) } : {};
      return { status, headers, body, ...cutAtBytes };
    };
    return [...this.#ids].map(([exchange, id]) => {
      const { sender, request, response, sentAt, receivedAt, clockMoved, together, problem } = exchange;
      return {
        id,
        tool: request.tool,
        role: sender.role,
        credential: sender.label,
        atMs: Math.round(sentAt),
        durationMs: Math.round((receivedAt - sentAt) * 10) / 10,
        ...(clockMoved > 0 ? { clockMovedMs: Math.round(clockMoved) } : {}),
        ...(together > 1 ? { together } : {}),
        request: { method: request.method, url: request.url, headers: request.headers, body: request.body },
        response: response && shown(response),
        problem: problem ?? (response === null ? 'no response is known' : null),
        curl: '',
        ...this.#more(exchange),
      };
    });
  }
}
