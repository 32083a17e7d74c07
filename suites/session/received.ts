import type { Response } from '../history/exchange.ts';
import type { Redact } from '../history/redactor.ts';
import { jsonExtent, parsed } from '../json.ts';
import type { HeaderList } from '../result.ts';

const megabyte = 1024 * 1024;

/** Limits for all bodies of one run: bytes of text, and values of JSON. */
const mostOfRun = { bytes: 24 * megabyte, nodes: 500_000 };

/** Largest part of the remaining room that one body may take, so that room remains for later bodies. */
const share = { bytes: 1 / 8, nodes: 1 / 50 };

/** Deepest nesting that the kit accepts: deeper than any tool returns, and safe to walk recursively. */
const mostLevels = 200;

/** Bytes to keep of a body that is too large. After many of these bodies, fewer bytes are kept of each. */
const bytesOfHead = { most: 16 * 1024, least: 256 };

type Body = Pick<Response, 'text' | 'unread'> & { nodes: number };

/** Receives the bodies of one run in bounded memory, whatever the deployment sends. */
export class Receiver {
  readonly #parsed = new Parsed();
  readonly #texts = new Map<string, string>();
  readonly #redact: Redact;
  /** Unused buffers. A new buffer for each response would stay allocated long after the response. */
  readonly #idle: Buffer[] = [];
  #bytesLeft: number;
  #bytesLeftForHeads: number;
  #nodesLeft = mostOfRun.nodes;

  constructor(redact: Redact, mostBytes = mostOfRun.bytes) {
    this.#redact = redact;
    this.#bytesLeft = mostBytes;
    this.#bytesLeftForHeads = mostBytes * share.bytes;
  }

  async receive(status: number, headers: HeaderList, stream: AsyncIterable<Uint8Array>): Promise<Response> {
    const buffer = this.#idle.pop() ?? Buffer.allocUnsafeSlow(bytesOfBuffer);
    const text = new Text(buffer);
    try {
      for await (const chunk of stream) {
        text.add(chunk);
        this.#bytesLeft -= chunk.length;
        const most = Math.floor((this.#bytesLeft + text.length) * share.bytes);
        if (text.length > most) return this.#keep(status, headers, tooLarge(text.end(), `of more than ${most} bytes`));
      }
      return this.#keep(status, headers, this.#read(text.end()));
    } finally {
      this.#bytesLeft += text.length;
      this.#idle.push(buffer);
    }
  }

  #read(received: string): Body {
    const { nodes, levels } = jsonExtent(received);
    const most = Math.floor(this.#nodesLeft * share.nodes);
    if (nodes > most) return tooLarge(received, `of more than ${most} values`);
    if (levels > mostLevels) return tooLarge(received, `nested more than ${mostLevels} levels deep`);
    const text = this.#redact(received);
    // A repeated body, such as a schedule, is stored once.
    const known = this.#texts.get(text);
    if (known !== undefined) return { text: known, nodes };
    this.#bytesLeft -= bytesOf(text);
    this.#nodesLeft -= nodes;
    this.#texts.set(text, text);
    return { text, nodes };
  }

  #keep(status: number, headers: HeaderList, body: Body): Response {
    if (body.unread === undefined) return new Received(status, headers, body, this.#parsed);
    const most = Math.max(bytesOfHead.least, Math.min(bytesOfHead.most, this.#bytesLeftForHeads >> 3));
    // Copied as bytes, because a slice of a string keeps the whole string in memory.
    const head = Buffer.from(this.#redact(body.text).slice(0, most)).subarray(0, most);
    this.#bytesLeftForHeads -= head.length;
    return new Received(status, headers, { ...body, text: head.toString() }, this.#parsed);
  }
}

/**
 * Response that parses its JSON on demand. Most responses are read once, and parsed values take much more memory than
 * text.
 */
class Received implements Response {
  readonly status: number;
  readonly headers: HeaderList;
  readonly text: string;
  readonly unread?: string;
  readonly #nodes: number;
  readonly #parsed: Parsed;

  constructor(status: number, headers: HeaderList, { text, unread, nodes }: Body, parsed: Parsed) {
    this.status = status;
    this.headers = headers;
    this.text = text;
    if (unread !== undefined) this.unread = unread;
    this.#nodes = nodes;
    this.#parsed = parsed;
  }

  get json(): unknown {
    return this.unread === undefined ? this.#parsed.of(this.text, this.#nodes) : undefined;
  }
}

function tooLarge(text: string, how: string): Body {
  return { text, nodes: 0, unread: `a body ${how}` };
}

/** Returns the memory that a string takes: two bytes per character if any character is outside Latin-1. */
function bytesOf(text: string): number {
  return /^[\0-\xff]*$/.test(text) ? text.length : 2 * text.length;
}

const bytesOfBuffer = 64 * 1024;

/** Collects text from chunks of bytes. It copies them, because a chunk of one byte may be a view of many kilobytes. */
class Text {
  length = 0;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #buffer: Buffer;
  readonly #parts: string[] = [];
  #filled = 0;

  constructor(buffer: Buffer) {
    this.#buffer = buffer;
  }

  add(chunk: Uint8Array): void {
    this.length += chunk.length;
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + bytesOfBuffer - this.#filled);
      this.#buffer.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === bytesOfBuffer) this.#decode(true);
    }
  }

  /** Returns the whole text after the last chunk. */
  end(): string {
    this.#decode(false);
    return this.#parts.join('');
  }

  #decode(more: boolean): void {
    this.#parts.push(this.#decoder.decode(this.#buffer.subarray(0, this.#filled), { stream: more }));
    this.#filled = 0;
  }
}

/** Size of the cache, in values. One value takes about as much memory as a hundred characters. */
const most = 50_000;
const charactersOfValue = 100;

interface Kept {
  value: unknown;
  weight: number;
}

/** Cache of parsed JSON texts. It evicts the least recently used text first. */
class Parsed {
  readonly #kept = new Map<string, Kept>();
  #last: { readonly text: string; readonly value: unknown } | undefined;
  #weight = 0;

  /**
   * Returns the value of a text, parsed now or before; undefined if it is not JSON. `nodes` counts the values in the
   * text.
   */
  of(text: string, nodes: number): unknown {
    // All rules ask for the same text in turn.
    if (this.#last?.text !== text) this.#last = { text, value: this.#valueOf(text, nodes) };
    return this.#last.value;
  }

  #valueOf(text: string, nodes: number): unknown {
    const known = this.#kept.get(text);
    if (known !== undefined) {
      this.#kept.delete(text);
      this.#kept.set(text, known);
      return known.value;
    }
    const kept = { value: parsed(text), weight: nodes + text.length / charactersOfValue };
    this.#kept.set(text, kept);
    this.#weight += kept.weight;
    for (const [oldest, { weight }] of this.#kept) {
      if (this.#weight <= most || oldest === text) break;
      this.#kept.delete(oldest);
      this.#weight -= weight;
    }
    return kept.value;
  }
}
