import { spawnSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultPort, serveStub } from '../cli/stub.ts';
import { folderWithKit, recipe, recipes as text } from '../test/docs/recipes.ts';
import { chromiumPath } from '../test/reports/browser.ts';
import { tck } from '../test/tck.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
let folder = '';

beforeAll(async () => {
  folder = await folderWithKit();
});

afterAll(() => rm(folder, { recursive: true }));

const has = (...command: [string, ...string[]]) => spawnSync(command[0], command.slice(1)).status === 0;

test.skipIf(!has('curl', '--version'))('curl (needs curl)', async () => {
  await writeFile(join(folder, 'check.sh'), recipe('check.sh'));
  const run = await tck(['stub', '--control', '--', 'sh', 'check.sh'], { cwd: folder });
  expect(run, run.stderr).toMatchObject({ code: 0 });
  // Without the request that matches the fault, the last line fails.
  const unmet = recipe('check.sh').replaceAll(/^call .*$/gm, '');
  await writeFile(join(folder, 'unmet.sh'), unmet);
  const failed = await tck(['stub', '--control', '--', 'sh', 'unmet.sh'], { cwd: folder });
  expect(failed.code).not.toBe(0);
  expect(failed.stdout).toContain('No request met the fault 1');
});

test.skipIf(chromiumPath === undefined).each([['--cors'], ['--cors', '--tls']])(
  'Playwright with %s (needs Chromium)',
  async (...options) => {
    const playwright = JSON.stringify(join(root, 'node_modules/playwright-core/index.mjs'));
    const launch = `chromium.launch({ executablePath: ${JSON.stringify(chromiumPath)}, args: ['--no-sandbox'] })`;
    const code = recipe('browser.mjs').replace("'playwright'", playwright).replace('chromium.launch()', launch);
    await writeFile(join(folder, 'browser.mjs'), code);
    const run = await tck(['stub', ...options, '--', process.execPath, 'browser.mjs'], { cwd: folder });
    expect(run, run.stderr).toMatchObject({ code: 0, stdout: 'dispatched\n' });
    if (options.length > 1) return;
    // Without --cors, the browser blocks the requests.
    expect((await tck(['stub', '--', process.execPath, 'browser.mjs'], { cwd: folder })).code).not.toBe(0);
  },
);

const [, python = ''] = /\.with_command\("(.*)"\)/.exec(text) ?? [];
const java = [...(/\.withCommand\((.*)\)/.exec(text)?.[1] ?? '').matchAll(/"([^"]*)"/g)].map(([, word = '']) => word);

test('Testcontainers: the command, the port, the token, the probe and the line are those of the image', async () => {
  expect(python.split(' ')).toEqual(java);
  const dockerfile = await readFile(new URL('../Dockerfile', import.meta.url), 'utf8');
  const ports = [...text.matchAll(/(?:exposed_ports|ExposedPorts|forPort|getMappedPort|exposed_port)\((\d+)\)/g)];
  expect(new Set(ports.map(([, port]) => Number(port)))).toEqual(new Set([defaultPort]));
  expect(dockerfile).toContain(`EXPOSE ${defaultPort}`);
  expect(dockerfile).toContain('ENTRYPOINT ["node", "/kit/dist/cli/main.js"]');
  expect(dockerfile).toContain(`CMD ${JSON.stringify(java.slice(0, 4)).replaceAll(',', ', ')}`);

  expect(java).toEqual(['stub', '--host', '0.0.0.0', '--allow-remote', '--control', '--health']);
  const [, token = ''] = /TOKEN = "(.*)"/.exec(text) ?? [];
  const printed = Promise.withResolvers<string>();
  const stopping = new AbortController();
  const given = { host: '0.0.0.0', allowRemote: true, control: true, health: true, controlToken: token, port: 0 };
  const ended = serveStub(given, { print: printed.resolve, stop: stopping.signal });
  try {
    const [, address = ''] = /^Listening at (\S+)$/m.exec(await printed.promise) ?? [];
    expect(text).toContain('"Listening at"');
    const reached = address.replace('127.0.0.1', 'localhost');
    expect((await fetch(`${reached}/health`)).status).toBe(200);
    const main = await fetch(`${reached}/__control/worlds/main/state`, { headers: { 'x-control-token': token } });
    expect(await main.json()).toMatchObject({ access: { baseUrl: reached, keys: { primary: expect.any(String) } } });
  } finally {
    stopping.abort();
    await ended;
  }
});

const image = process.env.TCK_TEST_IMAGE;

test.skipIf(image === undefined)('the image does so (needs TCK_TEST_IMAGE)', async () => {
  const docker = (...args: string[]) => spawnSync('docker', args, { encoding: 'utf8' });
  const published = ['--publish', `127.0.0.1::${defaultPort}`, '--env', 'TCK_CONTROL_TOKEN=a-token-for-tests'];
  const id = docker('run', '--rm', '--detach', ...published, image ?? '', ...java).stdout.trim();
  try {
    await expect.poll(() => docker('logs', id).stdout, { timeout: 60_000 }).toContain('Listening at');
    const address = docker('port', id, String(defaultPort)).stdout.trim();
    expect((await fetch(`http://${address}/health`)).status).toBe(200);
    const headers = { 'x-control-token': 'a-token-for-tests' };
    const main = await (await fetch(`http://${address}/__control/worlds/main/state`, { headers })).json();
    expect(main).toMatchObject({ access: { baseUrl: `http://${address}` } });
  } finally {
    docker('rm', '--force', id);
  }
});
