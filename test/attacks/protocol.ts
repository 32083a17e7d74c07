import { responseHeaders } from '../../fixtures/contract/headers.ts';
import type { StubResponse } from '../../stub/server/handle.ts';
import { type Attacks, head, headed, like, pour, responseText, withBody } from './wire.ts';

/** Unusual HTTP alone violates no requirement. A response without this header does. */
const unmarked = (good: StubResponse): StubResponse => ({
  ...good,
  headers: { ...good.headers, [responseHeaders.api]: '' },
});

/** Invalid or unusual HTTP. */
export const protocol: Attacks = {
  'no HTTP at all': (socket) => void socket.write('SSH-2.0-OpenSSH_9.6\r\n'),
  'an answer of HTTP/0.9': (socket, { body }) => void socket.end(body),
  'a version of its own': (socket, { status, headers, body }) =>
    void socket.write(withBody(status, headers, Buffer.from(body), '3.7')),
  'an end before anything': (socket) => void socket.destroy(),
  'a reset': (socket) => void socket.resetAndDestroy(),
  'an end in the headers': (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-ty'),
  'an end in the body': (socket, { headers }) => {
    socket.write(Buffer.concat([head(200, { ...headers, 'content-length': '1000' }), Buffer.from('{"ok":')]), () =>
      socket.destroy(),
    );
  },
  'an end in a chunk': (socket, { headers }) => {
    socket.end(Buffer.concat([head(200, { ...headers, 'transfer-encoding': 'chunked' }), Buffer.from('ff\r\n{"ok":')]));
  },
  'chunks of a negative size': (socket, { headers }) => {
    socket.write(
      Buffer.concat([head(200, { ...headers, 'transfer-encoding': 'chunked' }), Buffer.from('-5\r\n{}\r\n')]),
    );
  },
  'two lengths': (socket, { status, headers, body }) => {
    socket.write(Buffer.concat([head(status, { ...headers, 'content-length': ['3', '5'] }), Buffer.from(body)]));
  },
  'a length and chunks': (socket, { status, headers, body }) => {
    const both = { ...headers, 'content-length': '5', 'transfer-encoding': 'chunked' };
    socket.write(Buffer.concat([head(status, both), Buffer.from(`2\r\n{}\r\n0\r\n\r\n${body}`)]));
  },
  'too long a length': (socket, { status, headers, body }) => {
    socket.write(
      Buffer.concat([head(status, { ...headers, 'content-length': String(body.length + 10) }), Buffer.from(body)]),
    );
  },
  'too short a length': (socket, { status, headers, body }) => {
    socket.write(
      Buffer.concat([
        head(status, { ...headers, 'content-length': String(Math.max(0, body.length - 10)) }),
        Buffer.from(body),
      ]),
    );
  },
  'headers twice': (socket, { status, headers, body }) => {
    const twice = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value, value]]));
    socket.write(withBody(status, twice, Buffer.from(body)));
  },
  'headers folded over lines': headed(() => ({ 'x-folded': 'a\r\n b' })),
  'a header without name': (socket, { body }) => {
    socket.write(`HTTP/1.1 200 OK\r\n: value\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  },
  'a header with NUL': headed(() => ({ 'x-nul': 'a\0b' })),
  'a second response that nobody asked for': (socket, good) => {
    socket.write(
      Buffer.concat([responseText(unmarked(good)), responseText({ ...good, body: '{"ok":true,"balance":0}' })]),
    );
  },
  'a response before the request is read': (socket, good) => {
    socket.write(responseText(unmarked(good)));
    socket.end(responseText(good));
  },
  'informational responses without end': (socket) =>
    pour(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(100)),
  'a thousand informational responses': (socket, good) => {
    const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(1000);
    socket.write(Buffer.concat([Buffer.from(hints), responseText({ ...good, status: 500 })]));
  },
  'a switch to another protocol': (socket, { headers }) => {
    socket.write(head(101, { ...headers, connection: 'upgrade', upgrade: 'websocket' }));
    pour(socket, '\x81\x05hello');
  },
  'an upgrade that nobody asked for': headed(() => ({
    connection: 'upgrade',
    upgrade: 'h2c',
    'alt-svc': 'h3=":443"',
    [responseHeaders.api]: 'h2',
  })),
  'a gateway error': like(() => ({ status: 502, headers: { 'content-type': 'text/plain' }, body: 'Bad Gateway' })),
  'a status of 999': like(() => ({ status: 999 })),
  'a status of 99': (socket, { headers, body }) => void socket.write(withBody(99, headers, Buffer.from(body))),
  'no content': (socket, { headers }) => void socket.write(head(204, headers)),
  'not modified': like(() => ({ status: 304, body: '' })),
  'a challenge': like(({ headers }) => ({
    status: 401,
    headers: { ...headers, 'www-authenticate': 'Basic realm="your key, please"' },
  })),
  'a challenge of the proxy': like(({ headers }) => ({
    status: 407,
    headers: { ...headers, 'proxy-authenticate': 'Basic realm="x"' },
  })),
};
