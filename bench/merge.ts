import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunResult } from '../suites/result.ts';
import { measured } from './child.ts';
import { grouped, type Table } from './table.ts';

const shards = 20;
const requests = 4000;

/** Time and peak memory of `tck merge` for shards with many generated requests. Requires a build and Linux. */
export async function mergeFigures(): Promise<Table[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tck-bench-'));
  try {
    const parts = await writeShards(folder);
    const out = ['--out', join(folder, 'merged')];
    const { code, seconds, peakMb } = await measured(['dist/cli/main.js', 'merge', ...parts, ...out]);
    // The copies of one shard leave most requirements untested, so the merged result can be inconclusive.
    if (code !== 0 && code !== 3) throw new Error(`the merge exited with code ${code}`);
    return [
      {
        title: 'Merging shards',
        about:
          `\`tck merge\` combines ${shards} shards with ${grouped(requests)} generated requests each. The figures ` +
          'include the process start and the report. Targets: less than 10 s, and less than 300 MB.',
        header: ['Time', 'Peak memory'],
        rows: [[`${seconds.toFixed(1)} s`, `${peakMb} MB`]],
      },
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Runs one shard, and copies its report as the reports of the others. */
async function writeShards(folder: string): Promise<string[]> {
  const first = join(folder, 'first');
  const explore = ['--explore', String(shards * requests), '--shard', `2/${shards}`];
  const { code } = await measured(['dist/cli/main.js', 'run', '--stub', ...explore, '--out', first]);
  if (code !== 0) throw new Error(`the shard exited with code ${code}`);
  const report: RunResult = JSON.parse(await readFile(join(first, 'report.json'), 'utf8'));
  const parts = Array.from({ length: shards }, (_, index) => join(folder, `part-${index + 1}`));
  for (const [index, part] of parts.entries()) {
    const copy = { ...report, runId: `copy-${index}`, shard: { index: index + 1, of: shards } };
    await mkdir(part);
    await writeFile(join(part, 'report.json'), JSON.stringify(copy));
  }
  return parts;
}
