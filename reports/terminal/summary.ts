import { causesOf } from '../../suites/causes/causes.ts';
import { exitCodes } from '../../suites/exit-codes.ts';
import { summarizeIds as plainNames } from '../../suites/ids-summary.ts';
import type { RunResult } from '../../suites/result.ts';
import { counted } from '../../suites/usage/counted.ts';
import { openReasonsOf, violationsOf } from '../causes.ts';
import { rowsWith, sinceBaseline } from '../compare/model.ts';
import { exitCodeOfRun } from '../exit-code.ts';
import { causesTitle, figuresOf, headlineOf, testedOf } from '../figures.ts';
import { plain } from '../plain.ts';
import {
  gateLine,
  imagesText,
  policyReasons,
  requestsText,
  severityWords,
  type Tone,
  targetName,
  toneOf,
  verdictSentence,
} from '../status-words.ts';
import { briefLines, causeLines } from './cause.ts';
import { type Format, type Look, paint, paragraph } from './layout.ts';
import { erroredLines, gapLines, heading, knownLines, leftBehindLines } from './sections.ts';

export interface SummaryOptions extends Look {
  /** Folder of the report files, mentioned at the end. */
  reportDir?: string;
  /** False if writing a file failed. The command then exits with 2, whatever the gate says. */
  written?: boolean;
  /** Command to run next after a partial run. */
  next?: string | undefined;
}

/** Maximum number of causes in full, and in brief. The HTML report shows all. */
const shownInFull = 5;
const named = 30;

/** Maximum number of reasons for the verdict and the gate. Each stale known failure is a reason. */
const reasonsShown = 5;

export const toneFormats: Readonly<Record<Tone, Format>> = {
  good: ['green', 'bold'],
  partial: ['bold'],
  bad: ['red', 'bold'],
  doubt: ['yellow', 'bold'],
};

/** Summary of a run for a terminal. Without `colour`, contains no control characters. Ends with a line feed. */
export function renderSummary(result: RunResult, options: SummaryOptions): string {
  const look = { width: Math.max(40, options.width), colour: options.colour };
  const lines = [
    ...verdictLines(look, result),
    '',
    ...allCauses(look, result, options.reportDir),
    ...erroredLines(look, result),
    ...knownLines(look, result),
    ...gapLines(look, result),
    ...leftBehindLines(look, result),
    ...closingLines(look, result, options),
  ];
  return `${lines.join('\n')}\n`;
}

function verdictLines(look: Look, result: RunResult): string[] {
  return [
    ...paragraph(look, headlineOf(result), 0, toneFormats[toneOf(result)]),
    ...paragraph(look, plain(targetName(result))),
    ...baselineLines(look, result),
    ...paragraph(look, verdictSentence(result)),
    ...reasonLines(look, openReasonsOf(result)),
    ...result.notices.flatMap((notice) => paragraph(look, `note: ${plain(notice)}`, 2, ['dim'])),
  ];
}

function reasonLines(look: Look, reasons: readonly string[]): string[] {
  const unsaid = reasons.length - reasonsShown;
  return [
    ...reasons.slice(0, reasonsShown).flatMap((reason) => paragraph(look, `- ${plain(reason)}`, 2)),
    ...(unsaid > 0 ? [`  - and ${counted(unsaid, 'more reason')} in report.html`] : []),
  ];
}

/** Changes since an earlier run, with the IDs of regressions. */
function baselineLines(look: Look, { baseline }: RunResult): string[] {
  if (baseline === undefined) return [];
  const regressions = rowsWith(baseline.rows, 'regression').map(({ id }) => id);
  const shown = regressions.length === 0 ? [] : [`regressions: ${plainNames(regressions)}`];
  const format: Format = regressions.length > 0 ? ['red', 'bold'] : ['bold'];
  return [
    ...paragraph(look, plain(sinceBaseline(baseline)), 0, format),
    ...[...shown, ...baseline.notes.map((note) => `note: ${note}`)].flatMap((text) => paragraph(look, plain(text), 2)),
  ];
}

function allCauses(look: Look, result: RunResult, reportDir: string | undefined): string[] {
  const causes = causesOf(result);
  if (causes.length === 0) return [];
  const full = causes.slice(0, shownInFull);
  const brief = causes.slice(shownInFull, named);
  const rest = causes.length - full.length - brief.length;
  return [
    heading(look, causesTitle(result)),
    ...full.flatMap((cause, index) => causeLines(look, cause, index + 1, result, reportDir)),
    ...brief.flatMap((cause, index) => briefLines(look, cause, full.length + index + 1)),
    ...(rest > 0 ? [`  and ${counted(rest, 'more cause')} in report.html`] : []),
    ...(brief.length > 0 ? [''] : []),
  ];
}

function closingLines(
  look: Look,
  result: RunResult,
  { reportDir, written = true, next }: Pick<SummaryOptions, 'reportDir' | 'written' | 'next'>,
): string[] {
  const exitCode = exitCodeOfRun(result);
  const verdict = paint(look, toneFormats[toneOf(result)], result.verdict);
  const gate = written
    ? paint(look, result.gate.passed ? [] : ['red', 'bold'], gateLine(result, exitCode))
    : paint(look, ['red', 'bold'], `not decided, since a file could not be written (exit code ${exitCodes.usage})`);
  return [
    ...paragraph(look, counts(result)),
    ...paragraph(look, `${sent(result)} in ${(result.durationMs / 1000).toFixed(1)} s, seed ${result.seed}`, 0, [
      'dim',
    ]),
    ...(reportDir === undefined || !written ? [] : [`Report: ${plain(reportDir)}/report.html`]),
    `Verdict: ${verdict}${result.complete ? '' : ` (${testedOf(result)})`}`,
    `Gate: ${gate}`,
    ...reasonLines(look, policyReasons(result)),
    ...fixFirst(look, result),
    ...(next === undefined || result.verdict !== 'partial' ? [] : [`Next: ${next}`]),
  ];
}

/** Maximum number of causes to list at the end. */
const listedAtEnd = 10;

/**
 * The most severe violation with its hint, and the titles of the others, at the end of the output, where readers of
 * logs look first.
 */
function fixFirst(look: Look, result: RunResult): string[] {
  const [first, ...others] = violationsOf(causesOf(result));
  if (first === undefined) return [];
  const { title, severity, finding } = first;
  const rest = others.length - listedAtEnd;
  return [
    ...paragraph(look, plain(`Fix first: ${title} (${severityWords[severity]}). ${finding.hint}`, 600)),
    ...(others.length === 0 ? [] : ['Then fix:']),
    ...others
      .slice(0, listedAtEnd)
      .flatMap((cause, index) =>
        paragraph(look, plain(`${index + 2}. ${cause.title} (${severityWords[cause.severity]})`), 2),
      ),
    ...(rest > 0 ? [`  and ${counted(rest, 'more cause')}`] : []),
  ];
}

function counts(result: RunResult): string {
  const { passed, failed, warned, errored, knownFailures, notTested } = figuresOf(result).requirements;
  const others = [
    [failed, 'failed'],
    [errored, 'errored'],
    [warned, 'warned'],
    [knownFailures, 'known failures'],
    [notTested, 'not tested'],
  ] as const;
  const shown = others.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return `Requirements: ${[`${passed} passed`, ...shown].join(', ')}`;
}

function sent(result: RunResult): string {
  const { summary, observations } = result;
  const { contentRequestsCreated } = summary;
  const images = imagesText(result);
  const created = contentRequestsCreated > 0 ? `, ${counted(contentRequestsCreated, 'content request')} created` : '';
  const observed = observations.length > 0 ? `, ${counted(observations.length, 'observation')}` : '';
  return `${requestsText(result)}${images === '' ? '' : `, ${images}`}${created}${observed}`;
}
