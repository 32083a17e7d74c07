import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Role, roleEnv, roles } from '../fixtures/roles.ts';
import { targetConfig } from '../fixtures/target-config.ts';
import { createStub, type Stub } from '../stub/index.ts';
import { audit } from '../suites/engine/audit.ts';
import { loadTarget } from '../suites/target/load.ts';
import type { Target } from '../suites/target/target.ts';
import { argumentsOf } from '../test/arguments.ts';
import { httpServer } from '../test/network.ts';
import { Sink } from '../test/reports/sink.ts';
import { inProcess } from '../test/stub-target.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { init } from './init.ts';

const folder = temporaryFolder();
let stub: Stub;
let url: string;

beforeAll(async () => {
  stub = createStub({ seed: 3, rateLimit: 5000 });
  ({ baseUrl: url } = await stub.listen({ port: 0 }));
});

// Resets the rate limits.
beforeEach(() => stub.advance(60));

afterEach(() => rm(join(folder, 'tck.config.json'), { force: true }));

afterAll(async () => {
  await stub.close();
});

const variableOf = (role: Role) => `KEY_${roles.indexOf(role)}`;

interface InitGiven {
  url?: string;
  keyEnv?: readonly string[];
  out?: string;
}

/** Runs `tck init` with the keys of the given roles. By default, the variable names do not reveal the roles. */
async function initWith(
  given: readonly Role[],
  { url: to = url, keyEnv, ...options }: InitGiven = {},
  answers?: Record<string, string>,
  nameOf: (role: Role) => string = variableOf,
) {
  const printed = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof printed) =>
    // Only the members that `tck init` uses: a terminal of 80 columns if a person answers.
    ({
      write: (text: string) => (printed[name] += text),
      isTTY: answers !== undefined,
      columns: 80,
    }) as unknown as NodeJS.WritableStream;
  const code = await init.run([to, ...argumentsOf({ ...options }), '--key-env', ...(keyEnv ?? given.map(nameOf))], {
    env: Object.fromEntries(given.map((role) => [nameOf(role), stub.keys[role]])),
    cwd: folder,
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    hide: () => {},
    signal: new AbortController().signal,
    ask:
      answers === undefined
        ? undefined
        : async (question) => Object.entries(answers).find(([part]) => question.includes(part))?.[1] ?? '',
  });
  const text = await readFile(join(folder, 'tck.config.json'), 'utf8').catch(() => '{}');
  return { code, ...printed, text, config: targetConfig.parse(JSON.parse(text)) };
}

test('all keys in an unhelpful order get roles that they can play', async () => {
  const { code, config, text, stdout } = await initWith(roles.toReversed());
  expect(code).toBe(0);
  expect(Object.keys(config.keys ?? {})).toEqual([...roles]);
  for (const role of [
    'ambiguous',
    'pinned',
    'sole',
    'otherAccount',
    'withoutAccess',
    'accountSwitchOff',
    'platformSwitchOff',
  ] as const) {
    expect(config.keys?.[role]?.env, role).toBe(variableOf(role));
  }
  const alike = (['primary', 'defaulted', 'throttled'] as const).map((role) => config.keys?.[role]?.env);
  expect(alike.toSorted()).toEqual((['primary', 'defaulted', 'throttled'] as const).map(variableOf).toSorted());
  expect([config.keys?.revoked?.env, config.keys?.expired?.env].toSorted()).toEqual(
    [variableOf('revoked'), variableOf('expired')].toSorted(),
  );
  expect(config.workspaces?.map(({ slug }) => slug).toSorted()).toEqual(
    stub.workspaces.map(({ slug }) => slug).toSorted(),
  );
  expect(config.keys?.otherAccount?.workspace).toBe(stub.otherAccount.slug);
  expect(config).toMatchObject({ baseUrl: url, allow: [] });
  for (const key of Object.values(stub.keys)) expect(text + stdout).not.toContain(key);
});

/** An uninformative order, except that the key with the lowest rate limit follows a similar key. */
const unhelpful: readonly Role[] = [
  ...(['platformSwitchOff', 'sole', 'expired', 'defaulted', 'otherAccount', 'primary'] as const),
  ...(['pinned', 'withoutAccess', 'revoked', 'throttled', 'accountSwitchOff', 'ambiguous'] as const),
];

test('what it writes tests all that reading can tell, and says what is left to fill in', async () => {
  const { stdout } = await initWith(unhelpful);
  expect(stdout).toContain('workspaces[0].board, workspaces[1].board, keys.otherAccount.board\n');
  const env = Object.fromEntries(unhelpful.map((role) => [variableOf(role), stub.keys[role]]));
  const { target } = await loadTarget({ config: 'tck.config.json' }, { env, cwd: folder });
  const known = inProcess(stub, { allow: [], maxImages: 0 });
  const tested = async (of: Target) => {
    const { requirements, verdict } = await audit(of, { seed: 1, observe: false });
    expect(verdict).toBe('partial');
    return requirements.filter(({ status }) => status === 'passed').map(({ id }) => id);
  };
  expect(await tested(target)).toEqual(await tested(known));
});

test.each([[roles], [roles.toReversed()], [unhelpful]])(
  'of keys that could play the same roles each gets the one that it is named for: %j',
  async (given) => {
    const nameOf = (role: Role) => `STAGING_${roleEnv(role)}`;
    const { config } = await initWith(given, {}, undefined, nameOf);
    expect(Object.fromEntries(Object.entries(config.keys ?? {}).map(([role, key]) => [role, key?.env]))).toEqual(
      Object.fromEntries(roles.map((role) => [role, nameOf(role)])),
    );
  },
);

test('a name decides which of two accounts is the own one, and why a lone key is refused', async () => {
  const { config } = await initWith(['otherAccount', 'expired', 'sole'], {}, undefined, (role) =>
    roleEnv(role === 'sole' ? 'primary' : role),
  );
  expect(config.keys).toMatchObject({
    primary: { env: 'TCK_KEY_PRIMARY' },
    sole: { env: 'TCK_KEY_PRIMARY' },
    otherAccount: { env: 'TCK_KEY_OTHER_ACCOUNT' },
    expired: { env: 'TCK_KEY_EXPIRED' },
  });
});

test('one key is enough', async () => {
  const { code, config } = await initWith(['sole']);
  expect(code).toBe(0);
  expect(config.keys).toEqual({ primary: { env: variableOf('sole') }, sole: { env: variableOf('sole') } });
});

test('a person at a terminal tells what cannot be seen', async () => {
  const answers = { 'has expired': variableOf('expired'), [`'${stub.workspaces[0]?.slug}'`]: 'b-1' };
  const { config } = await initWith(['expired', 'revoked', 'primary'], {}, { ...answers });
  expect(config.keys).toMatchObject({
    revoked: { env: variableOf('revoked') },
    expired: { env: variableOf('expired') },
  });
  expect(config.workspaces?.find(({ slug }) => slug === stub.workspaces[0]?.slug)?.board).toBe('b-1');
});

test('a person at a terminal tells which key may be exhausted', async () => {
  const { config } = await initWith(unhelpful, {}, { 'may a run exhaust': variableOf('primary') });
  expect(config.keys).toMatchObject({
    primary: { env: variableOf('throttled') },
    throttled: { env: variableOf('primary') },
  });
});

test('a person at a terminal allows side effects, and is asked again for what is none', async () => {
  const answers = ['writting', 'writes, proposals'];
  const printed = new Sink();
  const io = {
    env: { KEY: stub.keys.primary },
    cwd: folder,
    stdout: printed,
    stderr: new Sink(),
    hide: () => {},
    signal: new AbortController().signal,
    ask: async (question: string) => (question.includes('Allow which of them') ? (answers.shift() ?? '') : ''),
  };
  expect(await init.run([url, '--key-env', 'KEY'], io)).toBe(0);
  const config = targetConfig.parse(JSON.parse(await readFile(join(folder, 'tck.config.json'), 'utf8')));
  expect(config.allow).toEqual(['proposals', 'writes']);
  expect(printed.text).toMatch(/^ {2}spending {4}confirms images, which costs credits$/m);
  expect(printed.text).toMatch(/^expected all, none or side effects .*, got 'writting'/m);
});

test('nothing beyond reading happens', async () => {
  const calls = () =>
    stub.stats.requests({ tool: 'content.create_request' }) + stub.stats.requests({ tool: 'images.generate' });
  const before = calls();
  await initWith(roles);
  expect(calls()).toBe(before);
});

test('without a served key nothing is written', async () => {
  await rm(join(folder, 'tck.config.json'), { force: true });
  const { code, stderr, text } = await initWith(['revoked', 'withoutAccess']);
  expect(code).toBe(3);
  expect(stderr).toContain(`${url} accepts none of these keys`);
  expect(text).toBe('{}');
});

test('a deployment that cannot be reached is told', async () => {
  const { code, stderr } = await initWith(['primary'], { url: 'http://127.0.0.1:9' });
  expect(code).toBe(3);
  expect(stderr).toContain('cannot reach http://127.0.0.1:9');
});

test('a file that is there is kept, and a variable that is not set is named', async () => {
  await writeFile(join(folder, 'there.json'), '{}');
  await expect(initWith(['primary'], { out: 'there.json' })).rejects.toThrow("'there.json' exists");
  await expect(initWith([], { keyEnv: ['NOT_SET'] })).rejects.toThrow('NOT_SET to be set, but it is not');
});

/** A server that returns a text as the slug of its workspace. */
const callingItsWorkspace = (slug: string) =>
  httpServer((_request, response) => {
    const result = { ok: true, workspace: slug, balance: 5, working_in: { label: slug, note: slug, workspace: slug } };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result));
  });

test.each([
  ['the key itself', (key: string) => key],
  ['a text that contains the key', (key: string) => `w-${key}`],
  ['the key in base64', (key: string) => Buffer.from(key).toString('base64')],
])('a workspace that is %s is no internal error, and stands in no file', async (_, slugOf) => {
  for (const role of ['primary', 'sole'] as const) {
    await rm(join(folder, 'tck.config.json'), { force: true });
    const slug = slugOf(stub.keys[role]);
    await using server = await callingItsWorkspace(slug);
    const ended = await initWith(['primary', 'sole'], { url: `http://127.0.0.1:${server.port}` });
    expect(ended.code, ended.stderr).toBe(3);
    expect(ended.stderr).toContain('is not used: a workspace in the response contains a key');
    expect(ended.text + ended.stdout + ended.stderr).not.toContain(slug);
  }
});
