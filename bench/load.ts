import { connect, type Socket } from 'node:net';
import type { Served } from './child.ts';
import { median, spread } from './table.ts';

interface Asked {
  path: string;
  key: string;
  body: string;
}

export interface Sample extends Asked {
  tool: string;
}

export const rounds = 5;

/** Measures two servers alternately with each sample. Returns the rate of each and the median of their ratios. */
export async function comparedRates(server: Served, bare: Served, samples: readonly Sample[]): Promise<string[][]> {
  const rows: string[][] = [];
  for (const sample of samples) {
    const [rates, bareRates]: [number[], number[]] = [[], []];
    for (let round = 0; round <= rounds; round++) {
      const measured = await requestsPerSecond(new URL(server.baseUrl), sample);
      const ofBare = await requestsPerSecond(new URL(bare.baseUrl), sample);
      if (round === 0) continue; // warm-up
      rates.push(measured);
      bareRates.push(ofBare);
    }
    const ratio = median(rates.map((rate, round) => rate / (bareRates[round] ?? Number.NaN))).toFixed(2);
    rows.push([sample.tool, spread(rates), spread(bareRates), ratio]);
  }
  return rows;
}

/**
 * Repeats a request on 32 connections without pauses for a second, and returns the number of responses per second. All
 * responses must have the same length, because the function only counts bytes to use little CPU time itself.
 */
export async function requestsPerSecond(url: URL, request: Asked): Promise<number> {
  const bytes = bytesOf(url, request);
  const sockets = await Promise.all(Array.from({ length: 32 }, () => open(url)));
  const length = await lengthOfAnswer(sockets[0], bytes);
  let answered = 0;
  for (const socket of sockets) {
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
  for (const socket of sockets) socket.destroy();
  return rate;
}

/** Sends a request 1000 times in sequence on one connection. Returns the duration of each in milliseconds. */
export async function millisecondsEach(url: URL, request: Asked): Promise<number[]> {
  const bytes = bytesOf(url, request);
  const socket = await open(url);
  const length = await lengthOfAnswer(socket, bytes);
  const times: number[] = [];
  while (times.length < 1000) {
    const startedAt = performance.now();
    socket.write(bytes);
    for (let received = 0; received < length; ) {
      received += (await new Promise<Buffer>((resolve) => socket.once('data', resolve))).length;
    }
    times.push(performance.now() - startedAt);
  }
  socket.destroy();
  return times;
}

function bytesOf(url: URL, { path, key, body }: Asked): Buffer {
  const from = [`POST ${path} HTTP/1.1`, `host: ${url.host}`, `authorization: Bearer ${key}`];
  const about = ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`];
  return Buffer.from([...from, ...about, '', body].join('\r\n'));
}

function open({ hostname, port }: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true }, () => resolve(socket));
    socket.on('error', reject);
  });
}

/** Sends a request and returns the length of the response in bytes. Rejects if the status is not 200. */
function lengthOfAnswer(socket: Socket | undefined, request: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = '';
    const read = (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const headEnd = text.indexOf('\r\n\r\n') + 4;
      const length = headEnd + Number(/content-length: (\d+)/i.exec(text)?.[1]);
      if (headEnd < 4 || text.length < length) return;
      socket?.off('data', read);
      if (text.startsWith('HTTP/1.1 200')) resolve(length);
      else reject(new Error(`the server answered ${text.slice(0, 300)}`));
    };
    socket?.on('data', read);
    socket?.write(request);
  });
}
