import { execFileSync } from 'node:child_process';
import { symlink, truncate, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { tck } from '../test/tck.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const folder = temporaryFolder();
const url = 'http://127.0.0.1:9';

beforeAll(async () => {
  for (const [name, file] of Object.entries({ zero: '/dev/zero', fifo: 'fifo', large: 'large' }))
    await writeFile(join(folder, `${name}.json`), JSON.stringify({ baseUrl: url, keys: { primary: { file } } }));
  execFileSync('mkfifo', [join(folder, 'fifo')]);
  await symlink('/dev/zero', join(folder, 'link'));
  await writeFile(join(folder, 'large'), '');
  // Sparse: the file takes no space.
  await truncate(join(folder, 'large'), 70 * 1024 ** 3);
});

const inFolder = (args: readonly string[]) => tck(args, { cwd: folder, env: { TCK_KEY_PRIMARY: 'key-number-one' } });
const proxying = (file: string) => ['proxy', url, '--port', '0', '--tls-cert', file, '--tls-key', file];
const uses: [string, (file: string) => string[]][] = [
  ['tck compare', (file) => ['compare', file, file]],
  ['tck audit', (file) => ['audit', file]],
  ['tck run --config', (file) => ['run', '--config', file]],
  ['tck plan --config', (file) => ['plan', '--config', file]],
  ['tck run --known-failures', (file) => ['run', url, '--known-failures', file]],
  ['tck run --update-known-failures', (file) => ['run', url, '--known-failures', file, '--update-known-failures']],
  ['tck run --baseline', (file) => ['run', url, '--baseline', file]],
  ['tck proxy --tls-cert', (file) => proxying(resolve(folder, file))],
];
const cases = uses.flatMap(([what, args]) =>
  ['/dev/zero', 'link', 'fifo', 'large'].map((file) => [what, file, args(file)] as const),
);

test.runIf(process.platform === 'linux').each(cases)('%s refuses the file %s (needs Linux)', async (_, file, args) => {
  const why = file === 'large' ? /is larger than \d+ [KMG]B/ : /is not a regular file; save/;
  const { code, stderr } = await inFolder(args);
  expect([code, stderr.replaceAll(/\s+/g, ' ')]).toEqual([2, expect.stringMatching(why)]);
});

test.runIf(process.platform === 'linux').each(['zero', 'fifo', 'large'])(
  'a key file is refused: %s (needs Linux)',
  async (name) => {
    const why = /keys\.primary\.file: .*(regular file|larger than 64 KB)/;
    const { code, stderr } = await inFolder(['plan', '--config', `${name}.json`]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(why)]);
  },
);
