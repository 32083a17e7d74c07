import type { RunResult, Summary, Verdict } from '../../suites/result.ts';
import { groupFindings } from '../findings.ts';
import { plain } from '../plain.ts';
import { counted, incompleteness, targetName, verdictSentence } from '../status-words.ts';
import { findingLines, headline } from './finding.ts';
import { type Format, type Look, paint, paragraph } from './layout.ts';
import { erroredLines, gapLines, heading, knownLines, leftBehindLines } from './sections.ts';

export interface SummaryOptions extends Look {
  /** Folder of the report's files, to be named at the end. */
  reportDir?: string;
}

/** Findings shown in full, and findings named; the page has them all. */
const shownInFull = 5;
const named = 30;

/** Reasons of the verdict; each stale known failure is one. */
const reasonsShown = 5;

const verdictFormats: Readonly<Record<Verdict, Format>> = {
  conformant: ['green', 'bold'],
  'non-conformant': ['red', 'bold'],
  inconclusive: ['yellow', 'bold'],
};

/** The end of a run for a terminal, or for a log where `colour` is off: no control characters then. Ends with a line feed. */
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
    ...closingLines(look, result, options.reportDir),
  ];
  return `${lines.join('\n')}\n`;
}

function verdictLines(look: Look, result: RunResult): string[] {
  const verdict = paint(look, verdictFormats[result.verdict], result.verdict);
  const unsaid = result.reasons.length - reasonsShown;
  return [
    `${verdict}  ${plain(targetName(result))}`,
    ...paragraph(look, verdictSentence(result)),
    ...paragraph(look, completeness(result)),
    ...result.reasons.slice(0, reasonsShown).flatMap((reason) => paragraph(look, `- ${plain(reason)}`, 2)),
    ...(unsaid > 0 ? [`  - and ${counted(unsaid, 'more reason')} in report.html`] : []),
    ...result.notices.flatMap((notice) => paragraph(look, `note: ${plain(notice)}`, 2, ['dim'])),
  ];
}

function completeness({ complete, interrupted, summary }: RunResult): string {
  if (interrupted) return 'The run was cut short; this is what is known so far.';
  if (complete) return 'Every requirement that can be checked was tested.';
  return `${incompleteness(summary)}.`;
}

function allFindings(look: Look, result: RunResult): string[] {
  const groups = groupFindings(result);
  if (groups.length === 0) return [];
  const full = groups.slice(0, shownInFull);
  const brief = groups.slice(shownInFull, named);
  const rest = groups.length - full.length - brief.length;
  return [
    heading(look, counted(groups.length, 'finding')),
    ...full.flatMap((group) => findingLines(look, group, result.exchanges)),
    ...brief.flatMap((group) => [
      headline(look, group),
      ...paragraph(look, plain(group.finding.actual, 160), 4, ['dim']),
    ]),
    ...(rest > 0 ? [`  and ${rest} more in report.html`] : []),
    ...(brief.length > 0 ? [''] : []),
  ];
}

function closingLines(look: Look, result: RunResult, reportDir: string | undefined): string[] {
  const verdict = paint(look, verdictFormats[result.verdict], result.verdict);
  return [
    ...paragraph(look, counts(result.summary)),
    ...paragraph(look, `${sent(result)} in ${(result.durationMs / 1000).toFixed(1)} s, seed ${result.seed}`, 0, [
      'dim',
    ]),
    ...(reportDir === undefined ? [] : [`Report: ${plain(reportDir)}/report.html`]),
    `Verdict: ${verdict}${result.complete ? '' : ' (not complete)'}`,
  ];
}

function counts(summary: Summary): string {
  const { passed, failed, warned, errored, knownFailures, notTested } = summary;
  const others = [
    [failed, 'failed'],
    [errored, 'errored'],
    [warned, 'warned'],
    [knownFailures, 'known to fail'],
    [notTested, 'not tested'],
  ] as const;
  const shown = others.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return `Requirements: ${[`${passed} passed`, ...shown].join(', ')}`;
}

function sent({ summary, observations }: RunResult): string {
  const { requests, imagesConfirmed, contentRequestsCreated } = summary;
  const images = imagesConfirmed > 0 ? `, ${counted(imagesConfirmed, 'image')} confirmed` : '';
  const created = contentRequestsCreated > 0 ? `, ${counted(contentRequestsCreated, 'content request')} created` : '';
  const observed = observations.length > 0 ? `, ${counted(observations.length, 'observation')}` : '';
  return `${counted(requests, 'request')}${images}${created}${observed}`;
}
