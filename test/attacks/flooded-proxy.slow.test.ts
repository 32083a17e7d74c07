import { mkdtemp, readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { kit } from '../../suites/kit.ts';
import { tcpServer } from '../network.ts';
import { reportIn } from '../output.ts';
import { startTck } from '../tck.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const parent = temporaryFolder();

const megabyte = 1_000_000;
const half = Buffer.alloc(megabyte - 10, 'x');
const long = Array.from({ length: 60 }, (_, index) => `x-${index}: ${'y'.repeat(2000)}\r\n`).join('');
const status = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const length = (bytes: number) => `content-length: ${bytes}\r\n\r\n`;

interface Flood {
  /** What each client sends after the head of its request. */
  readonly sent: readonly (string | Buffer)[];
  /** What the deployment sends to each client. */
  readonly received: readonly (string | Buffer)[];
}

const floods: Readonly<Record<string, Flood>> = {
  'half bodies of requests': { sent: [length(2 * megabyte), half], received: [] },
  'half bodies of responses': { sent: [length(2), '{}'], received: [status, length(2 * megabyte), half] },
  'whole bodies of responses': { sent: [length(2), '{}'], received: [status, length(half.length), half] },
  'long headers of requests': { sent: [long, length(2 * megabyte), half], received: [] },
  'long headers of responses': { sent: [length(2), '{}'], received: [status, long, length(10), '{'] },
};

function sendTo(socket: Socket, texts: readonly (string | Buffer)[]): void {
  socket.on('error', () => undefined);
  for (const text of texts) socket.write(text);
}

/** Waits until no byte has moved for two seconds. */
async function untilQuiet(sockets: readonly Socket[]): Promise<void> {
  const moved = () =>
    sockets.reduce(
      (sum, { bytesRead, bytesWritten, writableLength }) => sum + bytesRead + bytesWritten - writableLength,
      0,
    );
  for (let [before, now] = [-1, moved()]; before !== now; [before, now] = [now, moved()]) await wait(2000);
}

test.each(Object.entries(floods))('600 requests with %s stay open', async (_, flood) => {
  const folder = await mkdtemp(join(parent, 'flood-'));
  const sockets: Socket[] = [];
  await using server = await tcpServer((socket) => {
    sockets.push(socket);
    socket.on('data', () => undefined);
    sendTo(socket, flood.received);
  });
  const peak = join(folder, 'peak');
  const reporting = `--import ${new URL('./report-peak.ts', import.meta.url).href} --max-old-space-size=256`;
  const args = ['proxy', `http://127.0.0.1:${server.port}`, '--port', '0', '--out', join(folder, 'out')];
  const proxy = startTck(args, { env: { NODE_OPTIONS: reporting, TCK_TEST_PEAK: peak } });
  const [, at = ''] = /Forwarding http:\/\/127\.0\.0\.1:(\d+)/.exec(await proxy.printed('Ctrl-C')) ?? [];
  for (let nth = 0; nth < 600; nth++) {
    const socket = connect(Number(at), '127.0.0.1');
    sockets.push(socket);
    const head = `POST /api/v1/tools/schedule.read HTTP/1.1\r\nHost: localhost:${at}\r\n`;
    sendTo(socket, [head, `authorization: Bearer key-number-${nth}\r\n`, ...flood.sent]);
  }
  await untilQuiet(sockets);
  proxy.child.kill('SIGINT');
  const { code, stderr } = await proxy.ended;
  expect([1, 3], stderr).toContain(code);
  // What the proxy keeps takes at most 70 MB. The rest is the program, and freed memory that the system has not taken
  // back, which varies by 100 MB.
  expect(Number(await readFile(peak, 'utf8'))).toBeLessThan(500);
  expect((await reportIn(join(folder, 'out'))).kit.name).toBe(kit.name);
  for (const socket of sockets) socket.destroy();
});
