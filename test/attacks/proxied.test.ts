import type { Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { certificateOf } from '../../cli/listening.ts';
import { httpServer, listening, tcpServer } from '../network.ts';
import { goodResponse, proxied, toolRequest } from './proxied.ts';

const good = goodResponse();
const reply = (start: string, head = '') => `HTTP/1.1 ${start}\r\n${head}content-length: 0\r\n\r\n`;

/** Bytes that a deployment sends, and what the client receives. */
const hostile: Readonly<Record<string, readonly [bytes: string, received: RegExp]>> = {
  'early hints with a malformed Link': [`HTTP/1.1 103 Early\r\nLink: not a link\r\n\r\n${good}`, /200 OK/],
  'early hints with a control character': [`HTTP/1.1 103 Early\r\nLink: <a>; rel=x\u0001\r\n\r\n${good}`, /200|502/],
  'a control character in the reason phrase': [reply('200 O\u0001K'), /502 Bad Gateway/],
  'the status 000': [reply('000 Nothing'), /502 Bad Gateway/],
  'the status 099': [reply('099 Odd'), /502 Bad Gateway/],
  'the status 999': [reply('999 Odd'), /999 Odd/],
  'Trailer with a content length': [reply('200 OK', 'Trailer: x-sum\r\n'), /200 OK/],
  'malformed trailers': [
    'HTTP/1.1 200 OK\r\nTrailer: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nx: \u0001\r\n\r\n',
    /200 OK|502|broken off|^$/,
  ],
  'a malformed chunk': ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n', /200 OK|502|^$/],
  'both lengths': [reply('200 OK', 'Transfer-Encoding: chunked\r\n'), /502/],
  'a malformed header': [reply('200 OK', 'a b: c\r\n'), /502/],
  'a control character in a header': [reply('200 OK', 'x-a: b\u0000c\r\n'), /502/],
  'headers of 1 MB': [reply('200 OK', `x-a: ${'y'.repeat(1_000_000)}\r\n`), /502/],
  'a switch of protocols': ['HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n', /502/],
  'no HTTP': ['220 smtp ready\r\n', /502/],
  'interim responses without end': ['HTTP/1.1 102 Processing\r\n\r\n'.repeat(5000), /502/],
  'early hints without end': ['HTTP/1.1 103 Early\r\nLink: <a>; rel=x\r\n\r\n'.repeat(5000), /502/],
  'a body for 204': ['HTTP/1.1 204 No\r\ncontent-length: 2\r\n\r\n{}', /204 No/],
  'a second response that nobody asked for': [good + good, /200 OK/],
};

describe('a hostile deployment costs one exchange', () => {
  test.concurrent.each(Object.entries(hostile))('%s', async (_, [bytes, received]) => {
    await proxied(
      (socket, nth) => socket.write(nth === 1 ? bytes : good, 'latin1'),
      async ({ raw, port, end }) => {
        const first = await raw(toolRequest(port));
        expect(first).toMatch(received);
        // The next request is forwarded as usual.
        expect(await raw(toolRequest(port))).toMatch(/200 OK[\s\S]*balance/);
        const { notices, summary } = await end();
        expect(summary.requests).toBe(2);
        if (/502/.test(first))
          expect(notices[0]).toMatch(/^1 of 2 requests: .*; the first is request 1 through the proxy$/);
      },
    );
  });

  test('a status that HTTP does not have is a finding', async () => {
    await proxied(
      (socket) => socket.write(reply('099 Odd')),
      async ({ raw, port, end }) => {
        await raw(toolRequest(port, { head: 'Authorization: Bearer a-key-of-some-length\r\n' }));
        const { requirements } = await end();
        expect(requirements.find(({ id }) => id === 'envelopes.described-status')?.status).toBe('failed');
      },
    );
  });
});

describe('the reason why a deployment does not respond', () => {
  const secure = async (protocols: string[], onConnection: Parameters<typeof createTlsServer>[1]) => {
    await using certificate = await certificateOf({ tls: true }, '127.0.0.1');
    const { cert, key } = certificate ?? {};
    return listening(createTlsServer({ cert, key, ALPNProtocols: protocols }, onConnection));
  };
  const whenAsked = (act: (socket: Socket) => unknown) => () =>
    tcpServer((socket) => void socket.once('data', () => act(socket)));
  const cases = {
    'refused the connection': async () => {
      await using closed = await httpServer(() => undefined);
      return closed;
    },
    'the certificate of the deployment is not trusted': () => secure(['http/1.1'], (socket) => socket.end()),
    'the deployment speaks only HTTP/2': () => secure(['h2'], (socket) => socket.end()),
    'the port of the deployment does not speak TLS: use http://': () =>
      tcpServer((socket) => void socket.end('220 smtp\r\n')),
    'the deployment closed the connection': whenAsked((socket) => socket.resetAndDestroy()),
    'the response of the deployment is not HTTP/1.1': whenAsked((socket) => socket.end('220 smtp\r\n')),
  };

  test.each(Object.entries(cases))('%s: in the 502, and with its count in the report', async (reason, start) => {
    const server = await start();
    const scheme = /connection$|not HTTP/.test(reason) ? 'http' : 'https';
    const printed: string[] = [];
    await proxied(
      () => undefined,
      async ({ raw, port, end }) => {
        for (const _ of [1, 2])
          expect(await raw(toolRequest(port))).toMatch(new RegExp(`^HTTP/1.1 502.*${reason}`, 's'));
        const { notices, trouble, verdict } = await end();
        expect(notices[0]).toMatch(new RegExp(`^2 of 2 requests: .*${reason}`));
        expect([trouble, verdict]).toEqual([['no request got a complete response'], 'inconclusive']);
      },
      { baseUrl: `${scheme}://127.0.0.1:${server.port}`, onProblem: (problem) => printed.push(problem) },
    );
    expect(printed).toEqual([expect.stringContaining(reason)]);
    if (!reason.startsWith('refused')) await server[Symbol.asyncDispose]();
  });
});

const hosted = (port: number, line: string, head = '') => `${line} HTTP/1.1\r\nHost: localhost:${port}\r\n${head}\r\n`;

describe('a hostile client costs one exchange', () => {
  const close = 'Connection: close\r\n';
  const cases: Readonly<Record<string, (port: number) => string>> = {
    'Trailer with a content length': (port) => toolRequest(port, { head: 'Trailer: x-sum\r\n' }),
    'a request to upgrade': (port) => hosted(port, 'GET /x', 'Upgrade: websocket\r\nConnection: Upgrade\r\n'),
    CONNECT: (port) => hosted(port, 'CONNECT a.example.test:443'),
    'a target in absolute form': (port) => hosted(port, `GET http://localhost:${port}/x`, close),
    'OPTIONS *': (port) => hosted(port, 'OPTIONS *', close),
    'an unknown method': (port) => hosted(port, 'BREW /pot', close),
    'headers of 1 MB': (port) => hosted(port, 'GET /x', `x-a: ${'y'.repeat(1_000_000)}\r\n${close}`),
    'a byte above 127 in the path': (port) => hosted(port, 'GET /\u00e9\u00ff', close),
    'a body cut short': (port) => toolRequest(port).slice(0, -1),
    'an expectation': (port) => toolRequest(port, { head: 'Expect: 100-continue\r\n' }),
    'another expectation': (port) => toolRequest(port, { head: 'Expect: tea\r\n' }),
    'no HTTP': () => '\u0016\u0003\u0001 hello\r\n\r\n',
  };
  test.concurrent.each(Object.entries(cases))('%s', async (_, bytes) => {
    await proxied(
      (socket) => socket.write(good),
      async ({ raw, port, end }) => {
        await raw(bytes(port), 500);
        expect(await raw(toolRequest(port))).toMatch(/200 OK[\s\S]*balance/);
        expect((await end()).verdict).not.toBe(undefined);
      },
    );
  });
});

describe('a name that was bound to this machine', () => {
  test.each([
    ['a foreign name', (port: number) => `rebound.example.test:${port}`, 421],
    ['another port', () => 'localhost:1', 421],
    ['another address', (port: number) => `10.0.0.1:${port}`, 421],
    ['none', () => '', 421],
    ['localhost', (port: number) => `localhost:${port}`, 200],
    ['127.0.0.1', (port: number) => `127.0.0.1:${port}`, 200],
    ['a name that was allowed', () => 'Gateway.test', 200],
  ])('%s', async (_, host, status) => {
    await proxied(
      (socket) => socket.write(good),
      async ({ raw, port, end }) => {
        const request = (target: string, name: string) =>
          `GET ${target} HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`;
        const path = '/api/v1/tools/credits.balance';
        expect(await raw(request(path, host(port)))).toMatch(new RegExp(`^HTTP/1.1 ${status}`));
        if (status === 421) {
          const absolute = request(`http://rebound.example.test:${port}${path}`, `localhost:${port}`);
          expect(await raw(absolute)).toMatch(/^HTTP\/1.1 421/);
        }
        expect((await end()).summary.requests).toBe(status === 200 ? 1 : 0);
      },
      { allowHosts: ['gateway.test'] },
    );
  });
});
