import { counted } from '../../suites/usage/counted.ts';
import { plain } from '../plain.ts';
import { deploymentName } from '../status-words.ts';
import { type Look, paint, paragraph } from '../terminal/layout.ts';
import type { History, HistoryRun } from './model.ts';

/** A history for a terminal: a line for each run, followed by notes. */
export function renderHistory({ runs }: History, look: Look): string {
  const rows = [titles, ...runs.map(rowOf)];
  const widths = titles.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return `${[
    trendOf(runs),
    '',
    ...lines.map((line, index) => (index === 0 ? paint(look, ['dim'], line.trimEnd()) : line.trimEnd())),
    ...notesOf(runs).flatMap((note, index) => [...(index === 0 ? [''] : []), ...paragraph(look, plain(note), 0)]),
  ].join('\n')}\n`;
}

const titles = ['run', 'started', 'deployment', 'causes', 'new', 'fixed', 'failed', 'tested', 'duration', 'requests'];

/** The cells of a run, under the titles. */
function rowOf(run: HistoryRun, index: number): string[] {
  const { startedAt, causes, added, gone, requirements, durationMs, requests } = run;
  return [
    String(index + 1),
    plain(startedAt).slice(0, 16).replace('T', ' '),
    nameOf(run),
    String(causes),
    index === 0 ? '–' : String(added),
    index === 0 ? '–' : String(gone),
    String(requirements.failed),
    `${requirements.tested} of ${requirements.total}`,
    secondsOf(durationMs),
    String(requests),
  ];
}

/** The label of the run, or its address. */
export const nameOf = ({ label, ...run }: HistoryRun): string => plain(label ?? deploymentName(run), 40);

export const secondsOf = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Summary of the first and the last run in one line. */
export function trendOf(runs: readonly HistoryRun[]): string {
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined || last === undefined || runs.length === 1) return counted(runs.length, 'run');
  return `${counted(runs.length, 'run')}: from ${counted(first.causes, 'cause')} to ${last.causes}`;
}

/** Why a run is hard to compare with the previous run. */
export function notesOf(runs: readonly HistoryRun[]): string[] {
  return runs.flatMap(({ notes }, index) => notes.map((note) => `run ${index + 1}: ${note}`));
}
