import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { grouped, spread, type Table } from './figures.ts';
import { timed } from './programs.ts';

const main = 'dist/cli/main.js';
const runs = 7;

/** Wall time of `tck run --stub`, including process startup. Requires a build. */
export async function runFigures(): Promise<Table[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'tck-bench-'));
  const args = ['run', '--stub', '--out', folder.path];
  const summary = async () => JSON.parse(await readFile(join(folder.path, 'report.json'), 'utf8')).summary;
  const times = new Map<string, number[]>([
    ['cli/main.ts', []],
    [main, []],
  ]);
  for (let run = 0; run <= runs; run++) {
    for (const [file, measured] of times) {
      const ms = await timed([file, ...args]);
      if (run > 0) measured.push(ms); // the first fills the compile cache
    }
  }
  const all = await summary();
  await timed([main, ...args, '--no-observe']);
  const { requests } = await summary();
  return [
    {
      title: 'A whole run',
      about: `Time of \`tck run --stub\` with the report, in ${runs} runs. Target: less than 1,000 ms.`,
      header: ['Package', 'ms'],
      rows: [...times].map(([file, measured]) => [file, spread(measured)]),
    },
    {
      title: 'Requests in a run',
      about: 'The requests of `tck run --stub`. Target: at most 1,300 requests.',
      header: ['Quantity', 'Number'],
      rows: [
        ['All requests', grouped(all.requests)],
        ['All except those for observations', grouped(requests)],
        ['Confirmed images', String(all.imagesConfirmed)],
        ['Created content requests', String(all.contentRequestsCreated)],
      ],
    },
  ];
}

/** A conforming client: it reads the balance, waits after a 429, and reports refusals. */
const client = `
const url = \`\${process.env.TCK_BASE_URL}/api/v1/tools/credits.balance\`;
const headers = { authorization: \`Bearer \${process.env.TCK_KEY_PRIMARY}\`, 'content-type': 'application/json' };
let response = await fetch(url, { method: 'POST', headers, body: '{}' });
if (response.status === 429) {
  await new Promise((resolve) => setTimeout(resolve, Number(response.headers.get('retry-after')) * 1000));
  response = await fetch(url, { method: 'POST', headers, body: '{}' });
}
const result = await response.json().catch(() => ({ error: { message: \`status \${response.status}\` } }));
if (result.ok) console.log(\`\${result.balance} credits\`);
else {
  console.error(result.message ?? result.error?.message);
  process.exitCode = 1;
}
`;

/** Wall time of `tck judge` with a conforming client, all scenarios included. Requires a build. */
export async function judgeFigures(): Promise<Table[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'tck-bench-'));
  const file = join(folder.path, 'client.mjs');
  await writeFile(file, client);
  const judge = () => timed([main, 'judge', '--out', join(folder.path, 'report'), '--', process.execPath, file]);
  const times = [await judge(), await judge(), await judge()];
  const about = '`tck judge` with a conforming client of one request, in 3 runs. Target: at most 9,000 ms.';
  return [{ title: 'Judging a client', about, header: ['Client', 'ms'], rows: [['Conforming', spread(times)]] }];
}
