import type { RunResult } from '../../suites/result.ts';
import { counted, summarizeIds } from '../../suites/usage/counted.ts';
import { exitCodes } from '../../suites/verdict.ts';
import { rowsWith, sinceBaseline } from '../compare/model.ts';
import { type Gap, gapText } from '../gaps.ts';
import { limited, plain } from '../plain.ts';
import { type Report, testedText } from '../report.ts';
import { severityWords, targetName, tones } from '../status-words.ts';
import { briefLines, causeLines } from './cause.ts';
import { inColors, type Look, paint, paragraph, section } from './layout.ts';

export interface SummaryOptions extends Look {
  /** Folder of the report files. */
  reportDir: string;
  /** False if writing a file failed. The command then exits with 2, whatever the gate says. */
  written: boolean;
  /** Command to run next after a partial run. */
  next?: string | undefined;
}

/** Maximum number of causes in full, which fit on one screen, and of causes with a title. */
const shownInFull = 3;
const named = 30;

/** Maximum number of reasons for the verdict and the gate, and of gaps. Each stale known failure is a reason. */
const reasonsShown = 5;
const gapsShown = 10;
const thingsShown = 3;

/** Summary of a run for a terminal. Without `color`, contains no control characters. Ends with a line feed. */
export function renderSummary(report: Report, options: SummaryOptions): string {
  const { result, causes } = report;
  const { reportDir } = options;
  const page = plain(`${reportDir}/report.html`);
  const lines = [
    ...paragraph(report.headline, 0, tones[report.tone].format),
    plain(targetName(result)),
    ...baselineLines(result),
    report.sentence,
    ...reasonLines(report.open),
    ...result.notices.flatMap((notice) => paragraph(`note: ${plain(notice)}`, 2, ['dim'])),
    '',
    ...(causes.length > 0 ? [paint(['bold'], report.causesTitle)] : []),
    ...causes.slice(0, shownInFull).flatMap((cause) => causeLines(cause, reportDir)),
    ...causes.slice(shownInFull, named).flatMap((cause) => briefLines(cause)),
    ...(causes.length > named ? [`  and ${counted(causes.length - named, 'more cause')} in ${page}`] : []),
    ...(causes.length > shownInFull ? [''] : []),
    ...erroredLines(report),
    ...knownLines(report),
    ...gapLines(report.gaps, result.requirements.length, gapsShown),
    ...leftBehindLines(report),
    ...closingLines(report, options),
  ];
  return inColors(options, `${lines.join('\n')}\n`);
}

function reasonLines(reasons: readonly string[]): string[] {
  const lines = reasons.map((reason) => `  - ${plain(reason)}`);
  return limited(lines, reasonsShown, (rest) => `  - and ${counted(rest, 'more reason')} in report.html`);
}

/** Changes since an earlier run, with the IDs of regressions. */
function baselineLines({ baseline }: RunResult): string[] {
  if (baseline === undefined) return [];
  const regressions = rowsWith(baseline.rows, 'regression').map(({ id }) => id);
  const shown = regressions.length === 0 ? [] : [`regressions: ${summarizeIds(regressions)}`];
  return [
    ...paragraph(plain(sinceBaseline(baseline)), 0, regressions.length > 0 ? ['red', 'bold'] : ['bold']),
    ...[...shown, ...baseline.notes.map((note) => `note: ${note}`)].map((text) => `  ${plain(text)}`),
  ];
}

function erroredLines({ errored, figures }: Report): string[] {
  const lines = errored.flatMap(({ reason, requirements, exchanges: [shownBy] }) => [
    `  ? ${plain(reason)}${shownBy === undefined ? '' : `, see request #${shownBy} in report.html`}`,
    ...paragraph(plain(summarizeIds(requirements), 2000), 4, ['dim']),
  ]);
  return section(`Could not be judged (${counted(figures.errored, 'requirement')})`, lines);
}

function knownLines({ knownFailures }: Report): string[] {
  const lines = knownFailures.map(({ id, knownFailure: note }) => {
    const entry = note === undefined ? '' : `: until ${note.expires}, ${note.owner}, ${note.issue}`;
    return `  ${plain(`~ ${id}${entry}`)}`;
  });
  return section(`Known failures (${counted(knownFailures.length, 'requirement')})`, lines);
}

/** Untested requirements: a line for each gap. The numbers add up to the number in the heading. */
export function gapLines(gaps: readonly Gap[], total: number, most: number): string[] {
  const count = (some: readonly Gap[]) => some.reduce((sum, { requirements }) => sum + requirements.length, 0);
  const numbered = (number: number, text: string) => `${String(number).padStart(6)}  ${plain(text)}`;
  // If nothing was tested, the reasons above say why.
  if (gaps.some(({ add, requirements: { length } }) => add.length === 0 && length === total)) return [];
  const left = gaps.slice(most);
  return section(`Not tested (${counted(count(gaps), 'requirement')})`, [
    ...(gaps.some(({ add }) => add.length > 0) ? ['  To test more, add these in order:'] : []),
    ...gaps.slice(0, most).map((gap) => numbered(gap.requirements.length, gapText(gap))),
    ...(left.length > 0 ? [numbered(count(left), `for ${counted(left.length, 'more reason')}, in report.html`)] : []),
  ]);
}

/** Resources that the run left on the deployment. Empty for the embedded stub, which ends with the run. */
function leftBehindLines({ result, left }: Report): string[] {
  if (result.target.kind === 'stub') return [];
  const { contentRequests, runs, proposals } = result.leftBehind;
  const images = runs.reduce((sum, run) => sum + run.images, 0);
  const totals = { 'content request': contentRequests.length, image: images, 'unconfirmed proposal': proposals };
  const counts = Object.entries(totals).filter(([, count]) => count > 0);
  const lines = left.map((thing) => `  ${plain(thing)}`);
  return section(
    `Left on the deployment: ${counts.map(([what, count]) => counted(count, what)).join(', ')}`,
    limited(lines, thingsShown, (rest) => `  and ${rest} more in report.html`),
  );
}

/** The end of the output, where readers of logs look first. */
function closingLines(report: Report, options: SummaryOptions): string[] {
  const { result, figures, causes } = report;
  const { reportDir, written, next } = options;
  const { passed, failed, errored, warned, knownFailures, notTested } = figures;
  const others = Object.entries({ failed, errored, warned, 'known failures': knownFailures, 'not tested': notTested });
  const counts = others.filter(([, count]) => count > 0).map(([word, count]) => `${count} ${word}`);
  const { contentRequestsCreated: created } = result.summary;
  const traffic = [
    report.traffic,
    ...(created > 0 ? [`${counted(created, 'content request')} created`] : []),
    ...(result.observations.length > 0 ? [counted(result.observations.length, 'observation')] : []),
  ].join(', ');
  const seconds = (result.durationMs / 1000).toFixed(1);
  const unwritten = `not decided, since a file could not be written (exit code ${exitCodes.usage})`;
  const isBad = !written || !result.gate.passed;
  const first = causes.find(({ status, isUnverified }) => status === 'failed' && !isUnverified);
  return [
    `Requirements: ${[`${passed} passed`, ...counts].join(', ')}`,
    paint(['dim'], `${traffic} in ${seconds} s, seed ${result.seed}`),
    ...(written ? [`Report: ${plain(reportDir)}/report.html`] : []),
    `Verdict: ${paint(tones[report.tone].format, result.verdict)}${result.complete ? '' : ` (${testedText(figures)})`}`,
    `Gate: ${paint(isBad ? ['red', 'bold'] : [], written ? report.gate : unwritten)}`,
    ...reasonLines(report.policy),
    ...(first === undefined
      ? []
      : [plain(`Fix first: ${first.title} (${severityWords[first.severity]}). ${first.finding.hint}`, 600)]),
    ...(next === undefined || result.verdict !== 'partial' ? [] : [`Next: ${next}`]),
  ];
}
