import { type RequirementId, topics, topicTitles } from '../../fixtures/requirements/model.ts';
import { type DefectId, defects } from '../../stub/variants/defects/index.ts';
import { requirements } from '../../suites/requirements.ts';
import { type DeviationClass, deviationClasses } from '../third-server/deviation.ts';
import { type Measured, readMeasured } from '../third-server/measured.ts';
import type { Detection } from './matrix.ts';
import { exploring } from './observe.ts';

/** Maximum number of requirements in a line. The table by requirement lists all of them. */
const mostNamed = 4;

const topicOf = (id: DefectId): string => defects[id].breaks[0].split('.', 1)[0] ?? '';
const anchor = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
const code = (text: string): string => `\`${text}\``;

/**
 * Returns the page `docs/detection.md`: every defect with the requirements that catch it, and every requirement with
 * its defects.
 */
export function detectionPage(matrix: readonly Detection[]): string {
  const chapters = topics.map((topic) => ({
    topic,
    title: topicTitles[topic],
    rows: matrix.filter(({ id }) => topicOf(id) === topic),
  }));
  return `${[
    introduction(matrix.length),
    '## Unusual deviations',
    unusual(readMeasured()),
    '## Topics',
    ['| Topic | Defects |', '| --- | ---: |', ...chapters.map(contentsLine)].join('\n'),
    ...chapters.flatMap(({ title, rows }) => [`## ${title}`, table(rows)]),
    '## By requirement',
    'Every requirement fails for at least one defect. A defect does not fail a violated requirement if another ' +
      'finding has precedence.',
    byRequirement(matrix),
  ].join('\n\n')}\n`;
}

function introduction(defectCount: number): string {
  return [
    '# What the kit catches',
    'This page lists the violations that the kit catches, with the requirements that catch each violation.',
    `The stub has ${defectCount} defects: single deviations from the specification that a nearly correct server may ` +
      'have. A test runs the kit against each defect. A requirement that the defect violates fails, and no ' +
      'other requirement fails. Without a defect, no requirement fails. ' +
      `The test of defects that only generated requests find uses \`--explore ` +
      `${exploring}\`. \`npm run generate\` writes this page from the results.`,
    '[As many causes as defects](project/causes.md) shows how reports group the findings of several defects.',
    '`tck stub --defect ID` starts a stub with a defect, and `tck list --defects` prints the list.',
  ].join('\n\n');
}

const words: Readonly<Record<DeviationClass, string>> = {
  roles: 'Roles: one key gets different responses',
  workspaces: 'Workspaces: two workspaces, at once and in sequence',
  repetition: 'Repetition: the second or the thirtieth request differs',
  names: 'Names that resemble the names of tools',
  credentials: 'Credentials: places, schemes, suffixes, and case',
  bodies: 'Bodies: framing, size, depth, and lists',
  values: 'Values inside the allowed range',
  'two-faults': 'Two errors in one request',
  ages: 'Ages and boundaries of limits',
  execute: 'Headers and arguments that might trigger execution',
  parallel: 'Parallel requests',
};

/** Describes deviations of the third server, for which no rule was written. */
export function unusual({ date, explore, classes }: Measured): string {
  const rows = deviationClasses.map((name) => ({ what: words[name], ...classes[name] }));
  const sum = (of: 'deviations' | 'byDefault' | 'exploring') => rows.reduce((total, row) => total + row[of], 0);
  const all = { what: 'All', deviations: sum('deviations'), byDefault: sum('byDefault'), exploring: sum('exploring') };
  return [
    'A server that was written only from the specification has deviations that ordinary use does not show ' +
      `([selection of the deviations](project/unseen.md)). The figures are from ${date}. A deviation is caught if ` +
      'a violated requirement fails.',
    '',
    `| Class | Deviations | Caught by a default run | With \`--explore ${explore}\` |`,
    '| --- | ---: | ---: | ---: |',
    ...[...rows, all].map((row) => `| ${row.what} | ${row.deviations} | ${row.byDefault} | ${row.exploring} |`),
  ].join('\n');
}

function contentsLine({ title, rows }: { title: string; rows: readonly Detection[] }): string {
  return `| [${title}](#${anchor(title)}) | ${rows.length} |`;
}

function table(rows: readonly Detection[]): string {
  return [
    '| Behavior of the server | Failed requirements | `--defect` |',
    '| --- | --- | --- |',
    ...rows.map(({ id, what, caughtBy }) => `| ${what} | ${caught(id, caughtBy)} | ${code(id)} |`),
  ].join('\n');
}

/** Lists the requirements that catch a defect, in the order in which the defect declares them. */
function caught(id: DefectId, caughtBy: readonly RequirementId[]): string {
  const found = new Set(caughtBy);
  const ordered = defects[id].breaks.filter((requirement) => found.has(requirement));
  const left = ordered.length - mostNamed;
  const named = ordered.slice(0, left === 1 ? mostNamed + 1 : mostNamed).map(code);
  return named.join(', ') + (left > 1 ? ` and ${left} more` : '');
}

/** Returns one row per requirement, without positions, so that a new requirement changes no other row. */
function byRequirement(matrix: readonly Detection[]): string {
  const lines = requirements.map(({ id, level }) => {
    const caught = matrix.filter(({ caughtBy }) => caughtBy.includes(id)).map((row) => code(row.id));
    const hidden = matrix.filter((row) => row.hidden.includes(id)).map((row) => code(row.id));
    return `| ${code(id)}${level === 'should' ? ' (advised)' : ''} | ${caught.join(', ')} | ${hidden.join(', ')} |`;
  });
  return ['| Requirement | Fails for | Hidden |', '| --- | --- | --- |', ...lines].join('\n');
}
