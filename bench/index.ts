import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { auditFigures } from './audit.ts';
import { callFigures } from './calls.ts';
import { root } from './child.ts';
import { containerFigures } from './container.ts';
import { driftFigures } from './drift.ts';
import { memoryFigures } from './memory.ts';
import { mergeFigures } from './merge.ts';
import { networkFigures } from './network.ts';
import { proxyFigures } from './proxy.ts';
import { reportFigures } from './reports.ts';
import { runFigures } from './run.ts';
import { stubFigures } from './stub.ts';
import { type Table, tableText } from './table.ts';

const parts: Readonly<Record<string, () => Promise<Table[]>>> = {
  run: runFigures,
  reports: reportFigures,
  merge: mergeFigures,
  network: networkFigures,
  stub: stubFigures,
  calls: callFigures,
  audit: auditFigures,
  drift: driftFigures,
  proxy: proxyFigures,
  memory: memoryFigures,
  container: containerFigures,
};
/** Parts that run only if they are named, because they need a container engine and images. */
const onlyNamed = ['container'];
const wanted = process.argv.slice(2);

const { status } = spawnSync('npm', ['run', '-s', 'build'], { cwd: root, stdio: 'inherit' });
if (status !== 0) throw new Error('there is no build to measure');
const tables: Table[] = [];
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length > 0 ? !wanted.includes(name) : onlyNamed.includes(name)) continue;
  const measured = await measure();
  for (const table of measured) console.log(tableText(table));
  tables.push(...measured);
}
if (wanted.length === 0) publish(tables);

/** Writes the tables between the markers in docs/project/performance.md. */
function publish(measured: readonly Table[]): void {
  const file = new URL('../docs/project/performance.md', import.meta.url);
  const [begin, end] = ['<!-- figures: npm run bench -->', '<!-- end of figures -->'];
  const text = readFileSync(file, 'utf8');
  const { versions, platform, arch } = process;
  const machine = `Node.js ${versions.node}, ${availableParallelism()} cores, ${platform} ${arch}.`;
  const figures = [begin, machine, '', ...measured.map(tableText), end].join('\n');
  writeFileSync(file, text.slice(0, text.indexOf(begin)) + figures + text.slice(text.indexOf(end) + end.length));
}
