import { spawnSync } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { outputOf, ProgramFailed } from './program.ts';

const folder = temporaryFolder();

const run = (script: string, more: { timeoutSeconds?: number; signal?: AbortSignal } = {}) =>
  outputOf([process.execPath, '-e', script], { cwd: folder, timeoutSeconds: 30, ...more });

test('what a program prints is returned, and it gets no input', async () => {
  expect(await run('process.stdin.on("end", () => console.log("out")).resume(); console.error("err")')).toBe('out\n');
});

test.each<[string, () => Promise<string>, string]>([
  ['an exit code', () => run('process.exit(4)'), 'exited with code 4'],
  ['a signal', () => run('process.kill(process.pid, "SIGKILL")'), 'was killed by SIGKILL'],
  ['no end', () => run('setInterval(() => {}, 1000)', { timeoutSeconds: 0.2 }), 'did not finish within 0.2 seconds'],
  ['an interruption', () => run('', { signal: AbortSignal.abort() }), 'did not finish within 30 seconds'],
  ['too much', () => run('process.stdout.write("x".repeat(2 ** 21))'), 'printed more than 1048576 characters'],
  ['no program', () => outputOf(['no-such-program'], { cwd: folder, timeoutSeconds: 9 }), 'was not found'],
  ['no name', () => outputOf([''], { cwd: folder, timeoutSeconds: 9 }), 'cannot be started (ERR_INVALID_ARG_VALUE)'],
])('%s is a failure', async (_, running, how) => {
  await expect(running()).rejects.toThrow(new ProgramFailed(how));
});

/** Runs a script in a process that identifies its platform as Windows and finds these programs in the folder. */
async function onWindows(script: string, programs: Readonly<Record<string, string>>) {
  for (const [name, lines] of Object.entries(programs)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${lines}\n`);
    await chmod(join(folder, name), 0o755);
  }
  const pretend = `Object.defineProperty(process, 'platform', { value: 'win32' });`;
  const moduleOf = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
  return spawnSync(
    process.execPath,
    [
      ...['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, '--input-type=module', '--eval'],
      [
        `const { startProgram } = await import(${moduleOf('program.ts')});`,
        `const { signalGroup } = await import(${moduleOf('program.ts')});`,
        script,
      ].join('\n'),
    ],
    {
      encoding: 'utf8',
      env: {
        PATH: [folder, dirname(process.execPath), process.env.PATH].join(delimiter),
        PATHEXT: '.EXE:.CMD',
        comspec: join(folder, 'cmd.exe'),
      },
    },
  );
}

test.skipIf(process.platform === 'win32')(
  'on Windows a script runs in a shell that takes none of its arguments apart (needs a POSIX shell)',
  async () => {
    const start = `startProgram(['client', 'a b', 'x&y', '%PATH%'], { stdio: 'inherit' })`;
    const script = `${start}.on('exit', (code) => process.exit(code));`;
    const ended = await onWindows(script, { 'client.CMD': '', 'cmd.exe': 'printf "%s\\n" "$@"; exit 7' });
    const stdout = '/d\n/s\n/c\n"client ^"a^ b^" ^"x^&y^" ^"^%PATH^%^""\n';
    expect(ended).toMatchObject({ status: 7, stdout, stderr: '' });
  },
);

test.skipIf(process.platform === 'win32')(
  'on Windows all that a script started ends with it (needs a POSIX shell)',
  async () => {
    const script = `signalGroup({ pid: 4711, kill: () => console.log('killed') }, 'SIGTERM');`;
    const ended = await onWindows(script, { taskkill: `echo "$@" >${join(folder, 'told')}` });
    expect(ended).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(spawnSync('cat', [join(folder, 'told')], { encoding: 'utf8' }).stdout).toBe('/pid 4711 /T /F\n');
  },
);
