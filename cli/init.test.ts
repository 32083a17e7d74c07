import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { type Role, roleEnv, roles } from '../fixtures/roles.ts';
import { type TargetConfig, targetConfig } from '../fixtures/target-config.ts';
import { createStub } from '../stub/index.ts';
import { audit } from '../suites/engine/audit.ts';
import { kit } from '../suites/kit.ts';
import { loadTarget } from '../suites/target/load.ts';
import type { Target } from '../suites/target/target.ts';
import { httpServer } from '../test/network.ts';
import { idsWith } from '../test/output.ts';
import { inProcess } from '../test/stub-target.ts';
import { type TckOptions, tck } from '../test/tck.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { parse } from './command-line/parse.ts';
import { pipelinePaths, systems } from './pipelines.ts';
import { command as run } from './run.ts';

const folder = temporaryFolder();
const file = join(folder, 'tck.config.json');
const stub = createStub({ seed: 3, rateLimit: 5000 });
const { primary } = stub.keys;
const usual = { TCK_KEY_PRIMARY: primary };
let url = '';

beforeAll(async () => {
  ({ baseUrl: url } = await stub.listen());
});
// Resets the rate limits.
beforeEach(() => stub.advance(60));
afterEach(() => rm(file, { force: true }));
afterAll(() => stub.close());

/** Runs `tck init`. Texts of the terminal are returned in one line. */
async function init(args: readonly string[], options: TckOptions = {}) {
  const ended = await tck(['init', ...args], { cwd: folder, ...options });
  const text = await readFile(file, 'utf8').catch(() => '{}');
  const config = targetConfig.parse(JSON.parse(text));
  return { ...ended, text, config, line: ended.stdout.replaceAll(/\s+/g, ' ') };
}

const variableOf = (role: Role) => `KEY_${roles.indexOf(role)}`;

/** Runs `tck init` with the keys of the given roles. By default, the variable names do not reveal the roles. */
async function initWith(given: readonly Role[], { to = url, nameOf = variableOf } = {}) {
  const env = Object.fromEntries(given.map((role) => [nameOf(role), stub.keys[role]]));
  return init([to, '--key-env', ...Object.keys(env)], { env });
}

/** The variable of each role in a configuration. */
const variablesIn = ({ keys = {} }: TargetConfig) =>
  Object.fromEntries(Object.entries(keys).map(([role, key]) => [role, key?.env]));

test('all keys in an unhelpful order get roles that they can play', async () => {
  const { code, config, text, stdout } = await initWith(roles.toReversed());
  expect(code).toBe(0);
  const variables = variablesIn(config);
  expect(Object.keys(variables)).toEqual([...roles]);
  // No reading request tells the keys of a group apart.
  const refused: Role[] = ['revoked', 'expired'];
  const groups: Role[][] = [['primary', 'defaulted', 'throttled'], refused];
  const alone = roles.filter((role) => !groups.flat().includes(role)).map((role) => [role]);
  for (const group of [...groups, ...alone])
    expect(group.map((role) => `${variables[role]}`).toSorted()).toEqual(group.map(variableOf).toSorted());
  const slugs = (all: readonly { slug: string }[] = []) => all.map(({ slug }) => slug).toSorted();
  expect(slugs(config.workspaces)).toEqual(slugs(stub.workspaces));
  const keys = { otherAccount: { workspace: stub.otherAccount.slug } };
  expect(config).toMatchObject({ baseUrl: url, allow: [], keys });
  for (const key of Object.values(stub.keys)) expect(text + stdout).not.toContain(key);
});

/** An uninformative order, except that the key with the lowest rate limit follows a similar key. */
const unhelpful: readonly Role[] = [
  ...(['platformSwitchOff', 'sole', 'expired', 'defaulted', 'otherAccount', 'primary'] as const),
  ...(['pinned', 'withoutAccess', 'revoked', 'throttled', 'accountSwitchOff', 'ambiguous'] as const),
];

test('what it writes tests all that reading can tell, says what is left to fill in, and only reads', async () => {
  const acting = ['content.create_request', 'images.generate'] as const;
  const calls = () => acting.map((tool) => stub.stats.requests({ tool }));
  const before = calls();
  const { stdout } = await initWith(unhelpful);
  expect(calls()).toEqual(before);
  expect(stdout).toContain('workspaces[0].board, workspaces[1].board, keys.otherAccount.board\n');
  const env = Object.fromEntries(unhelpful.map((role) => [variableOf(role), stub.keys[role]]));
  const { target } = await loadTarget({ config: 'tck.config.json' }, { env, cwd: folder });
  const tested = async (of: Target) => idsWith(await audit(of, { seed: 1, observe: false }), 'passed');
  expect(await tested(target)).toEqual(await tested(inProcess(stub, { allow: [], maxImages: 0 })));
});

test.each([[roles], [roles.toReversed()], [unhelpful]])(
  'of keys that could play the same roles each gets the one that it is named for: %j',
  async (given) => {
    const nameOf = (role: Role) => `STAGING_${roleEnv(role)}`;
    const { config } = await initWith(given, { nameOf });
    expect(variablesIn(config)).toEqual(Object.fromEntries(roles.map((role) => [role, nameOf(role)])));
  },
);

test('a name decides which of two accounts is the own one, and why a lone key is refused', async () => {
  const nameOf = (role: Role) => roleEnv(role === 'sole' ? 'primary' : role);
  const { config } = await initWith(['otherAccount', 'expired', 'sole'], { nameOf });
  expect(variablesIn(config)).toEqual({
    primary: 'TCK_KEY_PRIMARY',
    sole: 'TCK_KEY_PRIMARY',
    otherAccount: 'TCK_KEY_OTHER_ACCOUNT',
    expired: 'TCK_KEY_EXPIRED',
  });
});

test('without a served key nothing is written, and a deployment that cannot be reached is told', async () => {
  const refused = await initWith(['revoked', 'withoutAccess']);
  expect([refused.code, refused.text]).toEqual([3, '{}']);
  expect(refused.stderr).toContain(`${url} accepts none of these keys`);
  const { code, stderr } = await initWith(['primary'], { to: 'http://127.0.0.1:9' });
  expect([code, stderr]).toEqual([3, expect.stringContaining('cannot reach http://127.0.0.1:9')]);
});

test.each([
  [['--out', 'there.json'], usual, "'there.json' exists"],
  [['--key-env', 'NOT_SET'], usual, 'NOT_SET to be set, but it is not'],
  [[], {}, '--key-env: expected variables that hold keys, because TCK_KEY_PRIMARY'],
])('%j is wrong usage: %j', async (args, env, message) => {
  await writeFile(join(folder, 'there.json'), '{}');
  expect(await init([url, ...args], { env })).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});

/** A server that sends the same result to every request. */
const saying = (result: object) =>
  httpServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ok: true, ...result }));
  });

test.each([
  ['the key itself', (key: string) => key],
  ['a text that contains the key', (key: string) => `w-${key}`],
  ['the key in base64', (key: string) => Buffer.from(key).toString('base64')],
])('a workspace that is %s is no internal error, and stands in no file', async (_, slugOf) => {
  for (const role of ['primary', 'sole'] as const) {
    const slug = slugOf(stub.keys[role]);
    const working_in = { label: slug, note: slug, workspace: slug };
    await using server = await saying({ workspace: slug, balance: 5, working_in });
    const ended = await initWith(['primary', 'sole'], { to: `http://127.0.0.1:${server.port}` });
    expect(ended.code, ended.stderr).toBe(3);
    expect(ended.stderr).toContain('is not used: a workspace in the response contains a key');
    expect(ended.text + ended.stdout + ended.stderr).not.toContain(slug);
  }
});

test('a key from its usual variable is used and not stored', async () => {
  const { code, config, text, stdout, line } = await init([url], { env: usual });
  expect([code, config.keys?.primary]).toEqual([0, { env: 'TCK_KEY_PRIMARY' }]);
  expect(text + stdout).not.toContain(primary);
  expect(line).toContain('Next: tck plan --config tck.config.json');
  expect(line).toContain('The read-only requests returned no board. Get the ID from the service');
});

test('a board and a shape that reading requests show are written', async () => {
  const working_in = { label: 'North', note: 'sole', workspace: 'north' };
  const rows = [{ board: { id: 'b-77' }, aspect_ratio: '4:5' }, { board: { id: 'b-78' } }];
  await using server = await saying({ workspace: 'north', working_in, balance: 5, rows });
  const { config } = await init([`http://127.0.0.1:${server.port}`], { env: usual });
  expect(config).toMatchObject({ workspaces: [{ slug: 'north', board: 'b-77', otherBoard: 'b-78' }], shape: '4:5' });
});

test.each(systems)('--ci %s writes a pipeline that runs the configuration', async (system) => {
  const path = pipelinePaths[system];
  const { line } = await init([url, '--ci', system], { env: usual });
  expect(line).toContain(`Written to ${path}. Next:`);
  expect(line).toContain('note: A pipeline usually cannot reach http://127.0.0.1');
  const text = await readFile(join(folder, path), 'utf8');
  expect(text).not.toContain(primary);
  expect(text).toContain(`npm install --global --ignore-scripts ${kit.name}@${kit.version}`);
  const [, command = ''] = /tck run (.*?)'?$/m.exec(text) ?? [];
  expect(parse(run.form, command.split(' ')).read()).toMatchObject({ config: 'tck.config.json' });
  if (system !== 'jenkins')
    expect(parseYaml(text)).toMatchObject(system === 'github' ? { jobs: {} } : { conformance: {} });
  if (system !== 'gitlab') expect(text).toContain('TCK_KEY_PRIMARY');
  expect(text).toMatch(/node-version: '22\.22'|node:22\.22\.0/);
  expect(text).toMatch(/^concurrency:|resource_group: |disableConcurrentBuilds/m);
  expect(text).not.toMatch(/^.{121,}|npx tck/m);
  const again = await init([url, '--ci', system, '--out', 'other.json'], { env: usual });
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining(`--ci: '${path}' exists`)]);
});

test('--ci adds a pipeline to a configuration that exists, for the same deployment', async () => {
  for (const path of Object.values(pipelinePaths)) await rm(join(folder, path), { force: true });
  const keys = { primary: { env: 'OUR_KEY' }, sole: { command: ['print-key'] } };
  const config = { baseUrl: `${url}/`, keys, allow: ['proposals', 'spending'], maxImages: 7 };
  await writeFile(file, JSON.stringify(config));
  const { code, stdout, line, config: kept } = await init([url, '--ci', 'github']);
  expect([code, kept]).toEqual([0, config]);
  expect(stdout).toMatch(/^tck.config.json is kept\.\nWritten to .*OUR_KEY/s);
  expect(line).toContain('Each push runs this pipeline and confirms up to 7 images');
  const other = await init(['http://127.0.0.1:9', '--ci', 'gitlab']);
  expect([other.code, other.stderr]).toEqual([2, expect.stringMatching(/^tck: url: expected .* rename it first/)]);
});
