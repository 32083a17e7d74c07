// Tries the kit against the stub with defects named on the command line; a tool for debugging.
import { matrixOf } from './matrix.ts';
import { measure } from './measure.ts';
import { everyDefect } from './generate.ts';
const [which = '', ...rest] = process.argv.slice(2);
const chosen = which === 'all' ? [null, ...everyDefect.filter((d) => rest.length === 0 || rest.some((r) => d.includes(r)))] : [null, ...everyDefect.filter((d) => [which, ...rest].includes(d))];
const obs = await measure(chosen as never);
console.log('plain', JSON.stringify(obs[0]?.outcomes), Math.round(obs[0]?.durationMs ?? 0));
let bad = 0;
for (const d of matrixOf(obs)) {
  const caught = d.caughtBy.length > d.blamed.length;
  if (caught && d.blamed.length === 0 && d.errored.length === 0 && which === 'all') continue;
  bad += 1;
  console.log(caught ? '' : 'MISSED', d.id, 'caught', d.caughtBy.join(' '), '| blamed', d.blamed.join(' '), '| errored', d.errored.join(' '), '| hidden', d.hidden.join(' '));
}
console.log(chosen.length, 'tried', bad, 'shown');
process.exit(0);
