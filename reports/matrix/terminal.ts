import { shownValues } from '../compare/words.ts';
import { plain } from '../plain.ts';
import { counted, deploymentName, statusWords } from '../status-words.ts';
import { field, type Look, paragraph } from '../terminal/layout.ts';
import { isTelling, type Matrix, type Row } from './model.ts';

/** Runs side by side for a terminal: the runs by number, then what they differ on or fail. */
export function renderMatrix(matrix: Matrix, look: Look): string {
  const { columns, rows, observations } = matrix;
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

/** What changed from the run before the newest to the newest, in one line. */
export function sinceBefore({ columns, worse, better }: Matrix): string {
  if (columns.length < 2) return counted(columns.length, 'run');
  if (worse.length + better.length === 0)
    return `${counted(columns.length, 'run')}. The newest run fails the same requirements as the previous run`;
  const change = `${worse.length} worse, ${better.length} better`;
  return `${counted(columns.length, 'run')}. The newest run compared with the previous run: ${change}`;
}

function rowLine({ id, statuses }: Row): string {
  const signs = statuses.map((status) => (status === undefined ? '-' : statusWords[status].sign));
  return `  ${signs.join(' ')}  ${plain(id)}`;
}
