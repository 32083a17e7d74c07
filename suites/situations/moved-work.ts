import type { Exchange } from '../history/exchange.ts';
import { ExchangeIndex } from './acquaintance.ts';

/** Work that a role took over while another role had to wait. */
interface Moved {
  readonly limited: Exchange;
  readonly first: Exchange;
  /** Latest request of this work, and the number of its requests. */
  readonly last: Exchange;
  readonly count: number;
}

const mostTools = 1000;

/** Tools that each role used, and work of roles that were unused before another role got a 429. */
export class MovedWork {
  readonly #tools = new Map<string, Set<string>>();
  readonly #moved = new Map<string, Moved>();
  readonly #limited = new ExchangeIndex();
  readonly #mayFollow: (later: Exchange, limited: Exchange) => boolean;

  /** @param mayFollow returns whether a request falls into the wait of a 429 and should have waited, too */
  constructor(mayFollow: (later: Exchange, limited: Exchange) => boolean) {
    this.#mayFollow = mayFollow;
  }

  add(exchange: Exchange): void {
    const { sender, request } = exchange;
    if (sender.role === null || request.tool === null) return;
    if (!this.#tools.has(sender.role)) this.#begin(exchange, sender.role);
    const tools = this.#tools.get(sender.role) ?? new Set();
    if (tools.size < mostTools) tools.add(request.tool);
    this.#tools.set(sender.role, tools);
    const moved = this.#moved.get(sender.role);
    if (moved !== undefined && this.#isMoved(exchange, moved)) {
      this.#moved.set(sender.role, { ...moved, last: exchange, count: moved.count + 1 });
    }
    if (exchange.response?.status === 429) this.#limited.add('', exchange);
  }

  /** Returns the work that the role of a request has taken over so far. */
  by({ sender }: Exchange): Moved | undefined {
    return this.#moved.get(String(sender.role));
  }

  #begin(first: Exchange, role: string): void {
    const limited = this.#limited.of('').find((exchange) => this.#mayFollow(first, exchange));
    if (limited !== undefined) this.#moved.set(role, { limited, first, last: first, count: 0 });
  }

  #isMoved(exchange: Exchange, { limited }: Moved): boolean {
    const used = this.#tools.get(String(limited.sender.role));
    return used?.has(exchange.request.tool ?? '') === true && this.#mayFollow(exchange, limited);
  }
}
