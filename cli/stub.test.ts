import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { roles } from '../fixtures/roles.ts';
import { targetConfig } from '../fixtures/target-config.ts';
import { runCommand } from '../stub/serve/command.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { httpServer } from '../test/network.ts';
import type { Reply } from '../test/stub/client.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { type ServeOptions, serveStub } from './stub.ts';

const folder = temporaryFolder();

/** Serves while `work` runs, then stops. Returns the exit code. */
async function serving(options: ServeOptions, work: (printed: string) => Promise<void> | void): Promise<number> {
  const stopping = new AbortController();
  const printed = Promise.withResolvers<string>();
  const exitCode = serveStub({ port: 0, ...options }, { print: printed.resolve, stop: stopping.signal });
  await Promise.race([printed.promise, exitCode]);
  try {
    await work(await printed.promise);
  } finally {
    stopping.abort();
  }
  return exitCode;
}

interface Announced {
  readonly baseUrl: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly workspaces: readonly { readonly slug: string; readonly board: string }[];
  readonly clock: { readonly advance: { readonly url: string; readonly headers: Record<string, string> } };
  readonly ca?: string;
}

/** Serves with `--json` while `work` runs. */
const announcing = (options: ServeOptions, work: (announced: Announced) => Promise<void> | void) =>
  serving({ json: true, ...options }, (printed) => work(JSON.parse(printed)));

async function post(url: string, headers: Record<string, string>, body: object) {
  const answer = await request(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.statusCode, body: (await answer.body.json()) as Reply['body'] };
}

test('with --json it prints one line, with what a client needs, and stops with 0', async () => {
  const exitCode = await serving({ json: true }, async (printed) => {
    expect(printed).not.toContain('\n');
    const { baseUrl, keys, workspaces, clock, ...rest } = JSON.parse(printed);
    expect(rest).toEqual({});
    expect(clock).toBeNull();
    expect(Object.keys(keys)).toEqual([...roles]);
    expect(workspaces).toEqual(['north', 'south', 'east'].map((slug) => ({ slug, board: expect.any(String) })));
    const { board, slug: workspace } = workspaces[1];
    const headers = { authorization: `Bearer ${keys.primary}` };
    const image = { board, workspace, brief: 'a cup', count: 1, shape: '1:1' };
    const { status, body } = await post(`${baseUrl}/api/v1/tools/images.generate`, headers, image);
    expect([status, body.status]).toEqual([200, 'confirmation_required']);
  });
  expect(exitCode).toBe(0);
});

test('it prints the profile that applies', async () => {
  await serving({ profile: 'slow-mobile' }, (printed) => expect(printed).toContain('Profile:\n  slow-mobile\n'));
});

test('in words it says where it listens, which key plays which role, and where the clock is', async () => {
  await serving({ control: true, keys: true }, (printed) => {
    expect(printed).toMatch(/^Listening at http:\/\/127\.0\.0\.1:\d+\n/);
    for (const role of roles)
      expect(printed).toMatch(new RegExp(`^  ${role} +cwk_\\S+(?:  uses \\w+)?\n      \\w`, 'm'));
    for (const slug of ['north', 'south', 'east', 'harbor'])
      expect(printed).toMatch(new RegExp(`^  ${slug} +brd_`, 'm'));
    expect(printed).toContain('/__control/worlds/main/clock');
  });
});

test('without --keys, one screen has the first key and names the workspaces of other keys', async () => {
  await serving({}, (printed) => {
    expect(printed.match(/^ {2}Key +cwk_\S+$/gm)).toHaveLength(1);
    expect(printed).toContain('pinned uses south, defaulted uses east, sole uses south.');
    expect(printed.split('\n').length).toBeLessThan(24);
  });
});

test('a configuration is written that a run can use, with every key in a file of its own', async () => {
  const file = join(folder, 'deep', 'tck.config.json');
  const beside = (path = '') => readFile(join(folder, 'deep', path), 'utf8');
  await announcing({ writeConfig: file }, async ({ baseUrl, keys, workspaces, clock }) => {
    const written = await readFile(file, 'utf8');
    for (const key of Object.values(keys)) expect(written).not.toContain(key);
    const config = targetConfig.parse(JSON.parse(written));
    expect(config).toMatchObject({ baseUrl, workspaces, shape: '1:1' });
    expect(config.allow).toHaveLength(5);
    expect(config.keys?.otherAccount).toMatchObject({ workspace: 'harbor', board: expect.any(String) });
    for (const role of roles) {
      const { file = '' } = config.keys?.[role] ?? {};
      expect(await beside(file)).toBe(keys[role]);
      expect((await stat(join(folder, 'deep', file))).mode & 0o777).toBe(0o600);
    }
    expect((await stat(`${file}.keys`)).mode & 0o777).toBe(0o700);
    const { url, headers } = clock.advance;
    expect(config.clock?.advance.url).toBe(url);
    const { body } = await post(url, headers, { seconds: 3600 });
    expect(Date.parse(body.now)).toBeGreaterThan(Date.now() + 3_500_000);
    const token = config.clock?.advance.headers?.['x-control-token'];
    expect(await beside(typeof token === 'object' ? token.file : '')).toBe(headers['x-control-token']);
  });
  const moved = join(folder, 'moved');
  await rename(join(folder, 'deep'), moved);
  const { keys } = targetConfig.parse(JSON.parse(await readFile(join(moved, 'tck.config.json'), 'utf8')));
  expect(await readFile(join(moved, keys?.primary?.file ?? ''), 'utf8')).toMatch(/^cwk_/);
});

test('--write-config follows no link: neither for the keys nor for the configuration', async () => {
  const elsewhere = join(folder, 'elsewhere');
  await mkdir(elsewhere, { mode: 0o755 });
  await symlink(elsewhere, join(folder, 'linked.json.keys'));
  await expect(serving({ writeConfig: join(folder, 'linked.json') }, () => undefined)).rejects.toThrow('it is a link');
  expect([await readdir(elsewhere), (await stat(elsewhere)).mode & 0o777]).toEqual([[], 0o755]);
  await symlink(join(elsewhere, 'file'), join(folder, 'replaced.json'));
  await serving({ writeConfig: join(folder, 'replaced.json') }, () => undefined);
  expect(await readdir(elsewhere)).toEqual([]);
});

test('a key file that was open to others is closed', async () => {
  const file = join(folder, 'again.json');
  await serving({ writeConfig: file }, () => undefined);
  await rm(`${file}.keys/primary`);
  await writeFile(`${file}.keys/primary`, 'old', { mode: 0o644 });
  await serving({ writeConfig: file }, () => undefined);
  expect((await stat(`${file}.keys/primary`)).mode & 0o777).toBe(0o600);
  expect(await readFile(`${file}.keys/primary`, 'utf8')).toMatch(/^cwk_/);
});

test.each<[string, ServeOptions, string]>([
  ['a defect that is none', { defect: ['no-such-defect'] }, "'no-such-defect'"],
  ['a defect that is nearly one', { defect: ['days-empty,days-emty'] }, "did you mean 'days-empty'?"],
  ['an address of another machine', { host: '192.0.2.1', allowRemote: true }, 'address not available'],
  ['an address that other machines reach', { host: '0.0.0.0' }, 'add --allow-remote'],
  ['a file in a place that is a file', { writeConfig: '/dev/null/tck.config.json' }, '/dev/null/tck.config.json'],
  ['an origin that is none', { cors: 'page.test' }, '--cors: expected an origin'],
])('%s is wrong usage', async (_name, options, hint) => {
  const served = serving(options, () => undefined);
  await expect(served).rejects.toThrow(UsageError);
  await expect(served).rejects.toThrow(hint);
});

test('a port that is taken is wrong usage', async () => {
  await using taken = await httpServer(() => undefined);
  const { port } = taken;
  const why = `port ${port}: listen EADDRINUSE: address already in use`;
  await expect(serving({ port }, () => undefined)).rejects.toThrow(why);
});

const trusting = new Agent({ connect: { rejectUnauthorized: false } });
const asks = { origin: 'http://page.test', 'access-control-request-method': 'POST' };

test('without --cors no page is let in, and a preflight is a request like others', async () => {
  await announcing({}, async ({ baseUrl }) => {
    const url = `${baseUrl}/api/v1/tools/credits.balance`;
    const { headers, statusCode } = await request(url, { method: 'OPTIONS', headers: asks });
    expect(statusCode).toBeGreaterThanOrEqual(400);
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });
});

test('--cors lets one origin in, and no page to the control plane', async () => {
  await announcing({ cors: 'http://page.test', control: true }, async ({ baseUrl }) => {
    const wanted = { ...asks, 'access-control-request-headers': 'authorization,content-type' };
    const url = `${baseUrl}/api/v1/tools/credits.balance`;
    const preflight = await request(url, { method: 'OPTIONS', headers: wanted });
    expect(preflight.statusCode).toBe(200);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': 'http://page.test',
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-allow-methods': 'POST',
      vary: 'origin',
    });
    const { headers } = await request(url, { method: 'POST', headers: asks });
    expect(headers['access-control-expose-headers']).toContain('retry-after');
    const control = await request(`${baseUrl}/__control/worlds`, { method: 'OPTIONS', headers: asks });
    expect(control.headers['access-control-allow-origin']).toBeUndefined();
  });
});

test('--openapi and --health answer beside the API, and only when asked for', async () => {
  await announcing({}, async ({ baseUrl }) => {
    for (const path of ['/openapi.json', '/health']) expect((await request(baseUrl + path)).statusCode).toBe(404);
  });
  await announcing({ openapi: true, health: true }, async ({ baseUrl }) => {
    expect((await request(`${baseUrl}/health`)).statusCode).toBe(200);
    const described = await (await request(`${baseUrl}/openapi.json`)).body.json();
    expect(described).toMatchObject({ openapi: expect.stringMatching(/^3\.1/), servers: [{ url: '/' }] });
  });
});

test('--tls speaks TLS with a certificate that is gone afterwards', async () => {
  let file = '';
  await announcing({ tls: true }, async ({ baseUrl, ca = '' }) => {
    file = ca;
    expect(baseUrl).toMatch(/^https:/);
    expect(existsSync(ca)).toBe(true);
    const script = `const end = (code) => () => { process.exitCode = code; };
      fetch('${baseUrl}/').then(({ status }) => end(status === 404 ? 0 : 1)(), end(2))`;
    const command = [process.execPath, '-e', script];
    const stop = new AbortController().signal;
    expect(await runCommand({ command, env: { NODE_EXTRA_CA_CERTS: ca }, stop })).toBe(0);
    expect(await runCommand({ command, env: {}, stop })).toBe(2);
    const { statusCode } = await request(`${baseUrl}/`, { dispatcher: trusting });
    expect(statusCode).toBe(404);
  });
  expect(existsSync(file)).toBe(false);
});

test.each([{}, { tls: true }])('the first request that is printed works as it stands, with %j', async (how) => {
  await serving(how, async (printed) => {
    const [, line = ''] = /First request:\n(.*)/.exec(printed) ?? [];
    const { stdout } = await promisify(execFile)('sh', ['-c', line]);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true });
  });
});
