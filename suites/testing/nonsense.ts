import type { Socket } from 'node:net';
import type { StubResponse } from '../../stub/server/handle.ts';

/** Writes to a socket what no server should; `good` is what the stub would have answered. */
export type Nonsense = (socket: Socket, good: StubResponse) => void;

/** An answer as it goes over the wire. */
export function answerText({ status, headers, body }: StubResponse, version = '1.1'): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([head(status, { ...headers, 'content-length': String(bytes.length) }, version), bytes]);
}

function head(status: number, headers: Readonly<Record<string, string | readonly string[]>>, version = '1.1'): Buffer {
  const fields = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((each) => `${name}: ${each}`));
  return Buffer.from(`HTTP/${version} ${status} Whatever\r\n${fields.join('\r\n')}\r\n\r\n`);
}

const like =
  (change: (good: StubResponse) => Partial<StubResponse>): Nonsense =>
  (socket, good) => {
    socket.write(answerText({ ...good, ...change(good) }));
  };

const json = (body: string) => like(() => ({ status: 200, body }));

const withLength =
  (length: (bytes: number) => number): Nonsense =>
  (socket, { status, headers, body }) => {
    const bytes = Buffer.from(body);
    socket.write(Buffer.concat([head(status, { ...headers, 'content-length': String(length(bytes.length)) }), bytes]));
  };

/** Writes again and again until the socket is closed. */
function pour(socket: Socket, chunk: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(chunk), everyMs);
  socket.on('close', () => clearInterval(timer));
}

const megabyte = 1024 * 1024;

/** Everything a server may do to whoever asks it, by a name for it. */
export const nonsenses = {
  'a page': like(() => ({
    headers: { 'content-type': 'text/html' },
    body: '<!doctype html><title>Welcome</title><script>alert(1)</script>',
  })),
  'an empty body': like(() => ({ body: '' })),
  'half of the JSON': like(({ body }) => ({ body: body.slice(0, body.length / 2) })),
  'a huge body': like(() => ({ body: JSON.stringify({ ok: true, text: 'x'.repeat(6 * megabyte) }) })),
  'an endless body': (socket, { headers }) => {
    socket.write(head(200, { ...headers, 'transfer-encoding': 'chunked' }));
    pour(socket, `10000\r\n${'x'.repeat(65_536)}\r\n`, 1);
  },
  'a body byte by byte': (socket, { headers }) => {
    socket.write(head(200, { ...headers, 'content-length': '1000' }));
    pour(socket, ' ', 20);
  },
  'an end in the middle': (socket, { headers }) => {
    socket.write(Buffer.concat([head(200, { ...headers, 'content-length': '1000' }), Buffer.from('{"ok":')]), () =>
      socket.destroy(),
    );
  },
  'an end before anything': (socket) => void socket.destroy(),
  'no HTTP at all': (socket) => void socket.write('SSH-2.0-OpenSSH_9.6\r\n'),
  'headers twice': (socket, { status, headers, body }) => {
    const twice = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value, value]]));
    const bytes = Buffer.from(body);
    socket.write(Buffer.concat([head(status, { ...twice, 'content-length': String(bytes.length) }), bytes]));
  },
  'two lengths': (socket, { status, headers, body }) => {
    socket.write(Buffer.concat([head(status, { ...headers, 'content-length': ['3', '5'] }), Buffer.from(body)]));
  },
  'a very long header': like(({ headers }) => ({ headers: { ...headers, 'x-long': 'x'.repeat(100_000) } })),
  'very many headers': like(({ headers }) => ({
    headers: { ...headers, ...Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`x-${index}`, '1'])) },
  })),
  'a redirect': like(({ headers }) => ({ status: 307, headers: { ...headers, location: '/elsewhere' }, body: '' })),
  'a redirect to itself': like(({ headers }) => ({
    status: 308,
    headers: { ...headers, location: '/api/v1/tools/schedule.read' },
  })),
  'a gateway error': like(() => ({ status: 502, headers: { 'content-type': 'text/plain' }, body: 'Bad Gateway' })),
  'another status': like(() => ({ status: 999 })),
  'no content': (socket, { headers }) => void socket.write(head(204, headers)),
  'nothing, ever': () => undefined,
  'too long a length': withLength((bytes) => bytes + 10),
  'too short a length': withLength((bytes) => Math.max(0, bytes - 10)),
  'invalid UTF-8': (socket, { status, headers, body }) => {
    const bytes = Buffer.from(body.replace('"ok"', '"\u{1}"')).map((byte) => (byte === 1 ? 0xff : byte));
    socket.write(Buffer.concat([head(status, { ...headers, 'content-length': String(bytes.length) }), bytes]));
  },
  'deep JSON': json(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  'deep objects': json(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`),
  'a null': json('null'),
  'a list': json('[{"ok":true}]'),
  prototypes: json(
    '{"__proto__":{"ok":true},"ok":true,"constructor":{"prototype":1},"toString":1,"workspace":"__proto__","working_in":{"__proto__":{"label":"x"}},"items":[{"__proto__":null}],"issues":[{"__proto__":{"path":"x"}}],"code":"__proto__"}',
  ),
  'numbers beyond counting': json(
    '{"ok":true,"balance":1e999,"total":-1e999,"count":1e999,"status":"dispatched","run_id":"r","piece_id":1e999,"workspace":1e999,"items":[1e999]}',
  ),
  'every value a text': json(
    '{"ok":"true","balance":"1","items":"x","hits":"x","days":"x","rows":"x","workspaces":"x","issues":"x","working_in":"x","confirmation_id":{"a":1},"run_id":[1]}',
  ),
  'NUL characters': json(
    '{"ok":true,"workspace":"no\\u0000rth","working_in":{"label":"\\u0000","note":"\u0000"},"run_id":"\\u0000"}',
  ),
  'half a surrogate': json('{"ok":false,"code":"\\ud800","message":"\\udfff","workspaces":["\\ud800","\\udc00"]}'),
} as const satisfies Readonly<Record<string, Nonsense>>;

/** What is odd and no deviation: a kit has to put up with it. */
export const oddities = {
  'a tenth of a second of silence': (socket, good) => {
    setTimeout(() => socket.write(answerText(good)), 100);
  },
  'HTTP/1.0': (socket, good) => {
    socket.end(answerText(good, '1.0'));
  },
  'an end after the answer': (socket, good) => {
    socket.end(answerText(good));
  },
  'early hints first': (socket, good) => {
    socket.write(Buffer.concat([Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'), answerText(good)]));
  },
  'a body without length': (socket, { status, headers, body }) => {
    socket.end(Buffer.concat([head(status, { ...headers, connection: 'close' }), Buffer.from(body)]));
  },
} as const satisfies Readonly<Record<string, Nonsense>>;
