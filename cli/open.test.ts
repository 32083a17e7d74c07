import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Sink } from '../test/reports/sink.ts';
import { tck } from '../test/tck.ts';
import { open } from './open.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tck-open-'));
  await writeFile(join(folder, 'report.html'), '<title>a report</title>');
  await writeFile(join(folder, 'secret.txt'), 'not a form of the report');
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

test.runIf(process.platform === 'linux')('the last report is opened in the browser of the desktop', async () => {
  const opener = join(folder, 'xdg-open');
  await writeFile(opener, `#!/bin/sh\necho "$1" > '${folder}/opened'\n`);
  await chmod(opener, 0o755);
  const page = join(folder, 'report.html');
  const env = { PATH: `${folder}:${process.env.PATH}` };
  expect(await tck(['open', folder], { env })).toEqual({ code: 0, stdout: `Opened ${page}\n`, stderr: '' });
  expect(await readFile(join(folder, 'opened'), 'utf8')).toBe(`${page}\n`);
  await writeFile(opener, '#!/bin/sh\nexit 3\n');
  const { code, stderr } = await tck(['open', folder], { env });
  expect([code, stderr]).toEqual([2, `tck: xdg-open cannot open ${page}: open it yourself, or run tck open --serve\n`]);
});

test('without a report nothing is opened', async () => {
  const { code, stderr } = await tck(['open', join(folder, 'none')]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("report.html'. Run tck run first")]);
});

/** Requests a path with a given `Host` header and returns the status and the body. */
const fetched = (base: string, path: string, host = new URL(base).host) =>
  new Promise<[number | undefined, string]>((fulfil, reject) => {
    get(new URL(base), { path, headers: { host } }, async (response) => {
      fulfil([response.statusCode, Buffer.concat(await response.toArray()).toString()]);
    }).on('error', reject);
  });

/** Serves a folder until disposal. */
async function served(place: string): Promise<{ base: string } & AsyncDisposable> {
  const stop = new AbortController();
  const stdout = new Sink();
  const around = { env: {}, cwd: '.', stdout, stderr: new Sink(), hide: () => {}, signal: stop.signal };
  const ended = open.run([place, '--serve', '--port', '0'], around);
  await expect.poll(() => stdout.text).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\n$/);
  return {
    base: stdout.text.trim(),
    async [Symbol.asyncDispose]() {
      stop.abort();
      expect(await ended).toBe(0);
    },
  };
}

test.runIf(process.platform !== 'win32')('--serve follows no symbolic link out of the folder', async () => {
  const hostile = join(folder, 'hostile');
  await mkdir(hostile);
  await writeFile(join(hostile, 'report.html'), '<title>a report</title>');
  await symlink(join(folder, 'secret.txt'), join(hostile, 'junit.xml'));
  await symlink('report.html', join(hostile, 'summary.md'));
  await symlink('/dev/zero', join(hostile, 'badge.json'));
  const other = join(folder, 'link-to-hostile');
  await symlink(hostile, other);
  for (const place of [hostile, other]) {
    await using serving = await served(place);
    expect((await fetched(serving.base, '/report.html'))[0]).toBe(200);
    for (const name of ['junit.xml', 'summary.md', 'badge.json']) {
      expect((await fetched(serving.base, `/${name}`))[0], name).toBe(404);
    }
  }
  await rm(join(hostile, 'report.html'));
  await symlink(join(folder, 'secret.txt'), join(hostile, 'report.html'));
  const { code, stderr } = await tck(['open', hostile, '--serve', '--port', '0']);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/'.*report\.html'\s+is\s+a\s+symbolic\s+link/)]);
});

test('--serve serves the report to this machine, and no other file or name', async () => {
  await using serving = await served(folder);
  const { base } = serving;
  expect(await fetched(base, '/')).toEqual([200, '<title>a report</title>']);
  expect(await fetched(base, '/report.html')).toEqual([200, '<title>a report</title>']);
  expect((await fetched(base, '/secret.txt'))[0]).toBe(404);
  expect((await fetched(base, '/../secret.txt'))[0]).toBe(404);
  expect((await fetched(base, '/', 'elsewhere.example.test'))[0]).toBe(404);
});
