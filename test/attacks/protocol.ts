import { responseHeaders } from '../../fixtures/contract/headers.ts';
import type { StubResponse } from '../../stub/server/handle.ts';
import { type Attacks, chunked, head, headed, like, pour, raw, responseText, withBody } from './wire.ts';

/** Unusual HTTP alone violates no requirement. A response without this header does. */
const unmarked = (good: StubResponse): StubResponse => ({
  ...good,
  headers: { ...good.headers, [responseHeaders.api]: '' },
});

const hint = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n';

/** Declares another length of the body. */
const ofLength = (change: (length: number) => number) =>
  raw(({ status, headers, body }) => [
    head(status, { ...headers, 'content-length': String(change(body.length)) }),
    body,
  ]);

/** Invalid or unusual HTTP. */
export const protocol: Attacks = {
  'no HTTP at all': raw(() => ['SSH-2.0-OpenSSH_9.6\r\n']),
  'an answer of HTTP/0.9': (socket, { body }) => void socket.end(body),
  'a version of its own': raw(({ status, headers, body }) => [withBody(status, headers, Buffer.from(body), '3.7')]),
  'an end before anything': (socket) => void socket.destroy(),
  'a reset': (socket) => void socket.resetAndDestroy(),
  'an end in the headers': (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-ty'),
  'an end in the body': (socket, { headers }) => {
    const start = [head(200, { ...headers, 'content-length': '1000' }), Buffer.from('{"ok":')];
    socket.write(Buffer.concat(start), () => socket.destroy());
  },
  'an end in a chunk': (socket, ...more) => {
    chunked('ff\r\n{"ok":')(socket, ...more);
    socket.end();
  },
  'chunks of a negative size': chunked('-5\r\n{}\r\n'),
  'two lengths': raw(({ status, headers, body }) => [head(status, { ...headers, 'content-length': ['3', '5'] }), body]),
  'a length and chunks': raw(({ status, headers, body }) => [
    head(status, { ...headers, 'content-length': '5', 'transfer-encoding': 'chunked' }),
    `2\r\n{}\r\n0\r\n\r\n${body}`,
  ]),
  'too long a length': ofLength((length) => length + 10),
  'too short a length': ofLength((length) => Math.max(0, length - 10)),
  'headers twice': raw(({ status, headers, body }) => {
    const twice = Object.entries(headers).map(([name, value]) => [name, [value, value]]);
    return [withBody(status, Object.fromEntries(twice), Buffer.from(body))];
  }),
  'headers folded over lines': headed(() => ({ 'x-folded': 'a\r\n b' })),
  'a header without name': raw(({ body }) => [
    `HTTP/1.1 200 OK\r\n: value\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  ]),
  'a header with NUL': headed(() => ({ 'x-nul': 'a\0b' })),
  'a second response that nobody asked for': raw((good) => [
    responseText(unmarked(good)),
    responseText({ ...good, body: '{"ok":true,"balance":0}' }),
  ]),
  'a response before the request is read': (socket, good) => {
    socket.write(responseText(unmarked(good)));
    socket.end(responseText(good));
  },
  'informational responses without end': (socket) => pour(socket, hint.repeat(100)),
  'a thousand informational responses': raw((good) => [hint.repeat(1000), responseText({ ...good, status: 500 })]),
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
  'a status of 99': raw(({ headers, body }) => [withBody(99, headers, Buffer.from(body))]),
  'no content': raw(({ headers }) => [head(204, headers)]),
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
