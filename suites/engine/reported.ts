import type { ReportedExchange } from '../result.ts';
import type { ConfiguredHeader, ReceivedResponse, SentExchange, Trace } from '../session/sent-exchange.ts';
import { curlLine } from '../session/shell.ts';

/** Maximum size of one body and of all bodies, in characters. A report holds hundreds of bodies in one file. */
const mostCharacters = 64 * 1024;
const mostCharactersInAll = 4 * 1024 * 1024;

/** Maximum share of the remaining characters that one body may use. */
const share = 1 / 32;

/** Exchanges that a report refers to, numbered by their first reference. */
export class Reported {
  readonly #ids = new Map<number, number>();
  readonly #exchanges: SentExchange[] = [];

  /** Returns the IDs of exchanges. Each exchange gets its ID on the first reference. */
  refer(exchanges: readonly SentExchange[]): number[] {
    return exchanges.map((exchange) => {
      const known = this.#ids.get(exchange.seq);
      if (known !== undefined) return known;
      const id = this.#exchanges.push(exchange);
      this.#ids.set(exchange.seq, id);
      return id;
    });
  }

  /** @param traceUrl template of links to traces, with `{traceId}` */
  list(traceUrl?: string): ReportedExchange[] {
    let left = mostCharactersInAll;
    const shown = ({
      status,
      headers,
      text,
      cutAtBytes,
    }: ReceivedResponse): NonNullable<ReportedExchange['response']> => {
      const body = text.slice(0, Math.min(mostCharacters, Math.floor(left * share)));
      left -= body.length;
      const cutAt = body.length < text.length ? Buffer.byteLength(body) : cutAtBytes;
      return {
        status,
        headers: [...headers].map(([name, value]): [string, string] => [name, value]),
        body,
        ...(cutAt === undefined ? {} : { cutAtBytes: cutAt }),
      };
    };
    return this.#exchanges.map((exchange, index) => ({
      id: index + 1,
      tool: exchange.request.tool,
      role: exchange.credential.role ?? null,
      credential: exchange.credential.label,
      atMs: Math.round(exchange.atMs),
      durationMs: Math.round(exchange.durationMs * 10) / 10,
      ...(exchange.clockMovedMs ? { clockMovedMs: Math.round(exchange.clockMovedMs) } : {}),
      ...((exchange.together ?? 1) > 1 ? { together: exchange.together } : {}),
      ...(exchange.request.step === undefined ? {} : { step: exchange.request.step }),
      ...(exchange.trace === undefined ? {} : { trace: linked(exchange.trace, traceUrl) }),
      request: {
        method: exchange.request.method,
        url: exchange.request.url,
        headers: [...exchange.request.headers, ...exchange.request.configured.map(line)],
        body: exchange.request.body,
      },
      response: exchange.response && shown(exchange.response),
      problem: exchange.problem,
      curl: curlLine(exchange.request, exchange.credential),
    }));
  }
}

function linked(trace: Trace, traceUrl: string | undefined): NonNullable<ReportedExchange['trace']> {
  return traceUrl === undefined ? trace : { ...trace, url: traceUrl.replaceAll('{traceId}', trace.traceId) };
}

function line(header: ConfiguredHeader): [string, string] {
  return [header.name, 'variable' in header ? `$${header.variable}` : header.value];
}
