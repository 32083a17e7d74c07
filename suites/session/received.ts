import type { Answer } from '../exchange.ts';
import type { Redact } from '../history/redaction/redactor.ts';
import { jsonExtent } from '../json-extent.ts';
import type { HeaderList } from '../result.ts';
import { Parsed } from './parsed.ts';

const megabyte = 1024 * 1024;

/** What the bodies of one run may take, in bytes as text and in values as parsed JSON. */
const mostBytesOfRun = 48 * megabyte;
const mostNodesOfRun = 100_000;

/** A body may take this part of what is left for the run: no single one takes the room of all that follow. */
const share = 1 / 12;

/** More values in one body are far from what any tool returns, and take a hundred times the room of their text. */
const mostNodes = 20_000;

/** Nesting beyond which nothing is looked at: far from what any tool returns, and well within what can be walked through. */
const mostLevels = 200;

/** As much as is kept of a body that is too large, and of those after many that were. */
const bytesOfHead = { most: 16 * 1024, least: 256 };

type Body = Pick<Answer, 'text' | 'cutAtBytes' | 'unread'> & { nodes: number };

/** Receives the bodies of one run. What they take together is bounded, whatever the deployment sends. */
export class Receiver {
  readonly #parsed = new Parsed(mostNodesOfRun);
  readonly #redact: Redact;
  #bytesLeft: number;
  #bytesLeftForHeads: number;

  constructor(redact: Redact, mostBytes = mostBytesOfRun) {
    this.#redact = redact;
    this.#bytesLeft = mostBytes;
    this.#bytesLeftForHeads = mostBytes * share;
  }

  async receive(status: number, headers: HeaderList, stream: AsyncIterable<Uint8Array>): Promise<Answer> {
    const bytes = new Bytes();
    try {
      for await (const chunk of stream) {
        bytes.add(chunk);
        this.#bytesLeft -= chunk.length;
        const most = Math.floor((this.#bytesLeft + bytes.length) * share);
        if (bytes.length <= most) continue;
        return this.#keep(status, headers, tooLarge(bytes.text(bytesOfHead.most), `of more than ${most} bytes`));
      }
      return this.#keep(status, headers, read(bytes.text()));
    } finally {
      this.#bytesLeft += bytes.length;
    }
  }

  #keep(status: number, headers: HeaderList, body: Body): Answer {
    if (body.unread === undefined) {
      const text = this.#redact(body.text);
      this.#bytesLeft -= bytesOf(text);
      return new Received(status, headers, { ...body, text }, this.#parsed);
    }
    const most = Math.max(bytesOfHead.least, Math.min(bytesOfHead.most, this.#bytesLeftForHeads >> 3));
    // Through bytes, since a slice of a text would keep all of it.
    const head = Buffer.from(body.text.slice(0, most)).subarray(0, most);
    this.#bytesLeftForHeads -= head.length;
    const kept = { ...body, text: this.#redact(head.toString()), cutAtBytes: head.length };
    return new Received(status, headers, kept, this.#parsed);
  }
}

/** A response whose JSON is parsed when it is asked for: most are asked once, and parsed values take many times the room of their text. */
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
    return this.unread === undefined ? this.#parsed.of(this, this.text, this.#nodes) : undefined;
  }
}

function read(text: string): Body {
  const { nodes, levels } = jsonExtent(text);
  if (nodes > mostNodes) return tooLarge(text, `of more than ${mostNodes} values`);
  if (levels > mostLevels) return tooLarge(text, `nested more than ${mostLevels} levels deep`);
  return { text, nodes };
}

function tooLarge(text: string, how: string): Body {
  return { text, nodes: 0, unread: `a body ${how}` };
}

/** What a text takes in memory: two bytes for each character as soon as one is beyond Latin-1. */
function bytesOf(text: string): number {
  return /^[\0-\xff]*$/.test(text) ? text.length : 2 * text.length;
}

/** Bytes as they come. They are copied, since a chunk of one byte may be a view of many kilobytes. */
class Bytes {
  length = 0;
  #room = Buffer.allocUnsafe(4096);

  add(chunk: Uint8Array): void {
    const needed = this.length + chunk.length;
    if (needed > this.#room.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#room.length));
      this.#room.copy(larger, 0, 0, this.length);
      this.#room = larger;
    }
    this.#room.set(chunk, this.length);
    this.length = needed;
  }

  text(most = this.length): string {
    return this.#room.toString('utf8', 0, Math.min(most, this.length));
  }
}
