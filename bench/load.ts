import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { median, type Served, spread } from './programs.ts';

/** A request to a tool. */
export interface Sample {
  tool: string;
  path: string;
  key: string;
  body: string;
}

export const rounds = 5;

/** Measures two servers alternately with each sample. Returns the rate of each and the median of their ratios. */
export async function comparedRates(server: Served, bare: Served, samples: readonly Sample[]): Promise<object[]> {
  const rows: object[] = [];
  for (const sample of samples) {
    const rates: { own: number; bare: number }[] = [];
    for (let round = 0; round <= rounds; round++) {
      rates.push({ own: await requestsPerSecond(server, sample), bare: await requestsPerSecond(bare, sample) });
    }
    rates.shift(); // warm-up
    const ratio = median(rates.map((each) => each.own / each.bare)).toFixed(2);
    const [own, simple] = [rates.map((each) => each.own), rates.map((each) => each.bare)].map((all) => spread(all));
    rows.push({ tool: sample.tool, own, bare: simple, ratio });
  }
  return rows;
}

/** A connection on which a request was answered, so that the length of its responses is known. */
interface Connection {
  readonly socket: Socket;
  readonly bytes: Buffer;
  readonly length: number;
}

/**
 * Repeats a request on 32 connections without pauses for a second, and returns the number of responses per second. All
 * responses must have the same length, because the function only counts bytes to use little CPU time itself.
 */
export async function requestsPerSecond(server: Served, sample: Sample): Promise<number> {
  const connections = await Promise.all(Array.from({ length: 32 }, () => connectionTo(server, sample)));
  let answered = 0;
  for (const { socket, bytes, length } of connections) {
    let received = 0;
    socket.on('data', (chunk) => {
      for (received += chunk.length; received >= length; received -= length) {
        answered += 1;
        socket.write(bytes);
      }
    });
    socket.write(bytes);
  }
  const startedAt = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const rate = (answered * 1000) / (performance.now() - startedAt);
  for (const { socket } of connections) socket.destroy();
  return rate;
}

/** Sends a request 1000 times in sequence on one connection. Returns the duration of each in milliseconds. */
export async function millisecondsEach(server: Served, sample: Sample): Promise<number[]> {
  const { socket, bytes, length } = await connectionTo(server, sample);
  const times: number[] = [];
  while (times.length < 1000) {
    const startedAt = performance.now();
    socket.write(bytes);
    for (let received = 0; received < length; ) received += (await once(socket, 'data'))[0].length;
    times.push(performance.now() - startedAt);
  }
  socket.destroy();
  return times;
}

/** Connects and sends the request once. Throws if the status is not 200. */
async function connectionTo({ baseUrl }: Served, { path, key, body }: Sample): Promise<Connection> {
  const { host, hostname, port } = new URL(baseUrl);
  const from = [`POST ${path} HTTP/1.1`, `host: ${host}`, `authorization: Bearer ${key}`];
  const about = ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`];
  const bytes = Buffer.from([...from, ...about, '', body].join('\r\n'));
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  socket.write(bytes);
  let text = '';
  for (;;) {
    text += (await once(socket, 'data'))[0].toString('latin1');
    const headEnd = text.indexOf('\r\n\r\n') + 4;
    const length = headEnd + Number(/content-length: (\d+)/i.exec(text)?.[1]);
    if (headEnd < 4 || text.length < length) continue;
    if (text.startsWith('HTTP/1.1 200')) return { socket, bytes, length };
    throw new Error(`the server answered ${text.slice(0, 300)}`);
  }
}
