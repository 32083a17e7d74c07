import { execFileSync, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createStub } from '../stub/index.ts';
import { idsWith, reportIn } from '../test/output.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const parent = temporaryFolder();

/** Name of the image that .ci/run builds. The test is skipped without an image. */
const image = process.env.TCK_TEST_IMAGE ?? '';

const port = 4017;

test.skipIf(image === '')('the user of the container can write to no file of the kit (needs TCK_TEST_IMAGE)', () => {
  const find = ['run', '--rm', '--entrypoint', 'find', image, '/kit', '-writable'];
  expect(execFileSync('docker', find, { encoding: 'utf8' })).toBe('');
});

test.skipIf(image === '')(
  'the proxy of the Dockerfile judges, and leaves its report (needs TCK_TEST_IMAGE)',
  async () => {
    const text = await readFile(new URL('../Dockerfile', import.meta.url), 'utf8');
    const [line = ''] = /docker run .* proxy .*/.exec(text) ?? [];
    const folder = await mkdtemp(join(parent, 'report-'));
    await chmod(folder, 0o777);
    await using stub = createStub({ defects: ['days-empty'] });
    const { baseUrl } = await stub.listen({ port: 0 });
    // The container shares the network of the host, to reach the stub on the loopback interface.
    const [program = '', ...args] = line
      .replace('-p 127.0.0.1:4010:4010', '--network host')
      .replace('"$PWD/tck-report:/report"', `${folder}:/report`)
      .replace('content-workspace-tck', image)
      .replace('https://api.example.test', baseUrl)
      .replace('4010', String(port))
      .replace('0.0.0.0', '127.0.0.1')
      .split(' ');
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = new Promise((resolve) => child.once('close', resolve));
    while (!String(child.stdout.read() ?? '').includes('Forwarding')) await wait(100);
    const headers = { authorization: `Bearer ${stub.keys.sole}`, 'content-type': 'application/json' };
    const url = `http://127.0.0.1:${port}/api/v1/tools/schedule.read`;
    expect((await fetch(url, { method: 'POST', headers, body: '{}' })).status).toBe(200);
    child.kill('SIGTERM'); // `docker run` passes it on
    expect(await ended).toBe(1);
    expect(idsWith(await reportIn(folder), 'failed')).toContain('schedule.days');
  },
);
