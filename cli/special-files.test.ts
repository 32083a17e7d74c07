import { execFileSync } from 'node:child_process';
import { symlink, truncate, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configFolder } from '../test/config-folder.ts';
import { tck } from '../test/tck.ts';

let folder: Awaited<ReturnType<typeof configFolder>>;

beforeAll(async () => {
  const keyIn = (file: string) => ({ baseUrl: 'http://127.0.0.1:9', keys: { primary: { file } } });
  folder = await configFolder({
    'zero.json': keyIn('/dev/zero'),
    'fifo.json': keyIn('fifo'),
    'large.json': keyIn('large'),
  });
  execFileSync('mkfifo', [folder.file('fifo')]);
  await symlink('/dev/zero', folder.file('link'));
  await writeFile(folder.file('large'), '');
  // Sparse: the file takes no space.
  await truncate(folder.file('large'), 70 * 1024 ** 3);
});

afterAll(() => folder[Symbol.asyncDispose]());

const env = { TCK_KEY_PRIMARY: 'key-number-one' };
const url = 'http://127.0.0.1:9';
const uses: [string, (file: string) => string[]][] = [
  ['tck compare', (file) => ['compare', file, file]],
  ['tck audit', (file) => ['audit', file]],
  ['tck run --config', (file) => ['run', '--config', file]],
  ['tck plan --config', (file) => ['plan', '--config', file]],
  ['tck run --known-failures', (file) => ['run', url, '--known-failures', file]],
  ['tck run --update-known-failures', (file) => ['run', url, '--known-failures', file, '--update-known-failures']],
  ['tck run --baseline', (file) => ['run', url, '--baseline', file]],
  [
    'tck proxy --tls-cert',
    (file) => [
      'proxy',
      url,
      '--port',
      '0',
      '--tls-cert',
      resolve(folder.path, file),
      '--tls-key',
      resolve(folder.path, file),
    ],
  ],
];
const kinds: [string, RegExp][] = [
  ['/dev/zero', /is\s+not\s+a\s+regular\s+file;\s+save/],
  ['link', /is\s+not\s+a\s+regular\s+file;\s+save/],
  ['fifo', /is\s+not\s+a\s+regular\s+file;\s+save/],
  ['large', /is\s+larger\s+than\s+\d+\s+[KMG]B/],
];
const cases = uses.flatMap(([what, args]) => kinds.map(([file, message]) => [what, file, args, message] as const));

test.runIf(process.platform === 'linux').each(cases)(
  '%s refuses the file %s (needs Linux)',
  async (_what, file, args, message) => {
    const { code, stderr } = await tck(args(file), { cwd: folder.path, env });
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  },
);

test.runIf(process.platform === 'linux').each(['zero', 'fifo', 'large'])(
  'a key file is refused: %s (needs Linux)',
  async (name) => {
    const { code, stderr } = await tck(['plan', '--config', `${name}.json`], { cwd: folder.path, env });
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/keys\.primary\.file: .*(regular file|larger than 64 KB)/),
    ]);
  },
);
