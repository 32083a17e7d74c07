import type { Answer } from '../exchange.ts';
import type { Redact } from '../history/redaction/redactor.ts';
import { jsonExtent } from '../json-extent.ts';
import type { HeaderList } from '../result.ts';
import { Parsed } from './parsed.ts';

const megabyte = 1024 * 1024;

/** What the bodies of one run may be together, in bytes as text and in values of JSON. */
const mostOfRun = { bytes: 24 * megabyte, nodes: 500_000 };

/** A body may be this part of what is left for the run: no single one takes the room of all that follow. */
const share = { bytes: 1 / 8, nodes: 1 / 50 };

/**
 * Nesting beyond which nothing is looked at: far from what any tool returns, and well within what can be walked
 * through.
 */
const mostLevels = 200;

/** As much as is kept of a body that is too large, and of those after many that were. */
const bytesOfHead = { most: 16 * 1024, least: 256 };

type Body = Pick<Answer, 'text' | 'cutAtBytes' | 'unread'> & { nodes: number };

/** Receives the bodies of one run. What they take together is bounded, whatever the deployment sends. */
export class Receiver {
  readonly #parsed = new Parsed();
  readonly #texts = new Map<string, string>();
  readonly #redact: Redact;
  /** Buffers that are not in use. A new one for every response would stay in the process long after the response. */
  readonly #idle: Buffer[] = [];
  #bytesLeft: number;
  #bytesLeftForHeads: number;
  #nodesLeft = mostOfRun.nodes;

  constructor(redact: Redact, mostBytes = mostOfRun.bytes) {
    this.#redact = redact;
    this.#bytesLeft = mostBytes;
    this.#bytesLeftForHeads = mostBytes * share.bytes;
  }

  async receive(status: number, headers: HeaderList, stream: AsyncIterable<Uint8Array>): Promise<Answer> {
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
    // What comes again and again, as a schedule does, takes no room a second time.
    const known = this.#texts.get(text);
    if (known !== undefined) return { text: known, nodes };
    this.#bytesLeft -= bytesOf(text);
    this.#nodesLeft -= nodes;
    this.#texts.set(text, text);
    return { text, nodes };
  }

  #keep(status: number, headers: HeaderList, body: Body): Answer {
    if (body.unread === undefined) return new Received(status, headers, body, this.#parsed);
    const most = Math.max(bytesOfHead.least, Math.min(bytesOfHead.most, this.#bytesLeftForHeads >> 3));
    // Through bytes, since a slice of a text would keep all of it.
    const head = Buffer.from(body.text.slice(0, most)).subarray(0, most);
    this.#bytesLeftForHeads -= head.length;
    const kept = { ...body, text: this.#redact(head.toString()), cutAtBytes: head.length };
    return new Received(status, headers, kept, this.#parsed);
  }
}

/**
 * A response whose JSON is parsed when it is asked for: most are asked once, and parsed values take many times the room
 * of their text.
 */
class Received implements Answer {
  readonly status: number;
  readonly headers: HeaderList;
  readonly text: string;
  readonly cutAtBytes?: number;
  readonly unread?: string;
  readonly #nodes: number;
  readonly #parsed: Parsed;

  constructor(status: number, headers: HeaderList, { text, cutAtBytes, unread, nodes }: Body, parsed: Parsed) {
    this.status = status;
    this.headers = headers;
    this.text = text;
    if (cutAtBytes !== undefined) this.cutAtBytes = cutAtBytes;
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

/** What a text takes in memory: two bytes for each character as soon as one is beyond Latin-1. */
function bytesOf(text: string): number {
  return /^[\0-\xff]*$/.test(text) ? text.length : 2 * text.length;
}

const bytesOfBuffer = 64 * 1024;

/** A text as its bytes come. They are copied, since a chunk of one byte may be a view of many kilobytes. */
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

  /** All of it, when no more comes. */
  end(): string {
    this.#decode(false);
    return this.#parts.join('');
  }

  #decode(more: boolean): void {
    this.#parts.push(this.#decoder.decode(this.#buffer.subarray(0, this.#filled), { stream: more }));
    this.#filled = 0;
  }
}
