import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createStub } from '../../stub/index.ts';
import { carriers, entryWith } from '../attacks/recorded-secrets.ts';
import { tck } from '../tck.ts';

/** Inputs of the kit as real programs write them. */
export interface Corpus {
  readonly har: readonly string[];
  readonly report: readonly string[];
  readonly journal: readonly string[];
  readonly configuration: readonly string[];
  readonly knownFailures: readonly string[];
  /** Bytes of responses. */
  readonly responses: readonly string[];
}

export async function makeCorpus(folder: string): Promise<Corpus> {
  const out = await mkdtemp(join(folder, 'corpus-'));
  const read = (name: string) => readFile(join(out, name), 'utf8');
  await tck(['run', '--stub', '--only', 'credits,library', '--out', out, '--har', join(out, 'run.har')]);
  const run = await read('report.json');
  const whole: { log: { entries: object[] } } = JSON.parse(await read('run.har'));
  const first = JSON.stringify({ log: { ...whole.log, entries: whole.log.entries.slice(0, 12) } });
  const entries = Object.values(carriers).map((carrier, at) => entryWith(carrier, 'qz7Rk29vXw81LpTn40', at));
  const creator = { name: 'Insomnia REST Client', version: '1' };
  const carried = JSON.stringify({ log: { version: '1.2', creator, entries } });
  return {
    har: [first, carried],
    report: [run, await auditedReport(out, carried)].map(shortened),
    journal: [await journal()],
    configuration: [configuration],
    knownFailures: [knownFailures, JSON.stringify([entry])],
    responses,
  };
}

/** Keeps a tenth of a report's requirements, because most are similar and each takes time. */
function shortened(text: string): string {
  const report: { requirements: { findings: unknown[] }[] } = JSON.parse(text);
  const some = report.requirements.filter(({ findings }, at) => findings.length > 0 || at % 10 === 0);
  return JSON.stringify({ ...report, requirements: some });
}

async function auditedReport(out: string, har: string): Promise<string> {
  await writeFile(join(out, 'carried.har'), har);
  await tck(['audit', join(out, 'carried.har'), '--client', '--out', join(out, 'audited')]);
  return readFile(join(out, 'audited', 'report.json'), 'utf8');
}

async function journal(): Promise<string> {
  await using stub = createStub();
  const headers = { authorization: `Bearer ${stub.keys.primary}`, 'content-type': 'application/json' };
  for (const tool of ['credits.balance', 'schedule.read', 'library.search', 'nothing.here']) {
    const request = { method: 'POST', headers, body: '{"workspace":"north","query":""}' };
    await (await stub.fetch(`http://stub/api/v1/tools/${tool}`, request)).text();
  }
  return JSON.stringify(stub.journal());
}

const configuration = JSON.stringify({
  baseUrl: 'https://api.example.test/edge',
  keys: {
    primary: { env: 'PRIMARY' },
    otherAccount: { env: 'OTHER', workspace: 'w', board: 'b-9' },
    sole: { file: 'a-file' },
  },
  workspaces: [
    { slug: 'north', board: 'b-1' },
    { slug: 'south', board: 'b-2' },
  ],
  shape: '1:1',
  allow: ['proposals', 'writes'],
  maxImages: 16,
  clock: { advance: { url: 'https://api.example.test/advance', headers: { 'x-control': { env: 'OTHER' } } } },
  pace: { requestsPerMinute: 120, concurrency: 16, timeoutSeconds: 10, maxWaitSeconds: 90, maxBurst: 1000 },
  headers: { 'x-gateway': { env: 'OTHER' } },
});

const entry = {
  requirement: 'credits.balance',
  reason: 'The balance is a string',
  issue: 'https://issues.example.test/7',
  owner: 'team',
  expires: '2030-01-31',
};

const knownFailures = `# What fails
- ${Object.entries(entry)
  .map(([name, value]) => `${name}: "${value}"`)
  .join('\n  ')}
`;

const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Service-Api: beta\r\n';
const body = '{"ok":true,"balance":12}';
const chunk = `${body.length.toString(16)}\r\n${body}\r\n`;
const responses = [
  `${head}Content-Length: ${body.length}\r\n\r\n${body}`,
  `${head}Transfer-Encoding: chunked\r\nTrailer: x-a\r\n\r\n${chunk}0\r\nx-a: b\r\n\r\n`,
  `HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`,
  'HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}',
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n',
];
