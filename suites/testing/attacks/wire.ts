import type { Socket } from 'node:net';
import type { StubResponse } from '../../../stub/server/handle.ts';

/** A request as a hostile server read it. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The tool named in the path; empty for another path. */
  readonly tool: string;
  /** Number of the request, from 1. */
  readonly nth: number;
  /** What was sent as bearer credential; empty where nothing was. */
  readonly key: string;
  /** Base URL of another server, where nothing should ever arrive. */
  readonly elsewhere: string;
}

/** Writes to a socket what no server should; `good` is what the stub would have answered. */
export type Answering = (socket: Socket, good: StubResponse, asked: Asked) => void;

/** Attacks by what a server does. */
export type Attacks = Readonly<Record<string, Answering>>;

export type Headers = Readonly<Record<string, string | readonly string[]>>;

/** A response as it goes over the wire. */
export function responseText({ status, headers, body }: StubResponse, version = '1.1'): Buffer {
  return withBody(status, headers, Buffer.from(body), version);
}

/** The same with a body of bytes. */
export function withBody(status: number, headers: Headers, bytes: Buffer, version = '1.1'): Buffer {
  return Buffer.concat([head(status, { ...headers, 'content-length': String(bytes.length) }, version), bytes]);
}

export function head(status: number, headers: Headers, version = '1.1', reason = 'Whatever'): Buffer {
  const fields = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((each) => `${name}: ${each}`));
  return Buffer.from(`HTTP/${version} ${status} ${reason}\r\n${fields.join('\r\n')}\r\n\r\n`, 'latin1');
}

/** What the stub would have answered, with changes. */
export const like =
  (change: (good: StubResponse, asked: Asked) => Partial<StubResponse>): Answering =>
  (socket, good, asked) => {
    socket.write(responseText({ ...good, ...change(good, asked) }));
  };

/** A response 200 with this body, which is made once. */
export const json = (make: () => string): Answering => {
  const made = once(() => Buffer.from(make()));
  return (socket, { headers }) => void socket.write(withBody(200, headers, made()));
};

/** A response 200 with this object, which is made once and told apart by a number, so that no two are the same. */
export const numbered = (make: () => string): Answering => {
  const made = once(() => Buffer.from(make().slice(0, -1)));
  return (socket, { headers }, { nth }) => {
    socket.write(withBody(200, headers, Buffer.concat([made(), Buffer.from(`,"nth":${nth}}`)])));
  };
};

/** What the stub would have answered, with changes to its JSON. */
export const changed =
  (change: (body: Record<string, unknown>, asked: Asked, status: number) => unknown): Answering =>
  (socket, good, asked) => {
    const body = JSON.stringify(change(JSON.parse(good.body), asked, good.status));
    socket.write(responseText({ ...good, body }));
  };

/** What the stub would have answered, with headers besides; those of the same name are replaced. */
export const headed = (more: (asked: Asked) => Headers): Answering => {
  return (socket, { status, headers, body }, asked) => {
    socket.write(withBody(status, { ...headers, ...more(asked) }, Buffer.from(body)));
  };
};

/** Writes again and again until the socket is closed. */
export function pour(socket: Socket, chunk: string | Buffer, everyMs = 0): void {
  if (everyMs > 0) {
    const timer = setInterval(() => socket.write(chunk), everyMs);
    socket.on('close', () => clearInterval(timer));
    return;
  }
  const fill = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', fill);
  fill();
}

export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The same value with other texts, and the value for everything else. */
export function everyText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => everyText(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, everyText(each, change)]));
}
