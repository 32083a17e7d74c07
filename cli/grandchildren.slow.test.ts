import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { startTck } from '../test/tck.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const folder = temporaryFolder();

beforeAll(async () => {
  const script = '#!/bin/bash\necho $$ >"$1.part"; mv "$1.part" "$1"; while :; do sleep 0.1; done\n';
  await writeFile(join(folder, 'client.sh'), script, { mode: 0o755 });
});

/** Crashes the kit on a signal, to simulate a bug. */
const crash = `process.on('SIGUSR2', () => { throw new Error('a fault of the kit'); });`;
const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(crash)}` };

function isAlive(pid: number): boolean {
  try {
    // A zombie process counts as finished.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

const commands = { stub: ['--port', '0'], proxy: ['http://127.0.0.1:9'], judge: [] };
const ways = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const;
const cases = Object.entries(commands).flatMap(([name, args]) =>
  ways.map((way) => [name, way === 'SIGUSR2' ? 'a crash of the kit' : way, way, args] as const),
);

test.runIf(process.platform === 'linux').concurrent.each(cases)(
  'tck %s ends the children of its command on %s (needs Linux)',
  async (name, what, signal, args) => {
    const pidFile = join(folder, `${name} ${what}`);
    const out = name === 'stub' ? [] : ['--out', join(folder, `report of ${name} ${what}`)];
    const command = ['bash', '-c', '"$0" "$1"; true', join(folder, 'client.sh'), pidFile];
    const { child } = startTck([name, ...args, ...out, '--', ...command], { env });
    await expect.poll(() => existsSync(pidFile), { timeout: 60_000 }).toBe(true);
    const grandchild = Number(readFileSync(pidFile, 'utf8'));
    expect(isAlive(grandchild)).toBe(true);
    child.kill(signal);
    await once(child, 'exit');
    expect(isAlive(grandchild)).toBe(false);
  },
);
