import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { tck } from '../test/tck.ts';

const completed = async (...words: string[]) => {
  const { code, stdout } = await tck(['completion', 'bash', '--', ...words]);
  expect(code).toBe(0);
  return stdout.split('\n').filter((line) => line !== '');
};

test.each<[string, string[]]>([
  ['com', ['compare', 'completion']],
  ['help mat', ['matrix']],
  ['run --la', ['--last-failed', '--label']],
  ['run --no', ['--no-commands', '--no-observe', '--no-trace']],
  ['run --only exp', ['expiry']],
  ['run --allow sp', ['spending']],
  ['run --reporter ', ['github']],
  ['explain race.', ['race.one-dispatches', 'race.others-invalid']],
  ['stub -- np', []],
  ['nothing ', []],
])('%s', async (line, expected) => {
  expect(await completed(...line.split(' '))).toEqual(expected);
});

test('bash completes with the script that it is given', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tck-completion-'));
  const main = fileURLToPath(new URL('./main.ts', import.meta.url));
  await writeFile(join(folder, 'tck'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
  await chmod(join(folder, 'tck'), 0o755);
  const script = [
    'source <(tck completion bash)',
    'COMP_WORDS=(tck explain race.o); COMP_CWORD=2; _tck',
    'echo "$' + '{COMPREPLY[*]}"',
  ].join('\n');
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  const { stdout } = spawnSync('bash', ['-c', script], { env, encoding: 'utf8' });
  expect(stdout.trim().split(/\s+/)).toEqual(['race.one-dispatches', 'race.others-invalid']);
  await rm(folder, { recursive: true });
});

test('another shell is named', async () => {
  const { code, stderr } = await tck(['completion', 'csh']);
  expect([code, stderr]).toEqual([2, "tck: shell: expected bash, zsh or fish, got 'csh'\n"]);
});
