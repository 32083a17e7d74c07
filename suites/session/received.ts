import type { Headers, Response } from '../exchange/exchange.ts';
import type { Redact } from '../exchange/redactor.ts';
import { jsonExtent, parsed } from '../json.ts';
import { decoded, knownCodings } from './decoding.ts';

const megabyte = 1024 * 1024;

/** Limits for all bodies of one run: bytes of text, and values of JSON. */
const mostOfRun = { bytes: 24 * megabyte, nodes: 500_000 };

/** Largest part of the remaining room that one body may take, so that room remains for later bodies. */
const share = { bytes: 1 / 8, nodes: 1 / 50 };

/** Deepest nesting that the kit accepts: deeper than any tool returns, and safe to walk recursively. */
const mostLevels = 200;

/** Bytes to keep of a body that is too large. After many of these bodies, fewer bytes are kept of each. */
const bytesOfHead = { most: 16 * 1024, least: 256 };

/** Receives the bodies of one run in bounded memory, whatever the deployment sends. */
export class Receiver {
  readonly #kept = new Map<string, Body>();
  readonly #redact: Redact;
  #bytesLeft: number;
  #bytesLeftForHeads: number;
  #nodesLeft = mostOfRun.nodes;

  constructor(redact: Redact, mostBytes = mostOfRun.bytes) {
    this.#redact = redact;
    this.#bytesLeft = mostBytes;
    this.#bytesLeftForHeads = mostBytes * share.bytes;
  }

  async receive(
    status: number,
    headers: Headers,
    stream: AsyncIterable<Uint8Array>,
    contentEncoding = '',
  ): Promise<Response> {
    const coding = knownCodings(contentEncoding);
    let length = 0;
    let most = Number.POSITIVE_INFINITY;
    try {
      const bytes = await collected(stream, (more) => {
        length += more;
        this.#bytesLeft -= more;
        most = Math.floor((this.#bytesLeft + length) * share.bytes);
        return length <= most;
      });
      const whole = length > most ? undefined : decoded(bytes, coding, most);
      if (whole !== undefined) return received(status, headers, this.#read(whole.toString()));
      const start = coding === '' ? bytes.toString() : '';
      return received(status, headers, this.#tooLarge(start, `of more than ${most} bytes`));
    } finally {
      this.#bytesLeft += length;
    }
  }

  #read(given: string): Body {
    const { nodes, levels } = jsonExtent(given);
    const most = Math.floor(this.#nodesLeft * share.nodes);
    if (nodes > most) return this.#tooLarge(given, `of more than ${most} values`);
    if (levels > mostLevels) return this.#tooLarge(given, `nested more than ${mostLevels} levels deep`);
    const text = this.#redact(given);
    // A repeated body, such as a schedule, is stored once.
    const known = this.#kept.get(text);
    if (known !== undefined) return known;
    this.#bytesLeft -= bytesOf(text);
    this.#nodesLeft -= nodes;
    const body = new Body(text);
    this.#kept.set(text, body);
    return body;
  }

  /** Keeps the beginning of a body. */
  #tooLarge(text: string, how: string): Body {
    const most = Math.max(bytesOfHead.least, Math.min(bytesOfHead.most, this.#bytesLeftForHeads >> 3));
    // Copied as bytes, because a slice of a string keeps the whole string in memory.
    const head = Buffer.from(this.#redact(text).slice(0, most)).subarray(0, most);
    this.#bytesLeftForHeads -= head.length;
    return new Body(head.toString(), `a body ${how}`);
  }
}

/** A body that parses its JSON on demand. Parsed values take much more memory than text, so the next GC frees them. */
class Body {
  readonly text: string;
  readonly unread: string | undefined;
  #parsed: WeakRef<{ readonly value: unknown }> | undefined;

  constructor(text: string, unread?: string) {
    this.text = text;
    this.unread = unread;
  }

  get json(): unknown {
    if (this.unread !== undefined) return undefined;
    let kept = this.#parsed?.deref();
    if (kept === undefined) {
      kept = { value: parsed(this.text) };
      this.#parsed = new WeakRef(kept);
    }
    return kept.value;
  }
}

function received(status: number, headers: Headers, body: Body): Response {
  const { text, unread } = body;
  return {
    status,
    headers,
    text,
    ...(unread === undefined ? {} : { unread }),
    get json() {
      return body.json;
    },
  };
}

/**
 * Returns a body as far as `wants` more. Copies the chunks, because a chunk of one byte may be a view of many
 * kilobytes.
 */
async function collected(body: AsyncIterable<Uint8Array>, wants: (more: number) => boolean): Promise<Buffer> {
  let buffer = Buffer.allocUnsafe(8 * 1024);
  let length = 0;
  for await (const chunk of body) {
    if (length + chunk.length > buffer.length) {
      const larger = Buffer.allocUnsafe(2 * (length + chunk.length));
      buffer.copy(larger, 0, 0, length);
      buffer = larger;
    }
    buffer.set(chunk, length);
    length += chunk.length;
    if (!wants(chunk.length)) break;
  }
  return buffer.subarray(0, length);
}

/** Returns the memory that a string takes: two bytes per character if any character is outside Latin-1. */
function bytesOf(text: string): number {
  return /^[\0-\xff]*$/.test(text) ? text.length : 2 * text.length;
}
