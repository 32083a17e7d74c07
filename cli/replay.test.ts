import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportJson } from '../reports/json.ts';
import type { ReplayJson } from '../reports/replay/json.ts';
import { createStub, type Stub } from '../stub/index.ts';
import { writeConfiguration } from '../stub/serve/configuration.ts';
import { audit } from '../suites/engine/audit.ts';
import type { RunResult } from '../suites/result.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { argumentsOf } from '../test/arguments.ts';
import { Sink } from '../test/reports/sink.ts';
import { overHttp } from '../test/stub-target.ts';
import { replay } from './replay.ts';

let folder: string;
let good: Stub;
let goodUrl: string;
const stubs: Stub[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tck-replay-'));
  [good, goodUrl] = await listening();
});

afterAll(async () => {
  await Promise.all(stubs.map((stub) => stub.close()));
  await rm(folder, { recursive: true });
});

async function listening(defect?: string): Promise<[Stub, string]> {
  const stub = createStub({ seed: 3, control: true, ...(defect === undefined ? {} : { defects: [defect] }) });
  stubs.push(stub);
  const { baseUrl } = await stub.listen({ port: 0 });
  return [stub, baseUrl];
}

interface ReplayGiven {
  report: string;
  requirement?: string;
  url?: string;
  config?: string;
  allow?: string;
  json?: boolean;
}

interface Told {
  code: number;
  stdout: string;
  stderr: string;
}

async function replayed(options: ReplayGiven): Promise<Told> {
  const [stdout, stderr] = [new Sink(), new Sink()];
  const { signal } = new AbortController();
  const { report, requirement, ...others } = options;
  const args = [report, ...(requirement === undefined ? [] : [requirement]), ...argumentsOf({ ...others })];
  const code = await replay.run(args, { env: {}, cwd: folder, stdout, stderr, hide: () => {}, signal });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

interface Recorded {
  report: string;
  result: RunResult;
  /** Configuration of the stub with the defect. */
  config: string;
  /** Configuration of a stub with identical keys, without the defect. */
  goodConfig: string;
}

/** Runs topics against a stub with a defect, and writes the report. */
async function recorded(defect: string, ...only: string[]): Promise<Recorded> {
  const [stub, baseUrl] = await listening(defect);
  const result = await audit(overHttp(stub, baseUrl), { seed: 1, only, observe: false });
  const [report, config, goodConfig] = ['json', 'config.json', 'good.json'].map((end) =>
    join(folder, `${defect}.${end}`),
  );
  if (report === undefined || config === undefined || goodConfig === undefined) throw new Error('three paths');
  await writeFile(report, reportJson(result));
  await writeConfiguration(config, stub, baseUrl);
  await writeConfiguration(goodConfig, good, goodUrl);
  return { report, result, config, goodConfig };
}

async function told(options: ReplayGiven): Promise<ReplayJson> {
  return JSON.parse((await replayed({ ...options, json: true })).stdout);
}

/** Defects whose findings come from a separate check, a rule, a confirmation, a burst, and elapsed time. */
const defects = [
  ['expired-key-is-told', 'authentication'],
  ['beta-header-missing-on-404', 'headers'],
  ['confirmation-good-twice', 'confirmations'],
  ['beta-header-missing-on-429', 'headers', 'rate-limit'],
  ['confirmation-lives-too-short', 'expiry'],
  ['crash-on-long-title', 'content-requests', 'envelopes'],
  ['proposal-reserves-credits', 'image-proposals.spends-nothing'],
] satisfies [string, ...string[]][];

test.each(defects)('%s is still failing where it is there, and fixed where it is not', async (defect, ...only) => {
  const { report, config, goodConfig, result } = await recorded(defect, ...only);
  expect(result.verdict).toBe('non-conformant');
  const there = await replayed({ report, config, allow: 'all' });
  expect(there.stdout).toContain('still failing');
  expect(there.stdout).not.toContain('fixed');
  expect(there.code).toBe(1);
  const gone = await replayed({ report, config: goodConfig, allow: 'all' });
  for (const { stdout } of [there, gone]) expect(stdout).toMatch(/^ +sent +.+ POST \S+ as .+: \d{3}$/m);
  expect(gone.stdout).toMatch(/^✓ fixed/m);
  expect(gone.stdout).not.toMatch(/still failing|changed|not told/);
  expect(gone.code).toBe(0);
  for (const key of Object.values(good.keys)) expect(there.stdout + gone.stdout).not.toContain(key);
});

test('a rule that was broken on a confirmation is not called fixed where none may be sent', async () => {
  const { report, goodConfig: config } = await recorded('dispatch-as-tool-error', 'headers', 'confirmations');
  const { code, stdout } = await replayed({ report, config, allow: 'proposals' });
  expect(stdout).toContain('not told');
  expect(stdout).toContain('--allow proposals,spending');
  expect(code).toBe(3);
  expect((await replayed({ report, config, allow: 'all' })).code).toBe(0);
});

test('a confirmation is repeated as part of its story, and its steps are shown', async () => {
  const { report, config } = await recorded('confirmation-good-twice', 'confirmations.used-invalid');
  const { stdout } = await replayed({ report, config, allow: 'all' });
  expect(stdout).toMatch(/present the used ID, POST images\.generate as primary: 200/);
  expect(stdout.replace(/\s+/g, ' ')).toContain('repeated as part of its story, because a confirmation ID works once');
});

test('another deviation in its place is a change', async () => {
  const { report } = await recorded('beta-header-missing-on-404', 'headers');
  const [stub, baseUrl] = await listening('beta-header-says-true');
  const config = join(folder, 'changed.json');
  await writeConfiguration(config, stub, baseUrl);
  const { code, stdout } = await replayed({ report, config, allow: 'none' });
  expect(stdout).toMatch(/≠ changed/);
  expect(code).toBe(1);
});

test('then and now stand beside each other, for programs too', async () => {
  const { report, config, goodConfig } = await recorded('revoked-key-as-403', 'authentication');
  const still = await told({ report, config, requirement: 'authentication.revoked*' });
  expect(still.summary['still failing']).toBe(still.findings.length);
  const fixed = await told({ report, config: goodConfig, requirement: 'authentication.revoked*' });
  expect(fixed.summary.fixed).toBe(fixed.findings.length);
  const shown = fixed.findings
    .flatMap(({ exchanges }) => exchanges)
    .filter(({ credential }) => credential === 'revoked');
  expect(shown[0]).toMatchObject({ before: { status: 403 }, now: { status: 401 }, why: null });
});

test('effects that are not allowed stay so', async () => {
  const { report, goodConfig: config } = await recorded('unknown-properties-ignored', 'content-requests.*unknown*');
  const before = good.stats.contentRequestsCreated;
  const { code, stdout } = await replayed({ report, config, allow: 'none' });
  expect(good.stats.contentRequestsCreated).toBe(before);
  expect(stdout).toContain('→ --allow writes');
  expect(code).toBe(3);
});

test('a target that is not there ends with 3 and one line', async () => {
  const { report, goodConfig: config } = await recorded('beta-header-missing-on-401', 'headers');
  const { code, stdout, stderr } = await replayed({ report, config, url: 'http://127.0.0.1:9' });
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toMatch(/^tck: nothing could be replayed: the target is unreachable: .*\n$/);
});

test('what cannot be replayed is wrong usage, and a green report nothing to do', async () => {
  const { report } = await recorded('beta-header-missing-on-403', 'headers');
  await expect(replayed({ report, requirement: 'credits' })).rejects.toThrow(
    /^requirement: the report has no finding of 'credits'; it has findings of headers\.beta-on-403$/,
  );
  await expect(replayed({ report, requirement: 'headrs' })).rejects.toThrow(/selects no requirement; did you mean/);
  await expect(replayed({ report: join(folder, 'none') })).rejects.toThrow(UsageError);
  const green = join(folder, 'green.json');
  await writeFile(green, reportJson(await audit(overHttp(good, goodUrl), { seed: 1, only: ['credits'] })));
  expect(await replayed({ report: green })).toMatchObject({
    code: 0,
    stdout: 'The report has no finding to replay.\n',
  });
});
