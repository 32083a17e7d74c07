import { spawnSync } from 'node:child_process';
import { mkdtempDisposable } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './programs.ts';
import { proxyFigures } from './proxy.ts';
import { runFigures } from './run.ts';
import { stubFigures } from './stub.ts';

// Prints figures as tables. Arguments name the parts to measure. Default: all.
const parts: Readonly<Record<string, (folder: string) => Promise<void>>> = {
  run: runFigures,
  stub: stubFigures,
  proxy: proxyFigures,
};
const wanted = process.argv.slice(2);

const { status } = spawnSync('npm', ['run', '-s', 'build'], { cwd: root, stdio: 'inherit' });
if (status !== 0) throw new Error('there is no build to measure');
const { versions, platform, arch } = process;
console.log(`Node.js ${versions.node}, ${availableParallelism()} cores, ${platform} ${arch}.`);
await using folder = await mkdtempDisposable(join(tmpdir(), 'tck-bench-'));
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length === 0 || wanted.includes(name)) await measure(folder.path);
}
