import type { Answer, ConfiguredHeader, Exchange } from '../exchange.ts';
import type { ReportedExchange } from '../result.ts';
import { curlLine } from '../session/curl.ts';

/** A longer body is not shown whole, nor are all of them together: hundreds have to fit into one file. */
const mostCharacters = 64 * 1024;
const mostCharactersInAll = 4 * 1024 * 1024;

/** The part of what is left for all that one body may take. */
const share = 1 / 32;

/** The exchanges that a report refers to, numbered in the order in which it meets them. */
export class Reported {
  readonly #ids = new Map<number, number>();
  readonly #exchanges: Exchange[] = [];

  /** Ids of exchanges, given out on first mention. */
  refer(exchanges: readonly Exchange[]): number[] {
    return exchanges.map((exchange) => {
      const known = this.#ids.get(exchange.seq);
      if (known !== undefined) return known;
      const id = this.#exchanges.push(exchange);
      this.#ids.set(exchange.seq, id);
      return id;
    });
  }

  list(): ReportedExchange[] {
    let left = mostCharactersInAll;
    const shown = ({ status, headers, text, cutAtBytes }: Answer): NonNullable<ReportedExchange['response']> => {
      const body = text.slice(0, Math.min(mostCharacters, Math.floor(left * share)));
      left -= body.length;
      const cutAt = body.length < text.length ? Buffer.byteLength(body) : cutAtBytes;
      return { status, headers, body, ...(cutAt === undefined ? {} : { cutAtBytes: cutAt }) };
    };
    return this.#exchanges.map((exchange, index) => ({
      id: index + 1,
      tool: exchange.request.tool,
      role: exchange.credential.role ?? null,
      credential: exchange.credential.label,
      atMs: Math.round(exchange.atMs),
      durationMs: Math.round(exchange.durationMs * 10) / 10,
      request: {
        method: exchange.request.method,
        url: exchange.request.url,
        headers: [...exchange.request.headers, ...exchange.request.configured.map(line)],
        body: exchange.request.body,
      },
      response: exchange.answer && shown(exchange.answer),
      problem: exchange.problem,
      curl: curlLine(exchange.request, exchange.credential),
    }));
  }
}

function line(header: ConfiguredHeader): [string, string] {
  return [header.name, 'variable' in header ? `$${header.variable}` : header.value];
}
