import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { causesOf } from '../../suites/causes/causes.ts';
import { judge } from '../../suites/model/judge/judge.ts';
import { rules } from '../../suites/topics/index.ts';
import { type Recorded, recordings } from './recorded.ts';
import { reportOf } from './report-of.ts';

/** What a judge says about one recording. */
interface Verdict {
  readonly breaks: readonly string[];
  /** Requirements with a finding, or that a rule could not judge because it threw. */
  readonly found: readonly string[];
  /** Requirements with a finding that only repetitions can confirm. */
  readonly unconfirmed: readonly string[];
  readonly tested: readonly string[];
  /** Title, requirements and exchanges of each probable cause. */
  readonly causes: readonly string[];
}

type Verdicts = Readonly<Record<string, Verdict>>;

function verdictOn({ breaks, history }: Recorded): Verdict {
  const all = judge(rules, history);
  const ids = (chosen: typeof all) => chosen.map(({ id }) => id).toSorted();
  return {
    breaks,
    found: ids(all.filter(({ findings, broke }) => findings.length > 0 || broke !== undefined)),
    unconfirmed: ids(all.filter(({ unconfirmed }) => unconfirmed.length > 0)),
    tested: ids(all.filter(({ tested }) => tested > 0)),
    causes: causesOf(reportOf(all)).map(
      ({ title, severity, requirements, exchanges }) =>
        `${title} (${severity}; ${requirements.map(({ id }) => id).join(' ')}; ${exchanges.join(' ')})`,
    ),
  };
}

/** Counts recordings by what the judge made of them. */
function figures(verdicts: Verdicts): Record<string, number> {
  const all = Object.values(verdicts);
  const deviant = all.filter(({ breaks }) => breaks.length > 0);
  const named = deviant.filter(({ breaks, found }) => breaks.some((id) => found.includes(id)));
  return {
    deviant: deviant.length,
    'caught by a requirement that is broken': named.length,
    'findings of other requirements': deviant.flatMap(({ breaks, found }) => found.filter((id) => !breaks.includes(id)))
      .length,
    conforming: all.length - deviant.length,
    accused: all.filter(({ breaks, found }) => breaks.length === 0 && found.length > 0).length,
  };
}

/** Returns one line for each recording and member whose requirements differ. */
function differences(before: Verdicts, after: Verdicts): string[] {
  return Object.entries(after).flatMap(([name, now]) => {
    const then = before[name];
    if (then === undefined) return [];
    return (['found', 'unconfirmed', 'tested', 'causes'] as const).flatMap((member) => {
      const lost = then[member].filter((id) => !now[member].includes(id)).map((id) => `-${id}`);
      const gained = now[member].filter((id) => !then[member].includes(id)).map((id) => `+${id}`);
      return lost.length + gained.length === 0 ? [] : [`${name} ${member}: ${[...lost, ...gained].join(' ')}`];
    });
  });
}

/**
 * Judges all recordings. With `--out FILE`, writes the verdicts. With `--before FILE`, prints what differs from the
 * verdicts of another judge, usually those of the commit before, and fails if anything does.
 */
function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { out: { type: 'string' }, before: { type: 'string' } },
  });
  const startedAt = performance.now();
  const verdicts: Record<string, Verdict> = {};
  for (const each of recordings(positionals[0] ?? '')) verdicts[each.name] = verdictOn(each);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.table({ ...figures(verdicts), seconds });
  if (values.out !== undefined) writeFileSync(values.out, JSON.stringify(verdicts));
  if (values.before === undefined) return;
  const lines = differences(JSON.parse(readFileSync(values.before, 'utf8')), verdicts);
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
  process.exitCode = lines.length === 0 ? 0 : 1;
}

if (import.meta.main) main();
