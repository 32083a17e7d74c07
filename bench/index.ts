import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { type Table, tableText } from './figures.ts';
import { root } from './programs.ts';
import { proxyFigures } from './proxy.ts';
import { judgeFigures, runFigures } from './run.ts';
import { stubFigures } from './stub.ts';

// Prints figures as Markdown tables. Arguments name the parts to measure. Default: all.
const parts: Readonly<Record<string, () => Promise<Table[]>>> = {
  run: runFigures,
  stub: stubFigures,
  judge: judgeFigures,
  proxy: proxyFigures,
};
const wanted = process.argv.slice(2);

const { status } = spawnSync('npm', ['run', '-s', 'build'], { cwd: root, stdio: 'inherit' });
if (status !== 0) throw new Error('there is no build to measure');
const { versions, platform, arch } = process;
console.log(`Node.js ${versions.node}, ${availableParallelism()} cores, ${platform} ${arch}.\n`);
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const table of await measure()) console.log(tableText(table));
}
