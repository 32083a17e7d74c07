import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { Headers } from '../suites/history/exchange.ts';
import type { Recorded } from '../suites/recorded/recorded.ts';
import { stagingTraffic } from '../suites/testing/staging-traffic.ts';
import { root } from './child.ts';
import type { Table } from './table.ts';

const megabytes = 200;

/** `tck audit` of a HAR file of 200 MB as Chromium writes it: time, and memory at its peak. Needs a build, and Linux. */
export async function auditFigures(): Promise<Table[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tck-bench-'));
  try {
    const file = join(folder, 'traffic.har');
    const entries = await writeLarge(file);
    const { seconds, processorSeconds, peakMb } = await audited(file, folder);
    const rate = (each: number) => `${(megabytes / each).toFixed(1)} MB/s`;
    return [
      {
        title: 'An audit of 200 MB',
        about: `\`tck audit\` of a HAR file of ${megabytes} MB with ${entries} entries as Chromium writes them, process start and report included. Aim: 20 MB/s or more, under 400 MB.`,
        header: ['Time', 'Of the processor', 'Speed', 'Speed by the processor', 'Memory at its peak'],
        rows: [
          [
            `${seconds.toFixed(1)} s`,
            `${processorSeconds.toFixed(1)} s`,
            rate(seconds),
            rate(processorSeconds),
            `${peakMb} MB`,
          ],
        ],
      },
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function writeLarge(file: string): Promise<number> {
  const out = createWriteStream(file);
  out.write(
    '{\n  "log": {\n    "version": "1.2",\n    "creator": { "name": "WebInspector", "version": "537.36" },\n    "pages": [],\n    "entries": [',
  );
  let entries = 0;
  let bytes = 0;
  for (const recorded of stagingTraffic(1_000_000).traffic) {
    const text = `${entries === 0 ? '' : ','}\n${JSON.stringify(entryOf(recorded), null, 2)}`;
    entries += 1;
    bytes += Buffer.byteLength(text);
    if (!out.write(text)) await new Promise((resolve) => out.once('drain', resolve));
    if (bytes >= megabytes * 1e6) break;
  }
  out.end('\n    ]\n  }\n}\n');
  await finished(out);
  return entries;
}

const listed = (headers: Headers = []) => headers.map(([name, value]) => ({ name, value }));

/** What Chromium's developer tools write of one request. */
function entryOf({ method, url, requestHeaders, requestBody, response, sentAt, receivedAt }: Recorded) {
  const time = receivedAt - sentAt;
  return {
    _initiator: {
      type: 'script',
      stack: {
        callFrames: [
          {
            functionName: 'call',
            scriptId: '12',
            url: 'https://app.example.test/app.js',
            lineNumber: 214,
            columnNumber: 30,
          },
        ],
      },
    },
    _priority: 'High',
    _resourceType: 'fetch',
    cache: {},
    connection: '443',
    request: {
      method,
      url,
      httpVersion: 'http/2.0',
      headers: listed(requestHeaders),
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: Buffer.byteLength(requestBody ?? ''),
      postData: { mimeType: 'application/json', text: requestBody },
    },
    response: {
      status: response?.status,
      statusText: '',
      httpVersion: 'http/2.0',
      headers: listed(response?.headers),
      cookies: [],
      content: { size: Buffer.byteLength(response?.text ?? ''), mimeType: 'application/json', text: response?.text },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      _transferSize: 700,
      _error: null,
    },
    serverIPAddress: '127.0.0.1',
    startedDateTime: new Date(sentAt).toISOString(),
    time,
    timings: {
      blocked: 0.9,
      dns: -1,
      ssl: -1,
      connect: -1,
      send: 0.2,
      wait: time - 1.4,
      receive: 0.3,
      _blocked_queueing: 0.5,
    },
  };
}

async function audited(file: string, folder: string) {
  const startedAt = performance.now();
  const args = ['dist/cli/main.js', 'audit', file, '--out', join(folder, 'report')];
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'ignore' });
  let [peakMb, ticks] = [0, 0];
  const look = setInterval(async () => {
    const [status, stat] = await Promise.all(
      ['status', 'stat'].map((name) => readFile(`/proc/${child.pid}/${name}`, 'utf8').catch(() => '')),
    );
    peakMb = Math.max(peakMb, Math.round(Number(/VmHWM:\s+(\d+)/.exec(status ?? '')?.[1] ?? 0) / 1024));
    const [user = 0, system = 0] = (stat ?? '').split(') ')[1]?.split(' ').slice(11, 13).map(Number) ?? [];
    ticks = Math.max(ticks, user + system);
  }, 50);
  const code = await new Promise<number | null>((ended) => child.once('exit', ended));
  clearInterval(look);
  if (code !== 0) throw new Error(`the audit ended with exit code ${code}`);
  // Linux counts the time of a processor in hundredths of a second.
  return { seconds: (performance.now() - startedAt) / 1000, processorSeconds: ticks / 100, peakMb };
}
