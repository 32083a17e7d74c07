import { type RequirementId, requirements, type Topic, topics } from '../../../fixtures/requirements/index.ts';
import { type DefectId, defects } from '../../../stub/variants/defects/index.ts';
import type { Detection } from './matrix.ts';
import { exploring } from './observe.ts';

/** What the topics are called in headings. */
const titles: Readonly<Record<Topic, string>> = {
  envelopes: 'Envelopes: how an answer is put',
  headers: 'Headers',
  authentication: 'Authentication: which keys are good, and what the others get',
  surface: 'Surface: switches and the capability',
  'unknown-tools': 'Names that are no tools',
  bodies: 'Bodies',
  arguments: 'Arguments that do not fit',
  workspaces: 'Workspaces: where a call works, and who may',
  'content-requests': 'Content requests',
  schedule: 'Schedule',
  'content-status': 'Content status',
  library: 'Library',
  knowledge: 'Knowledge',
  connections: 'Connections',
  credits: 'Credits',
  'image-proposals': 'Image proposals: the first call',
  confirmations: 'Confirmations: the second call',
  expiry: 'Expiry of confirmations',
  race: 'Simultaneous confirmations',
  'rate-limit': 'Rate cap',
};

/** The most requirements that a line names; the matrix has all of them. */
const mostNamed = 4;

const numbers = new Map<RequirementId, number>(requirements.map(({ id }, index) => [id, index + 1]));
const topicOf = (id: DefectId): string => defects[id].breaks[0].split('.', 1)[0] ?? '';
const anchor = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
const code = (text: string): string => `\`${text}\``;

/**
 * The page `docs/detection.md`: every defect with what catches it, every requirement with what it catches, and the
 * matrix.
 */
export function detectionPage(matrix: readonly Detection[]): string {
  const chapters = topics.map((topic) => ({
    topic,
    title: titles[topic],
    rows: matrix.filter(({ id }) => topicOf(id) === topic),
  }));
  return `${[
    introduction(matrix.length),
    '## Where to look',
    ['| Topic | Defects |', '| --- | ---: |', ...chapters.map(contentsLine)].join('\n'),
    ...chapters.flatMap(({ title, rows }) => [`## ${title}`, table(rows)]),
    '## By requirement',
    'Every check fails for some defect: one that nothing could make fail would prove nothing. The numbers are those ' +
      'of the matrix.',
    byRequirement(matrix),
    '## Matrix',
    'A block for each topic, with a column for each of its requirements. ● found, ○ broken as well but hidden behind ' +
      'another finding; behind the columns, the numbers of requirements of other topics.',
    ...chapters.map(({ topic, rows }) => block(topic, rows)),
  ].join('\n\n')}\n`;
}

function introduction(defectCount: number): string {
  return [
    '# What the kit catches',
    `The stub can be made to deviate from the specification in ${defectCount} ways, one at a time: slips ` +
      'that a server that nearly gets it right might make. A test runs the whole kit against each of them ' +
      'and holds that it is found, that nothing which it does not break is blamed, and that without a defect ' +
      `nothing fails. Defects that only generated requests find were tried with \`--explore ${exploring}\`, ` +
      `all others without. This page is what that test measured; \`npm run generate\` writes it.`,
    'If you maintain a server: look for the thing that yours might do, and see which requirements would tell. If you ' +
      'write a client or a check: `tck stub --defect ID` starts a stub that does it, and `tck list --defects` prints ' +
      'the list.',
  ].join('\n\n');
}

function contentsLine({ title, rows }: { title: string; rows: readonly Detection[] }): string {
  return `| [${title}](#${anchor(title)}) | ${rows.length} |`;
}

function table(rows: readonly Detection[]): string {
  return [
    '| A server that … | is caught by | `--defect` |',
    '| --- | --- | --- |',
    ...rows.map(({ id, what, caughtBy }) => `| ${what} | ${caught(id, caughtBy)} | ${code(id)} |`),
  ].join('\n');
}

/** The requirement that the defect is about comes first. */
function caught(id: DefectId, caughtBy: readonly RequirementId[]): string {
  const found = new Set(caughtBy);
  const ordered = defects[id].breaks.filter((requirement) => found.has(requirement));
  const left = ordered.length - mostNamed;
  const named = ordered.slice(0, left === 1 ? mostNamed + 1 : mostNamed).map(code);
  return named.join(', ') + (left > 1 ? ` and ${left} more` : '');
}

function byRequirement(matrix: readonly Detection[]): string {
  const lines = requirements.map(({ id, level }, index) => {
    const killers = matrix.filter(({ caughtBy }) => caughtBy.includes(id)).map((row) => code(row.id));
    return `| ${index + 1} | ${code(id)}${level === 'should' ? ' (advised)' : ''} | ${killers.join(', ')} |`;
  });
  return ['| | Requirement | Catches |', '| ---: | --- | --- |', ...lines].join('\n');
}

function block(topic: Topic, rows: readonly Detection[]): string {
  const columns = requirements.filter((requirement) => requirement.topic === topic).map(({ id }) => id);
  const width = Math.max(...rows.map(({ id }) => id.length));
  const heads = columns.map((id) => String(numbers.get(id)).padStart(3));
  const digits = [0, 1, 2].map((place) => heads.map((head) => head[place]).join(''));
  const lines = rows.map(({ id, caughtBy, hidden }) => {
    const cells = columns.map((column) =>
      caughtBy.includes(column) ? '●' : hidden.some((h) => h === column) ? '○' : '·',
    );
    const elsewhere = caughtBy.filter((requirement) => !columns.some((column) => column === requirement));
    return `${id.padEnd(width)}  ${cells.join('')}  ${elsewhere.map((each) => numbers.get(each)).join(' ')}`.trimEnd();
  });
  return ['```text', ...digits.map((line) => `${' '.repeat(width)}  ${line}`.trimEnd()), ...lines, '```'].join('\n');
}
