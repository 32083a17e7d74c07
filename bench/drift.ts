import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DefectId } from '../stub/variants/defects/index.ts';
import { defects } from '../stub/variants/defects/index.ts';
import type { RunResult } from '../suites/result.ts';
import { ordinaryUse } from '../test/ordinary-use.ts';
import { measured } from './child.ts';
import { entryOf, harBegin, harEnd } from './chromium-har.ts';
import type { Table } from './table.ts';

/** Five defects that violate the schema, then five defects of state. Both lists were chosen before either tool ran. */
const ofSchema: readonly DefectId[] = [
  'balance-as-text',
  'proposal-called-pending',
  'board-id-left-out',
  'boundary-error-with-request-id',
  'created-as-201',
];
const ofState: readonly DefectId[] = [
  'confirmation-good-twice',
  'second-call-decides-count',
  'two-codes-for-404',
  'working-in-tells-the-default',
  'confirmation-lives-for-ever',
];

const server = 'https://staging.example.test';

interface Tool {
  /** Runs the tool on a recording. Returns the names of reported problems. */
  readonly reported: (file: string) => Promise<{ names: readonly string[]; seconds: number; peakMb: number }>;
  /** Names that the tool also reports for a conforming server, because the recording contains client errors. */
  usual?: ReadonlySet<string>;
}

/** Compares `tck audit` and Redocly's `drift` on ten recordings. Requires a build and Linux. */
export async function driftFigures(): Promise<Table[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tck-bench-'));
  const tools: readonly Tool[] = [{ reported: (file) => audited(file, folder) }, { reported: drifted }];
  try {
    const conforming = await record(undefined, folder);
    for (const tool of tools) tool.usual = new Set((await tool.reported(conforming)).names);
    const rows: string[][] = [];
    for (const [kind, ids] of [['schema', ofSchema] as const, ['state', ofState] as const]) {
      for (const id of ids) {
        const file = await record(id, folder);
        const cells: string[] = [];
        for (const { reported, usual } of tools) {
          const { names, seconds, peakMb } = await reported(file);
          const found = [...new Set(names)].filter((name) => usual?.has(name) === false);
          const more = found.length > 4 ? ` and ${found.length - 2} more` : '';
          const shown = found.slice(0, more === '' ? 4 : 2).join('; ') + more;
          cells.push(shown || '–', `${seconds.toFixed(1)} s, ${peakMb} MB`);
        }
        rows.push([`${kind}: ${defects[id].what}`, ...cells]);
      }
    }
    const usual = tools.map((tool) => tool.usual?.size ?? 0);
    const version = JSON.parse(await readFile('node_modules/@redocly/cli/package.json', 'utf8')).version;
    return [
      {
        title: 'Comparison with Redocly drift',
        about:
          `\`tck audit --assume complete,clock\` and the command \`drift\` of Redocly CLI ${version} each read ten ` +
          'recordings of ordinary traffic. In each recording, the server has a single deviation. Deviations marked ' +
          '*schema* violate the schema of the API. Deviations marked *state* become visible only if a response is ' +
          'compared with other requests and responses. For the same traffic with a conforming server, `tck audit` ' +
          `reports ${usual[0] === 0 ? 'no' : usual[0]} problems, and \`drift\` reports ${usual[1]}, some of ` +
          'which are mistakes of clients. The table omits all of them.',
        header: ['Deviation', 'tck audit', 'tck audit: time, memory', 'drift', 'drift: time, memory'],
        rows,
      },
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function record(id: DefectId | undefined, folder: string): Promise<string> {
  const { traffic } = await ordinaryUse(id === undefined ? [] : [id]);
  const entries = traffic.map((each) => JSON.stringify(entryOf({ ...each, url: server + new URL(each.url).pathname })));
  const file = join(folder, `${id}.har`);
  await writeFile(file, harBegin + entries.join(',\n') + harEnd);
  return file;
}

async function audited(file: string, folder: string) {
  const out = join(folder, 'report');
  const args = ['dist/cli/main.js', 'audit', file, '--assume', 'complete,clock', '--out', out];
  const { seconds, peakMb } = await measured(args);
  const { requirements }: RunResult = JSON.parse(await readFile(join(out, 'report.json'), 'utf8'));
  return { names: requirements.filter(({ status }) => status === 'failed').map(({ id }) => id), seconds, peakMb };
}

/** The used part of the output of `drift`. */
interface Problems {
  readonly problems: readonly { ruleId: string; message: string; operationId?: string; status: number }[];
}

async function drifted(file: string) {
  const args = ['node_modules/@redocly/cli/bin/cli.js', 'drift', file, '--api', 'fixtures/contract/openapi.json'];
  const { output, seconds, peakMb } = await measured([...args, '--server', server, '--format', 'json']);
  const { problems }: Problems = JSON.parse(output);
  const names = problems.map(({ ruleId, message, operationId = '', status }) =>
    `${ruleId} ${status} ${operationId}: ${message}`.replaceAll(/\s+/g, ' ').replaceAll('|', '/'),
  );
  return { names, seconds, peakMb };
}
