import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reportJson } from '../../reports/json.ts';
import { loadKnownFailures } from '../../reports/known-failures.ts';
import { reportOf } from '../../reports/report.ts';
import { createStub } from '../../stub/index.ts';
import { auditFiles } from '../../suites/recorded/audit.ts';
import { assumptions } from '../../suites/recorded/recorded.ts';
import { Transport } from '../../suites/session/transport.ts';
import { loadTarget } from '../../suites/target/load.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { proxied, toolRequest } from '../attacks/proxied.ts';
import { carriers, entryWith } from '../attacks/recorded-secrets.ts';
import { reportIn } from '../output.ts';
import { clientOf } from '../stub/client.ts';
import { tck } from '../tck.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
const timeout = 120_000;

/** Values that parsers of untrusted data often handle incorrectly. Undefined removes a member. */
const odd: readonly unknown[] = [
  ...[undefined, null, true, -1, 0.5, 1e300, '', '__proto__', '\u0000\u001b[2J\u2028', '\ud800', 'x'.repeat(100_000)],
  ...['<script>alert(1)</script>', '2027-01-04T10:00:00Z', 'https://a.example.test:99999/api/v1/tools/credits.balance'],
  ...[[], {}, [[[[[[]]]]]], { __proto__: null, constructor: 1, toString: 2, length: 3 }],
  Array.from({ length: 1000 }, (_, at) => at),
];

/** Changes a text at a place between 0 (its beginning) and 1 (its end). */
type Edit = (text: string, at: number) => string;

const place = fc.noBias(fc.nat(999_999)).map((number) => number / 1_000_000);
const textEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc.integer({ min: 1, max: 2000 }).map((length) => changing((end) => end.slice(length))),
  fc.integer({ min: 1, max: 2000 }).map((length) => changing((end) => end.slice(0, length) + end)),
  fc.string({ unit: 'binary', maxLength: 20 }).map((bytes) => changing((end) => bytes + end)),
  fc.constantFrom(10, 1000, 20_000).map((depth) => changing((end) => '['.repeat(depth) + end)),
);
/** Half of the values keep the type of what they replace, so that code beyond the parser reads them. */
const valueEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc.constantFrom(...odd).map((value) => replacing(() => value)),
  place.map((which) => replacing((before) => alike(before)[Math.floor(which * alike(before).length)])),
);

const changing =
  (change: (end: string) => string): Edit =>
  (text, at) => {
    const start = Math.floor(at * text.length);
    return text.slice(0, start) + change(text.slice(start));
  };

/** Replaces a value of a JSON text. Leaves other texts unchanged. */
const replacing =
  (other: (before: unknown) => unknown): Edit =>
  (text, at) => {
    const values: unknown[] = [];
    try {
      JSON.parse(text, (_, value) => {
        values.push(value);
        return value;
      });
    } catch {
      return text;
    }
    const chosen = Math.floor(at * values.length);
    let index = 0;
    const changed: unknown = JSON.parse(text, (_, value) => {
      index += 1;
      return index - 1 === chosen ? other(value) : value;
    });
    return JSON.stringify(changed) ?? '';
  };

const alike = (before: unknown): readonly unknown[] =>
  odd.filter((each) => typeof each === typeof before && Array.isArray(each) === Array.isArray(before));

/** Reads edited texts. A failure states the seed and the path that reproduce it. */
async function fuzz(
  texts: readonly string[],
  numRuns: number,
  read: (text: string) => Promise<unknown>,
  edit: fc.Arbitrary<Edit> = fc.oneof({ weight: 6, arbitrary: valueEdit }, { weight: 1, arbitrary: textEdit }),
): Promise<void> {
  const edits = fc.array(fc.tuple(edit, place), { minLength: 1, maxLength: 4 });
  const property = fc.asyncProperty(fc.constantFrom(...texts), edits, async (text, all) => {
    await read(all.reduce((before, [change, at]) => change(before, at), text));
  });
  await fc.assert(property, { seed: 1, numRuns });
}

/** Writes a text to a file and returns its path. */
const fileOf = async (text: string, name = 'input.json'): Promise<string> =>
  writeFile(join(folder, name), text).then(() => join(folder, name));

/** Expects a reader to accept a text or to reject it with a `UsageError`. */
async function readsOrRefuses(reading: Promise<unknown>): Promise<void> {
  await reading.catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error;
  });
}

/** The report and the recording of a run. */
async function runFiles(): Promise<{ report: string; har: string }> {
  const har = join(folder, 'run.har');
  await tck(['run', '--stub', '--only', 'credits,library', '--out', folder, '--har', har]);
  const report = await reportIn(folder);
  const { log } = JSON.parse(await readFile(har, 'utf8'));
  // Most requirements and entries are alike, and each takes time.
  const requirements = report.requirements.filter((_, at) => at % 10 === 0);
  return {
    report: JSON.stringify({ ...report, requirements }),
    har: JSON.stringify({ log: { ...log, entries: log.entries.slice(0, 12) } }),
  };
}

test('recordings: HAR files, reports and journals', { timeout }, async () => {
  const { report, har } = await runFiles();
  const entries = Object.values(carriers).map((carrier, at) => entryWith(carrier, 'qz7Rk29vXw81LpTn40', at));
  const carried = JSON.stringify({ log: { version: '1.2', creator: { name: 'Insomnia', version: '1' }, entries } });
  const stub = createStub();
  for (const tool of ['credits.balance', 'library.search', 'nothing.here']) clientOf(stub)(tool, { query: '' });
  const traffic = { target: undefined, assumed: [...assumptions], label: undefined, client: true, baseUrl: undefined };
  const all = { only: undefined, skip: undefined, require: undefined };
  const { signal } = new AbortController();
  await fuzz([har, carried, report, JSON.stringify(stub.journal())], 200, async (text) => {
    const files = [{ name: 'input.json', path: await fileOf(text) }];
    const reading = auditFiles({ ...traffic, ...all, files, signal });
    await readsOrRefuses(
      reading.then((result) => expect(reportJson(reportOf(result))).not.toContain('internal error')),
    );
  });
});

test('reports', { timeout }, async () => {
  const { report } = await runFiles();
  await fuzz([report], 100, async (text) => {
    const file = await fileOf(text);
    const { code, stdout, stderr } = await tck(['compare', file, file, '--out', join(folder, 'out')]);
    expect([[0, 1, 2].includes(code ?? -1), stdout + stderr]).toEqual([true, expect.not.stringContaining('internal')]);
  });
});

test('configurations', { timeout }, async () => {
  const env = { PRIMARY: 'primary-key-of-some-length', OTHER: 'other-key-of-some-length' };
  const configuration = {
    baseUrl: 'https://api.example.test/edge',
    keys: { primary: { env: 'PRIMARY' }, otherAccount: { env: 'OTHER', workspace: 'w', board: 'b' } },
    workspaces: [{ slug: 'north', board: 'b-1' }, { slug: 'south' }],
    shape: '1:1',
    allow: ['proposals', 'writes'],
    maxImages: 16,
    clock: { advance: { url: 'https://api.example.test/advance', headers: { 'x-control': { env: 'OTHER' } } } },
    pace: { requestsPerMinute: 120, concurrency: 16, timeoutSeconds: 10, maxWaitSeconds: 90, maxBurst: 1000 },
    headers: { 'x-gateway': { env: 'OTHER' } },
  };
  await fuzz([JSON.stringify(configuration)], 500, async (text) => {
    await readsOrRefuses(loadTarget({ config: await fileOf(text, 'tck.config.json') }, { env, cwd: folder }));
  });
});

test('known failures', { timeout }, async () => {
  const issue = 'https://issues.example.test/7';
  const entry = { requirement: 'credits.balance', reason: 'A string', issue, owner: 'team', expires: '2030-01-31' };
  const lines = Object.entries(entry).map(([name, value]) => `${name}: "${value}"`);
  await fuzz([`# What fails\n- ${lines.join('\n  ')}\n`, JSON.stringify([entry])], 300, async (text) => {
    await readsOrRefuses(loadKnownFailures(await fileOf(text, 'known.yaml')));
    await readsOrRefuses(loadKnownFailures(await fileOf(text, 'known.json')));
  });
});

const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Service-Api: beta\r\n';
const body = '{"ok":true,"balance":12}';
const whole = `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
const responses = [
  whole,
  `${head}Transfer-Encoding: chunked\r\nTrailer: x-a\r\n\r\n18\r\n${body}\r\n0\r\nx-a: b\r\n\r\n`,
  `HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n${whole}`,
  'HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}',
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n',
];

test('HTTP responses, directly and through the proxy', { timeout }, async () => {
  let bytes = '';
  const pace = { timeoutSeconds: 5, concurrency: 1 };
  const options = { pace, redact: (text: string) => text, userAgent: 'tck' };
  const { signal } = new AbortController();
  await proxied(
    (socket) => socket.end(bytes, 'latin1'),
    async ({ raw, port, deployment, end }) => {
      const transport = new Transport(options);
      const url = `http://127.0.0.1:${deployment}/api/v1/tools/credits.balance`;
      const read = async (text: string) => {
        bytes = text;
        const sent = await transport.send({ method: 'POST', url, headers: [], body: '{}', fresh: true, signal });
        expect('response' in sent ? sent.response.status : sent.problem).toBeDefined();
        expect(await raw(toolRequest(port))).toBeDefined();
      };
      await fuzz(responses, 400, read, textEdit);
      bytes = whole;
      expect(await raw(toolRequest(port))).toMatch(/200 OK/);
      expect(JSON.stringify(await end())).not.toContain('internal error');
    },
  );
});
