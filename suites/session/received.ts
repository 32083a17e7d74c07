import type { Redact } from '../history/redaction/redactor.ts';
import { parsed } from '../json.ts';
import { jsonExtent } from '../json-extent.ts';
import type { HeaderList } from '../result.ts';
import { Bytes } from './decoding.ts';
import type { ReceivedResponse } from './sent-exchange.ts';

const megabyte = 1024 * 1024;

/** Limits for all bodies of one run: bytes of text, and values of JSON. */
const mostOfRun = { bytes: 24 * megabyte, nodes: 500_000 };

/** Largest part of the remaining room that one body may take, so that room remains for later bodies. */
const share = { bytes: 1 / 8, nodes: 1 / 50 };

/** Deepest nesting that the kit accepts: deeper than any tool returns, and safe to walk recursively. */
const mostLevels = 200;

/** Bytes to keep of a body that is too large. After many of these bodies, fewer bytes are kept of each. */
const bytesOfHead = { most: 16 * 1024, least: 256 };

type Body = Pick<ReceivedResponse, 'text' | 'cutAtBytes' | 'unread'>;

/** Receives the bodies of one run in bounded memory, whatever the deployment sends. */
export class Receiver {
  readonly #texts = new Map<string, string>();
  readonly #redact: Redact;
  #bytesLeft: number;
  #bytesLeftForHeads: number;
  #nodesLeft = mostOfRun.nodes;

  constructor(redact: Redact, mostBytes = mostOfRun.bytes) {
    this.#redact = redact;
    this.#bytesLeft = mostBytes;
    this.#bytesLeftForHeads = mostBytes * share.bytes;
  }

  async receive(status: number, headers: HeaderList, stream: AsyncIterable<Uint8Array>): Promise<ReceivedResponse> {
    const bytes = new Bytes();
    try {
      for await (const chunk of stream) {
        bytes.add(chunk);
        this.#bytesLeft -= chunk.length;
        const most = Math.floor((this.#bytesLeft + bytes.length) * share.bytes);
        if (bytes.length > most)
          return this.#keep(status, headers, tooLarge(textOf(bytes), `of more than ${most} bytes`));
      }
      return this.#keep(status, headers, this.#read(textOf(bytes)));
    } finally {
      this.#bytesLeft += bytes.length;
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
    if (known !== undefined) return { text: known };
    this.#bytesLeft -= bytesOf(text);
    this.#nodesLeft -= nodes;
    this.#texts.set(text, text);
    return { text };
  }

  #keep(status: number, headers: HeaderList, body: Body): ReceivedResponse {
    if (body.unread === undefined) return new Received(status, headers, body);
    const most = Math.max(bytesOfHead.least, Math.min(bytesOfHead.most, this.#bytesLeftForHeads >> 3));
    // Copied as bytes, because a slice of a string keeps the whole string in memory.
    const head = Buffer.from(this.#redact(body.text).slice(0, most)).subarray(0, most);
    this.#bytesLeftForHeads -= head.length;
    const kept = { ...body, text: head.toString(), cutAtBytes: head.length };
    return new Received(status, headers, kept);
  }
}

/**
 * Response that parses its JSON on demand. Most responses are read once, and parsed values take much more memory than
 * text.
 */
class Received implements ReceivedResponse {
  readonly status: number;
  readonly headers: HeaderList;
  readonly text: string;
  readonly cutAtBytes?: number;
  readonly unread?: string;
  /** The garbage collector may remove it, because the parsed values of a whole run do not fit into memory. */
  #parsed: WeakRef<object> | undefined;

  constructor(status: number, headers: HeaderList, { text, cutAtBytes, unread }: Body) {
    this.status = status;
    this.headers = headers;
    this.text = text;
    if (cutAtBytes !== undefined) this.cutAtBytes = cutAtBytes;
    if (unread !== undefined) this.unread = unread;
  }

  get json(): unknown {
    if (this.unread !== undefined) return undefined;
    const known = this.#parsed?.deref();
    if (known !== undefined) return known;
    const value = parsed(this.text);
    if (typeof value === 'object' && value !== null) this.#parsed = new WeakRef(value);
    return value;
  }
}

function tooLarge(text: string, how: string): Body {
  return { text, unread: `a body ${how}` };
}

/** Returns the memory that a string takes: two bytes per character if any character is outside Latin-1. */
function bytesOf(text: string): number {
  return /^[\0-\xff]*$/.test(text) ? text.length : 2 * text.length;
}

function textOf({ all }: Bytes): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(all);
}
