import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { httpServer } from '../../test/network.ts';
import { clockByCommand, clockByUrl } from './clock.ts';

/** Server of a clock that responds with one status, and the requests that it received. */
async function clockServer(status: number) {
  const seen: { body: string; headers: IncomingHttpHeaders }[] = [];
  const server = await httpServer(async (request, response) => {
    seen.push({ body: await text(request), headers: request.headers });
    response.writeHead(status).end('done');
  });
  return Object.assign(server, { url: `http://127.0.0.1:${server.port}/advance?token=hidden`, seen });
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
  const why = 'the clock at http://127.0.0.1:1/advance could not be reached (ECONNREFUSED)';
  await expect(advancing).rejects.toThrow(why);
});

test('a clock by command gets the seconds in its arguments', async () => {
  const script = 'process.exit(process.argv[1] === "by=60" ? 0 : 4)';
  const clock = clockByCommand(['node', '-e', script, 'by={seconds}'], '.');
  await clock.advance(60);
  await expect(clock.advance(61)).rejects.toThrow("the clock's command 'node' exited with code 4");
  const missing = clockByCommand(['no-such-program', '{seconds}'], '.').advance(1);
  await expect(missing).rejects.toThrow("the clock's command 'no-such-program' was not found");
});

test('an interrupted advance rejects with the reason of the interruption', async () => {
  const reason = new Error('interrupted');
  const clock = clockByCommand(['node', '-e', 'setTimeout(() => {}, 5000)', '{seconds}'], '.');
  await expect(clock.advance(1, AbortSignal.abort(reason))).rejects.toBe(reason);
});
