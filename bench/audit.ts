import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { stagingTraffic } from '../test/staging-traffic.ts';
import { measured } from './child.ts';
import { entryOf, harBegin, harEnd } from './chromium-har.ts';
import { grouped, type Table } from './table.ts';

const megabytes = 200;

/** Time and peak memory of `tck audit` on a Chromium HAR file of 200 MB. Requires a build and Linux. */
export async function auditFigures(): Promise<Table[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tck-bench-'));
  try {
    const file = join(folder, 'traffic.har');
    const entries = await writeLarge(file);
    const args = ['dist/cli/main.js', 'audit', file, '--out', join(folder, 'report')];
    const { code, seconds, processorSeconds, peakMb } = await measured(args);
    if (code !== 0) throw new Error(`the audit exited with code ${code}`);
    const rate = (each: number) => `${(megabytes / each).toFixed(1)} MB/s`;
    return [
      {
        title: 'An audit of 200 MB',
        about:
          `\`tck audit\` reads a HAR file of ${megabytes} MB with ${grouped(entries)} entries, in the format that ` +
          'Chromium writes. The figures include the process start and the report. Targets: at least 20 MB/s, and ' +
          'less than 400 MB of memory.',
        header: ['Time', 'CPU time', 'Speed', 'Speed by CPU time', 'Peak memory'],
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
  out.write(harBegin);
  let entries = 0;
  let bytes = 0;
  for (const recorded of stagingTraffic(1_000_000).traffic) {
    const text = `${entries === 0 ? '' : ','}\n${JSON.stringify(entryOf(recorded), null, 2)}`;
    entries += 1;
    bytes += Buffer.byteLength(text);
    if (!out.write(text)) await new Promise((resolve) => out.once('drain', resolve));
    if (bytes >= megabytes * 1e6) break;
  }
  out.end(harEnd);
  await finished(out);
  return entries;
}
