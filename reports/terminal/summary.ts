import { exitCodes } from '../../suites/exit-codes.ts';
import { named as plainNames } from '../../suites/named.ts';
import type { RunResult } from '../../suites/result.ts';
import { causesOf, openReasonsOf, violationsOf } from '../causes.ts';
import { sinceBaseline } from '../compare/baseline.ts';
import { exitCodeOfRun } from '../exit-code.ts';
import { figuresOf, findingsTitle, headlineOf, testedOf } from '../figures.ts';
import { groupFindings } from '../findings.ts';
import { plain } from '../plain.ts';
import {
  counted,
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
import { briefLines, findingLines } from './finding.ts';
import { type Format, type Look, paint, paragraph } from './layout.ts';
import { erroredLines, gapLines, heading, knownLines, leftBehindLines } from './sections.ts';

export interface SummaryOptions extends Look {
  /** Folder of the report's files, to be named at the end. */
  reportDir?: string;
  /** False if a file could not be written: the command then exits with 2, whatever the gate says. */
  written?: boolean;
}

/** Findings shown in full, and findings named; the page has them all. */
const shownInFull = 5;
const named = 30;

/** Reasons of the verdict and the gate; each stale known failure is one. */
const reasonsShown = 5;

export const toneFormats: Readonly<Record<Tone, Format>> = {
  good: ['green', 'bold'],
  partial: ['bold'],
  bad: ['red', 'bold'],
  doubt: ['yellow', 'bold'],
};

/**
 * The end of a run for a terminal, or for a log where `colour` is off: no control characters then. Ends with a line
 * feed.
 */
export function renderSummary(result: RunResult, options: SummaryOptions): string {
  const look = { width: Math.max(40, options.width), colour: options.colour };
  const lines = [
    ...verdictLines(look, result),
    '',
    ...allFindings(look, result),
    ...erroredLines(look, result),
    ...knownLines(look, result),
    ...gapLines(look, result),
    ...leftBehindLines(look, result),
    ...closingLines(look, result, options),
  ];
  return `${lines.join('\n')}\n`;
}

function verdictLines(look: Look, result: RunResult): string[] {
  const reasons = [...openReasonsOf(result), ...policyReasons(result).map((reason) => `gate: ${reason}`)];
  const unsaid = reasons.length - reasonsShown;
  return [
    ...paragraph(look, headlineOf(result), 0, toneFormats[toneOf(result)]),
    ...paragraph(look, plain(targetName(result))),
    ...baselineLines(look, result),
    ...paragraph(look, verdictSentence(result)),
    ...reasons.slice(0, reasonsShown).flatMap((reason) => paragraph(look, `- ${plain(reason)}`, 2)),
    ...(unsaid > 0 ? [`  - and ${counted(unsaid, 'more reason')} in report.html`] : []),
    ...result.notices.flatMap((notice) => paragraph(look, `note: ${plain(notice)}`, 2, ['dim'])),
  ];
}

/** What changed since an earlier run, with the regressions by name. */
function baselineLines(look: Look, { baseline }: RunResult): string[] {
  if (baseline === undefined) return [];
  const { regressions, notes } = baseline;
  const shown = regressions.length === 0 ? [] : [`regressions: ${plainNames(regressions)}`];
  return [
    ...paragraph(look, sinceBaseline(baseline), 0, regressions.length > 0 ? ['red', 'bold'] : ['bold']),
    ...[...shown, ...notes.map((note) => `note: ${note}`)].flatMap((text) => paragraph(look, plain(text), 2)),
  ];
}

function allFindings(look: Look, result: RunResult): string[] {
  const groups = groupFindings(result);
  if (groups.length === 0) return [];
  const causes = causesOf(result, groups);
  const full = causes.slice(0, shownInFull);
  const brief = causes.slice(shownInFull, named);
  const rest = groups.length - full.length - brief.length;
  return [
    heading(look, findingsTitle(result)),
    ...full.flatMap((cause) => findingLines(look, cause, result.exchanges)),
    ...brief.flatMap((cause) => briefLines(look, cause)),
    ...(rest > 0 ? [`  and ${counted(rest, 'more finding')} in report.html`] : []),
    ...(brief.length > 0 ? [''] : []),
  ];
}

function closingLines(
  look: Look,
  result: RunResult,
  { reportDir, written = true }: Pick<SummaryOptions, 'reportDir' | 'written'>,
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
    ...fixFirst(look, result),
  ];
}

/** The most severe violation, where whoever reads the end of a log finds it. */
function fixFirst(look: Look, result: RunResult): string[] {
  const [first] = violationsOf(causesOf(result, groupFindings(result)));
  if (first === undefined) return [];
  const { requirement, severity, finding } = first.group;
  return paragraph(look, plain(`Fix first: ${requirement.id} (${severityWords[severity]}). ${finding.hint}`, 400));
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
