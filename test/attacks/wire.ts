import type { Socket } from 'node:net';
import type { StubResponse } from '../../stub/server/handle.ts';

/** A request as a hostile server read it. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Tool in the path; empty for other paths. */
  readonly tool: string;
  /** Number of the request, from 1. */
  readonly nth: number;
  /** Bearer token of the request; empty without one. */
  readonly key: string;
  /** Base URL of another server, which must receive no requests. */
  readonly elsewhere: string;
}

/** Writes an attack to a socket. `good` is the response of the stub. */
export type Answering = (socket: Socket, good: StubResponse, asked: Asked) => void;

/** Attacks by name. */
export type Attacks = Readonly<Record<string, Answering>>;

export type Headers = Readonly<Record<string, string | readonly string[]>>;

/** Returns the bytes of a response. */
export function responseText({ status, headers, body }: StubResponse, version = '1.1'): Buffer {
  return withBody(status, headers, Buffer.from(body), version);
}

/** Returns the bytes of a response with this body. */
export function withBody(status: number, headers: Headers, bytes: Buffer, version = '1.1'): Buffer {
  return Buffer.concat([head(status, { ...headers, 'content-length': String(bytes.length) }, version), bytes]);
}

export function head(status: number, headers: Headers, version = '1.1', reason = 'Whatever'): Buffer {
  const fields = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((each) => `${name}: ${each}`));
  return Buffer.from(`HTTP/${version} ${status} ${reason}\r\n${fields.join('\r\n')}\r\n\r\n`, 'latin1');
}

/** Sends these bytes and texts, made from the response of the stub. */
export const raw =
  (make: (good: StubResponse, asked: Asked) => readonly (string | Buffer)[]): Answering =>
  (socket, good, asked) => {
    socket.write(Buffer.concat(make(good, asked).map((part) => Buffer.from(part))));
  };

/** Sends the head of a chunked response with more bytes. */
export const chunked = (bytes: string, status = 200) =>
  raw(({ headers }) => [head(status, { ...headers, 'transfer-encoding': 'chunked' }), bytes]);

/** Sends the response of the stub, with changes. */
export const like =
  (change: (good: StubResponse, asked: Asked) => Partial<StubResponse>): Answering =>
  (socket, good, asked) => {
    socket.write(responseText({ ...good, ...change(good, asked) }));
  };

/** Sends a 200 with this body, which is created once. */
export const json = (make: () => string): Answering => {
  const made = once(() => Buffer.from(make()));
  return (socket, { headers }) => void socket.write(withBody(200, headers, made()));
};

/** Sends a 200 with this object, which is created once. A number makes each response unique. */
export const numbered = (make: () => string): Answering => {
  const made = once(() => Buffer.from(make().slice(0, -1)));
  return (socket, { headers }, { nth }) => {
    socket.write(withBody(200, headers, Buffer.concat([made(), Buffer.from(`,"nth":${nth}}`)])));
  };
};

/** Sends the response of the stub, with changes to its JSON. */
export const changed =
  (change: (body: Record<string, unknown>, asked: Asked, status: number) => unknown): Answering =>
  (socket, good, asked) => {
    const body = JSON.stringify(change(JSON.parse(good.body), asked, good.status));
    socket.write(responseText({ ...good, body }));
  };

/** Sends the response of the stub with these headers, which replace headers of equal names. */
export const headed = (more: (asked: Asked) => Headers): Answering => {
  return (socket, { status, headers, body }, asked) => {
    socket.write(withBody(status, { ...headers, ...more(asked) }, Buffer.from(body)));
  };
};

/** Writes repeatedly until the socket closes. */
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

/** Returns a value with all its texts changed. */
export function everyText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => everyText(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, everyText(each, change)]));
}
