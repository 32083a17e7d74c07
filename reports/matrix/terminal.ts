import { counted } from '../../suites/usage/counted.ts';
import { type CauseChange, type CauseState, causeChange } from '../compare/cause-rows.ts';
import { shownValues } from '../compare/words.ts';
import { plain } from '../plain.ts';
import { deploymentName, statusWords } from '../status-words.ts';
import { field, type Look, paragraph } from '../terminal/layout.ts';
import { isTelling, type Matrix, type Row } from './model.ts';

/** Matrix for a terminal: numbered runs, then requirements that fail or differ. */
export function renderMatrix(matrix: Matrix, look: Look): string {
  const { causes, columns, rows, observations } = matrix;
  const telling = rows.filter(isTelling);
  const lines = [
    ...paragraph(look, sinceBefore(matrix), 0, ['bold']),
    ...matrix.notes.flatMap((note) => paragraph(look, `note: ${plain(note)}`, 0)),
    '',
    ...columns.flatMap(({ label, startedAt, headline, ...run }, index) =>
      field(
        look,
        `run ${index + 1}`,
        `${headline}: ${plain(label ?? deploymentName(run), 60)}, ${plain(startedAt)}`,
        0,
      ),
    ),
    '',
    ...causes.flatMap(({ title, states }, index) => [
      ...(index === 0 ? ['Causes'] : []),
      ...paragraph(look, `${states.map((state) => causeSigns[state]).join(' ')}  ${plain(title)}`, 2),
    ]),
    ...(causes.length > 0 ? ['', legend, ''] : []),
    ...[...Map.groupBy(telling, ({ topic }) => topic)].flatMap(([topic, inTopic]) => [
      plain(topic),
      ...inTopic.map(rowLine),
    ]),
    ...(telling.length === 0 ? ['Every requirement that was tested passed in every run.'] : []),
    ...observations.flatMap(({ id, values }, index) => [
      ...(index === 0 ? ['', 'Observations that differ'] : []),
      ...paragraph(look, plain(id), 2),
      ...values.flatMap((each, run) =>
        field(look, `run ${run + 1}`, each === undefined ? 'none' : plain(shownValues([...each]))),
      ),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Sign for the state of a cause. */
export const causeSigns: Readonly<Record<CauseState, string>> = {
  there: statusWords.failed.sign,
  known: statusWords['known-failure'].sign,
  absent: statusWords.passed.sign,
  'not-tested': statusWords['not-tested'].sign,
};

export const causeWords: Readonly<Record<CauseState, string>> = {
  there: 'there',
  known: 'known failure',
  absent: 'not there',
  'not-tested': 'not tested',
};

const legend = Object.entries(causeSigns)
  .map(([state, sign]) => `${sign} ${causeWords[state as CauseState]}`) // keys of that record
  .join(', ');

/** Changes between the previous and the newest run, in one line. */
export function sinceBefore({ causes, columns, worse, better }: Matrix): string {
  if (columns.length < 2) return counted(columns.length, 'run');
  const changes = causes.map(({ states }) => causeChange(states.at(-2) ?? 'not-tested', states.at(-1) ?? 'not-tested'));
  const having = (change: CauseChange) => changes.filter((each) => each === change).length;
  const [added, gone] = [having('added') + having('revealed'), having('gone')];
  if (worse.length + better.length + added + gone === 0)
    return `${counted(columns.length, 'run')}. The newest run fails the same requirements as the previous run`;
  const ofCauses = `${counted(added, 'new cause')}, ${counted(gone, 'fixed cause')}`;
  const change = `${ofCauses}; ${counted(worse.length, 'requirement')} worse, ${better.length} better`;
  return `${counted(columns.length, 'run')}. The newest run compared with the previous run: ${change}`;
}

function rowLine({ id, statuses }: Row): string {
  const signs = statuses.map((status) => (status === undefined ? '-' : statusWords[status].sign));
  return `  ${signs.join(' ')}  ${plain(id)}`;
}
