import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportJson } from '../../reports/json.ts';
import { loadKnownFailures } from '../../reports/known-failures/load.ts';
import { reportOf } from '../../reports/report.ts';
import { auditFiles } from '../../suites/recorded/audit.ts';
import { assumptions } from '../../suites/recorded/recorded.ts';
import { Transport } from '../../suites/session/transport.ts';
import { loadTarget } from '../../suites/target/load.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { proxied, toolRequest } from '../attacks/proxied.ts';
import { tck } from '../tck.ts';
import { type Corpus, makeCorpus } from './corpus.ts';
import { edited, jsonEdits, textEdits } from './mutations.ts';

/** Time for each of six inputs. */
const boundaryMs = 5000;
const mostMsOfOne = 20_000;
const mostMegabytes = 150;
const timeout = 3 * boundaryMs + 60_000;

let folder = '';
let corpus: Corpus;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tck-fuzz-'));
  corpus = await makeCorpus(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

/** Returns the used bytes after garbage collection. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
  return process.memoryUsage().heapUsed;
}

/** Tries edits of texts until the time ends. A failure states the seed and the smallest edits that reproduce it. */
async function fuzz(
  texts: readonly string[],
  read: (text: string) => Promise<void>,
  edits: typeof jsonEdits = jsonEdits,
): Promise<void> {
  const before = heapUsed();
  let latest = Promise.resolve();
  const property = fc.asyncProperty(fc.constantFrom(...texts), edits, (text, all) => {
    latest = read(edited(text, all));
    return latest;
  });
  await fc.assert(property, {
    seed: 1,
    numRuns: 1_000_000,
    timeout: mostMsOfOne,
    interruptAfterTimeLimit: boundaryMs,
    markInterruptAsFailure: false,
  });
  // The time may end while one text is being read.
  await latest;
  expect((heapUsed() - before) / 1024 / 1024).toBeLessThan(mostMegabytes);
}

/** Writes a text to a file and returns its path. */
async function fileOf(text: string, name = 'input.json'): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

/**
 * Runs a command. It must exit with a documented code, and neither its output nor its report may show an internal
 * error.
 */
async function endsProperly(args: readonly string[]): Promise<void> {
  const out = join(folder, 'out');
  const { code, stdout, stderr } = await tck([...args, '--out', out]);
  const isReported = code !== 2 && args[0] !== 'compare';
  const report = isReported ? await readFile(join(out, 'report.json'), 'utf8') : '';
  const said = [stdout, stderr, report].flatMap((text) => /.*internal error[\s\S]{0,600}/.exec(text)?.[0] ?? []);
  expect([said, [0, 1, 2, 3].includes(code ?? -1)]).toEqual([[], true]);
}

/** Expects a reader to accept a text or to reject it with a `UsageError`. */
async function readsOrRefuses(reading: Promise<unknown>): Promise<void> {
  await reading.catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error;
  });
}

test('recordings: HAR files, reports and journals', { timeout }, async () => {
  const texts = [...corpus.har, ...corpus.report, ...corpus.journal];
  const traffic = { target: undefined, assumed: [...assumptions], label: undefined, client: true, baseUrl: undefined };
  const all = { only: undefined, skip: undefined, require: undefined };
  const { signal } = new AbortController();
  await fuzz(texts, async (text) => {
    const files = [{ name: 'input.json', path: await fileOf(text) }];
    const reading = auditFiles({ ...traffic, ...all, files, signal });
    await readsOrRefuses(
      reading.then((result) => expect(reportJson(reportOf(result))).not.toContain('internal error')),
    );
  });
  await endsProperly(['audit', await fileOf(corpus.har[1] ?? ''), '--client']);
});

test('reports', { timeout }, async () => {
  await fuzz(corpus.report, async (text) => {
    const file = await fileOf(text);
    await endsProperly(['compare', file, file]);
  });
});

test('configurations', { timeout }, async () => {
  const env = { PRIMARY: 'primary-key-of-some-length', OTHER: 'other-key-of-some-length' };
  await fuzz(corpus.configuration, async (text) => {
    await fileOf('a-key-in-a-file-1', 'a-file');
    const around = { env, cwd: folder };
    await readsOrRefuses(loadTarget({ config: await fileOf(text, 'tck.config.json') }, around));
  });
});

test('known failures', { timeout }, async () => {
  await fuzz(corpus.knownFailures, async (text) => {
    await readsOrRefuses(loadKnownFailures(await fileOf(text, 'known.yaml')));
    await readsOrRefuses(loadKnownFailures(await fileOf(text, 'known.json')));
  });
});

test('HTTP responses', { timeout }, async () => {
  let bytes = '';
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(bytes, 'latin1'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/api/v1/tools/credits.balance`;
  const transport = new Transport({ timeoutSeconds: 5, connections: 1, redact: (text) => text, userAgent: 'tck' });
  const signal = new AbortController().signal;
  await fuzz(
    corpus.responses,
    async (text) => {
      bytes = text;
      const sent = await transport.send({ method: 'POST', url, headers: [], body: '{}', fresh: true, signal });
      expect('response' in sent ? sent.response.status : sent.problem).toBeDefined();
    },
    textEdits,
  );
  server.close();
});

test('responses that pass through the proxy', { timeout }, async () => {
  let bytes = '';
  await proxied(
    (socket) => socket.end(bytes, 'latin1'),
    async ({ raw, port, end }) => {
      await fuzz(
        corpus.responses,
        async (text) => {
          bytes = text;
          expect(await raw(toolRequest(port))).toBeDefined();
        },
        textEdits,
      );
      bytes = corpus.responses[0] ?? '';
      expect(await raw(toolRequest(port))).toMatch(/200 OK/);
      expect(JSON.stringify(await end())).not.toContain('internal error');
    },
  );
});
