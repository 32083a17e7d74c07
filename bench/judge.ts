import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { timed } from './child.ts';
import { spread, type Table } from './table.ts';

const runs = 3;

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
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'tck-bench-'));
  const folder = temporary.path;
  const file = join(folder, 'client.mjs');
  await writeFile(file, client);
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const args = ['dist/cli/main.js', 'judge', '--out', join(folder, 'report'), '--', process.execPath, file];
    const { ms, code } = await timed(args);
    if (code !== 0) throw new Error(`tck judge exited with code ${code}`);
    times.push(ms);
  }
  return [
    {
      title: 'Judging a client',
      about: `\`tck judge\` with a conforming client of one request, in ${runs} runs. Target: at most 9,000 ms.`,
      header: ['Client', 'ms'],
      rows: [['Conforming', spread(times)]],
    },
  ];
}
