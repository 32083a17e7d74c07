import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { clockByCommand, clockByUrl } from './clock.ts';

/** Server of a clock that responds with one status, and the requests that it received. */
async function clockServer(status: number) {
  const seen: { body: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      seen.push({ body, headers: request.headers });
      response.writeHead(status).end('done');
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo; // the address of a TCP server has this form
  return {
    url: `http://127.0.0.1:${port}/advance?token=hidden`,
    seen,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

test('a clock by URL is told the seconds, with its headers', async () => {
  await using server = await clockServer(204);
  await clockByUrl(server.url, [{ name: 'x-control', value: 'token' }]).advance(1200);
  expect(server.seen[0]?.body).toBe('{"seconds":1200}');
  expect(server.seen[0]?.headers).toMatchObject({ 'x-control': 'token', 'content-type': 'application/json' });
});

test.each([302, 404, 500])('an answer %i means that time has not moved', async (status) => {
  await using server = await clockServer(status);
  const advancing = clockByUrl(server.url, []).advance(1);
  await expect(advancing).rejects.toThrow(new RegExp(`^the clock at [^?]*/advance responded with ${status}, not 2xx$`));
});

test('a clock that cannot be reached says so', async () => {
  const advancing = clockByUrl('http://127.0.0.1:1/advance', []).advance(1);
  await expect(advancing).rejects.toThrow(
    'the clock at http://127.0.0.1:1/advance could not be reached (ECONNREFUSED)',
  );
});

test('a clock by command gets the seconds in its arguments', async () => {
  const script = 'process.exit(process.argv[1] === "by=60" ? 0 : 4)';
  await clockByCommand(['node', '-e', script, 'by={seconds}'], '.').advance(60);
  await expect(clockByCommand(['node', '-e', script, 'by={seconds}'], '.').advance(61)).rejects.toThrow(
    "the clock's command 'node' exited with code 4",
  );
  await expect(clockByCommand(['no-such-program', '{seconds}'], '.').advance(1)).rejects.toThrow(
    "the clock's command 'no-such-program' was not found",
  );
});

test('an interrupted advance rejects with the reason of the interruption', async () => {
  const reason = new Error('interrupted');
  await expect(
    clockByCommand(['node', '-e', 'setTimeout(() => {}, 5000)', '{seconds}'], '.').advance(
      1,
      AbortSignal.abort(reason),
    ),
  ).rejects.toBe(reason);
});
