import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { serveStub } from '../../cli/stub.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { tck } from '../../test/tck.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { createStub } from '../index.ts';
import { environmentOf, runCommand } from './command.ts';

const folder = temporaryFolder();
const node = (script: string) => [process.execPath, '-e', script];
const never = new AbortController().signal;

test('a command ends the stub with its exit code, and finds the stub in its environment', async () => {
  const script = `
    const { TCK_BASE_URL, TCK_KEY_PRIMARY, TCK_CONTROL_URL, TCK_CONTROL_TOKEN, TCK_WORKSPACE, TCK_BOARD } = process.env;
    const headers = { authorization: 'Bearer ' + TCK_KEY_PRIMARY, 'x-control-token': TCK_CONTROL_TOKEN };
    const answer = await fetch(TCK_BASE_URL + '/api/v1/tools/credits.balance', { method: 'POST', headers });
    const control = await fetch(TCK_CONTROL_URL + 'worlds/main/state', { headers });
    process.exit((await answer.json()).ok && control.ok && TCK_WORKSPACE && TCK_BOARD ? 7 : 1);
  `;
  const command = [process.execPath, '--input-type=module', '-e', script];
  const printed: string[] = [];
  const io = { print: (line: string) => printed.push(line), stop: never };
  expect(await serveStub({ control: true, program: command }, io)).toBe(7);
  expect(printed).toEqual([]);
});

test('the control plane takes the token that it is given, and refuses one that is easily guessed', async () => {
  const script = "process.exit(process.env.TCK_CONTROL_TOKEN === 'a-token-of-mine' ? 3 : 1)";
  const io = { print: () => undefined, stop: never };
  expect(await serveStub({ control: true, controlToken: 'a-token-of-mine', program: node(script) }, io)).toBe(3);
  for (const controlToken of ['', 'short', 'with a space in it']) {
    await expect(serveStub({ port: 0, control: true, controlToken }, io)).rejects.toThrow(
      'TCK_CONTROL_TOKEN: expected',
    );
  }
});

test('a command that a signal ends has the exit code that shells give it', async () => {
  expect(await runCommand({ command: node('process.kill(process.pid, "SIGKILL")'), env: {}, stop: never })).toBe(137);
});

test('stopping the stub stops its command', async () => {
  const stopping = new AbortController();
  const command = runCommand({ command: node('setInterval(() => {}, 1000)'), env: {}, stop: stopping.signal });
  setTimeout(() => stopping.abort(), 100);
  expect(await command).toBe(143);
});

test('the signal that interrupts the stub is the one that its command gets', async () => {
  const stopping = new AbortController();
  const ready = join(folder, 'ready');
  const script = `
    process.on('SIGINT', () => process.exit(9));
    process.on('SIGTERM', () => process.exit(8));
    require('node:fs').writeFileSync(${JSON.stringify(ready)}, '');
    setInterval(() => {}, 1000);
  `;
  const command = runCommand({ command: node(script), env: {}, stop: stopping.signal });
  await expect.poll(() => existsSync(ready), { timeout: 60_000 }).toBe(true);
  stopping.abort(new Error('interrupted', { cause: 'SIGINT' }));
  expect(await command).toBe(9);
});

test('a command that cannot be started is wrong usage', async () => {
  const start = (program: string) => runCommand({ command: [program], env: {}, stop: never });
  await expect(start('/no/such/program')).rejects.toThrow(UsageError);
  await expect(start('/no/such/program')).rejects.toThrow("cannot start '/no/such/program': it was not found");
  await expect(start('/')).rejects.toThrow("cannot start '/': it is not an executable file");
});

test('without a control plane nothing of it is in the environment', () => {
  const names = Object.keys(environmentOf(createStub(), 'http://127.0.0.1:1', undefined));
  expect(names.filter((name) => name.includes('CONTROL'))).toEqual([]);
  expect(names).toContain('TCK_KEY_OTHER_ACCOUNT');
});

describe.concurrent('where everything differs that may', () => {
  const place = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const inHostile = async (seed: number, client: string) => {
    const options = ['stub', '--variant', 'random', '--control', '--seed', String(seed)];
    return (await tck([...options, '--', process.execPath, place(`../../test/clients/${client}.mjs`)])).code;
  };

  test.each([1, 2, 3])('a good client does as it always does (seed %i)', async (seed) => {
    expect(await inHostile(seed, 'good')).toBe(0);
  });

  test('a client that knows one server only does not', async () => {
    // Only some combinations of variants break this client.
    const ends = await Promise.all([1, 2, 3, 4, 5, 6].map((seed) => inHostile(seed, 'careless')));
    expect(ends).toContain(1);
  });
});
