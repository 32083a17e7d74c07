import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { toolPath } from '../fixtures/contract/tools.ts';
import { connect as control, type WorldAccess } from '../stub/control/client.ts';
import { serve } from './child.ts';
import { grouped, type Table } from './table.ts';

const worlds = 1000;
const callsEach = 1000;
const connections = 32;
/** Numbers of sandboxes after which the memory is measured. */
const looks = [0, 10, 100, 250, 500, 750, 1000];

/**
 * Resident memory of the stub during a million requests to a thousand sandboxes with different seeds. Requires a build
 * and Linux.
 */
export async function memoryFigures(): Promise<Table[]> {
  const stub = await serve([
    'dist/cli/main.js',
    'stub',
    '--port',
    '0',
    '--json',
    '--control',
    '--rate-limit',
    '1000000',
  ]);
  try {
    // The format of the line that `tck stub --json` prints has separate tests.
    const { control: plane } = stub.announced as { control: { url: string; token: string } };
    const { mint } = control(plane);
    const sockets = await Promise.all(Array.from({ length: connections }, () => open(new URL(stub.baseUrl))));
    const rows: string[][] = [];
    let calls = 0;
    for (let world = 0; world <= worlds; world++) {
      if (looks.includes(world)) rows.push([grouped(world), grouped(calls), String(await residentMb(stub.pid))]);
      if (world === worlds) break;
      calls += await work(sockets, requestsIn(await mint({ seed: world })));
    }
    for (const socket of sockets) socket.destroy();
    return [
      {
        title: 'Memory',
        about:
          'This table shows the resident memory of the stub with the journal on, during ' +
          `${grouped(worlds * callsEach)} requests to ${grouped(worlds)} sandboxes. Each sandbox has a different ` +
          'seed. The requests read data, propose images, and create content requests. Target: a constant size of ' +
          'less than 120 MB.',
        header: ['Sandboxes', 'Requests', 'MB'],
        rows,
      },
    ];
  } finally {
    await stub.stop();
  }
}

/** Requests to a sandbox, repeated in this order. */
function requestsIn({ baseUrl, keys, workspaces }: WorldAccess): Buffer[] {
  const [first] = workspaces;
  const image = { board: first?.board, brief: 'a cup', count: 1, shape: '1:1' };
  const asked: readonly (readonly [tool: string, args: object])[] = [
    ['credits.balance', {}],
    ['schedule.read', {}],
    ['library.search', { query: '' }],
    ['content.status', {}],
    ['images.generate', image],
    ['content.create_request', { format: 'posts', day: '2030-01-02', title: 'A post' }],
    ['knowledge.search', { query: 'what do customers ask for' }],
    ['schedule.read', { workspace: 'south' }],
  ];
  const { host } = new URL(baseUrl);
  return asked.map(([tool, args]) => {
    const body = JSON.stringify(args);
    const lines = [
      `POST ${toolPath(tool)} HTTP/1.1`,
      `host: ${host}`,
      `authorization: Bearer ${keys.primary}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
    ];
    return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
  });
}

const beginning = Buffer.from('HTTP/1.1 200');

/** Sends `callsEach` requests, one at a time on each connection. Returns the number of requests. */
async function work(sockets: readonly Socket[], requests: readonly Buffer[]): Promise<number> {
  let sent = 0;
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve, reject) => {
          const next = (): void => {
            const request = requests[sent % requests.length];
            if (sent >= callsEach || request === undefined) {
              socket.removeAllListeners('data');
              resolve();
              return;
            }
            sent += 1;
            socket.write(request);
          };
          let missing = 0;
          socket.on('data', (chunk: Buffer) => {
            if (missing === 0) {
              if (!chunk.subarray(0, beginning.length).equals(beginning))
                reject(new Error(chunk.toString().slice(0, 300)));
              const head = chunk.indexOf('\r\n\r\n') + 4;
              const length = /content-length: (\d+)/i.exec(chunk.subarray(0, head).toString('latin1'))?.[1];
              missing = head + Number(length);
            }
            missing -= chunk.length;
            if (missing === 0) next();
          });
          next();
        }),
    ),
  );
  return sent;
}

function open({ hostname, port }: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true }, () => resolve(socket));
    socket.on('error', reject);
  });
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}
