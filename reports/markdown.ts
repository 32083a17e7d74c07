import type { ReportedExchange } from '../suites/result.ts';
import { counted, summarizeIds } from '../suites/usage/counted.ts';
import { stepLines } from './chain.ts';
import { differingLines } from './difference.ts';
import { gapText } from './gaps.ts';
import { code, fenced, inline, markdown, table } from './markdown-text.ts';
import { limited, shownBody } from './plain.ts';
import type { Report, ReportCause } from './report.ts';
import { severityWords, statusWords, targetName, tones } from './status-words.ts';

/** Number of causes in full, and in the list. The HTML report shows all. */
const shownInFull = 2;
const listed = 30;
const bodyShown = 1500;
const linesShown = 10;

/** Exchanges shown for each cause. The difference of a comparison shows both responses. */
const shownExchanges = 2;

const thingsNamed = 6;

/** `summary.md`: the run as a GitHub job summary. Escapes all text from the server. */
export function summaryMarkdown(report: Report): string {
  const { result, figures, policy } = report;
  const { total, passed, failed, warned, errored, knownFailures, notTested } = figures;
  return markdown([
    `## ${tones[report.tone].emoji} ${inline(report.headline)}`,
    `${report.sentence} Target: ${code(targetName(result))}`,
    ...(result.reasons.length > 0 ? [bullets(result.reasons.map((reason) => inline(reason)))] : []),
    `**Gate** ${report.gate}`,
    ...(policy.length > 0 ? [bullets(policy.map((reason) => inline(reason)))] : []),
    ...causesText(report),
    table(
      ['requirements', 'passed', 'failed', 'warned', 'errored', 'known failures', 'not tested'],
      [[total, passed, failed, warned, errored, knownFailures, notTested].map(String)],
    ),
    ...erroredText(report),
    ...gapsText(report),
    ...leftText(report),
    `${inline(result.kit.name)} ${inline(result.kit.version)}, ${inline(report.traffic)} ` +
      `in ${(result.durationMs / 1000).toFixed(1)} s, seed ${result.seed}`,
  ]);
}

/** List of causes, the most severe first, then the first causes with their evidence. */
function causesText({ causes, causesTitle }: Report): string[] {
  if (causes.length === 0) return [];
  const lines = causes.slice(0, listed).map(({ number, title, severity, finding, requirements }) => {
    const ids = requirements.map(({ id }) => id);
    const heading = `**${inline(title)}** (${severityWords[severity]})`;
    return `${number}. ${heading}. ${inline(finding.hint)} ${inline(summarizeIds(ids))}`;
  });
  const rest = causes.length - lines.length;
  return [
    `### ${causesTitle}`,
    lines.join('\n'),
    ...(rest > 0 ? [`And ${counted(rest, 'more cause')} in \`report.html\`.`] : []),
    ...causes.slice(0, shownInFull).map(causeText),
  ];
}

function causeText(cause: ReportCause): string {
  const { number, requirement, finding, chain, compared, script } = cause;
  const shown = chain.filter(({ part }) => part === 'shows').slice(compared === undefined ? -shownExchanges : -1);
  const times = cause.times > 1 ? `, ${cause.times} times` : '';
  const { sign } = statusWords[cause.status];
  return [
    `#### ${sign} ${number}. ${inline(cause.title)} · ${severityWords[cause.severity]}${times}`,
    bullets([
      `**rule** ${code(requirement.id)}: ${inline(requirement.statement)} (${inline(requirement.source)})`,
      `**expected** ${inline(finding.expected)}`,
      `**actual** ${inline(finding.actual)}`,
      `**hint** ${inline(finding.hint)}`,
      ...(finding.scenarios === undefined ? [] : [`**seen in** ${inline(finding.scenarios.join(', '))}`]),
      ...cause.remarks.map((remark) => `**note** ${inline(remark)}`),
      ...(finding.reproduce === undefined ? [] : [`**again** ${code(finding.reproduce)}`]),
      ...(script === undefined ? [] : [`**script** ${code(script)}`]),
    ]),
    ...(chain.length < 2 ? [] : [fenced(stepLines(chain).join('\n'), bodyShown)]),
    ...(compared === undefined
      ? []
      : [fenced(differingLines(compared, bodyShown, linesShown).join('\n'), bodyShown, 'diff')]),
    ...shown.map(({ exchange }) => exchangeText(exchange)),
  ].join('\n\n');
}

function exchangeText({ id, request, response, problem, curl }: ReportedExchange): string {
  const lines = limited(shownBody(response?.body ?? '', bodyShown).split('\n'), linesShown, () => '…');
  const answer = response === null ? (problem ?? 'no complete response') : [response.status, ...lines].join('\n');
  return [
    `<details><summary>Request #${id} and its response</summary>`,
    fenced(`${request.method} ${request.url}\n${request.body ?? ''}`, bodyShown),
    fenced(answer),
    ...(curl === '' ? [] : [fenced(curl)]),
    '</details>',
  ].join('\n\n');
}

function erroredText({ errored }: Report): string[] {
  if (errored.length === 0) return [];
  const lines = errored.map(({ reason, requirements }) => `${inline(reason)}: ${inline(summarizeIds(requirements))}`);
  return ['### Could not be judged', bullets(lines)];
}

function gapsText({ gaps, figures }: Report): string[] {
  if (gaps.length === 0) return [];
  const rows = gaps.map((gap) => [
    String(gap.requirements.length),
    `${gap.add.length > 0 ? 'add ' : ''}${inline(gapText(gap))}`,
  ]);
  return [
    `### Not tested: ${counted(figures.notTested, 'requirement')}`,
    'Each addition requires those above it.',
    table(['requirements', 'what is missing'], rows),
  ];
}

function leftText({ left }: Report): string[] {
  const things = left.map((thing) => inline(thing));
  const shown = limited(things, thingsNamed, (rest) => `and ${rest} more`);
  return left.length === 0 ? [] : ['### Left on the deployment', bullets(shown)];
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}
