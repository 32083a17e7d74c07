import { named } from '../suites/named.ts';
import type { ReportedExchange, RunResult } from '../suites/result.ts';
import { shownBody } from './body.ts';
import { erroredGroups } from './errored.ts';
import { byTopic, type FindingGroup, groupFindings } from './findings.ts';
import { gaps } from './gaps.ts';
import { code, fenced, inline, table } from './markdown-text.ts';
import { counted, statusWords, targetName, verdictSentence } from './status-words.ts';

/** Findings in full; GitHub cuts a job summary at 1 MiB. */
const shownInFull = 20;
const bodyShown = 1500;
const valuesNamed = 6;
const thingsNamed = 12;

/** `summary.md`: the run as a GitHub job summary. Text of the server is escaped: it cannot become markup. */
export function summaryMarkdown(result: RunResult): string {
  const groups = groupFindings(result);
  return `${[
    `## ${verdictSign(result)} ${result.verdict}${result.complete ? '' : ' (not complete)'}`,
    `${verdictSentence(result)} Target: ${code(targetName(result))}`,
    ...(result.interrupted ? ['The run was cut short; this is what is known so far.'] : []),
    ...(result.reasons.length > 0 ? [bullets(result.reasons.map((reason) => inline(reason)))] : []),
    table(['passed', 'failed', 'warned', 'errored', 'known failures', 'not tested'], [counts(result)]),
    ...(groups.length > 0 ? [`### ${counted(groups.length, 'finding')}`] : []),
    ...groups.slice(0, shownInFull).map((group) => findingText(group, result.exchanges)),
    ...(groups.length > shownInFull ? [`And ${groups.length - shownInFull} more in \`report.html\`.`] : []),
    ...erroredText(result),
    ...gapsText(result),
    ...topicsText(result),
    ...observedText(result),
    ...leftText(result),
    `${result.kit.name} ${inline(result.kit.version)}, ${counted(result.summary.requests, 'request')} in ${(result.durationMs / 1000).toFixed(1)} s, seed ${result.seed}`,
  ].join('\n\n')}\n`;
}

function verdictSign({ verdict }: RunResult): string {
  return { conformant: '✅', 'non-conformant': '❌', inconclusive: '❔' }[verdict];
}

function counts({ summary }: RunResult): string[] {
  const { passed, failed, warned, errored, knownFailures, notTested } = summary;
  return [passed, failed, warned, errored, knownFailures, notTested].map(String);
}

function findingText(group: FindingGroup, exchanges: readonly ReportedExchange[]): string {
  const { requirement, finding } = group;
  const exchange = exchanges.find(({ id }) => id === finding.exchanges[0]);
  const times = group.times > 1 ? `, ${group.times} times` : '';
  const others = group.requirements.slice(1).map(({ id }) => id);
  return [
    `#### ${statusWords[group.status].sign} ${code(requirement.id)}${times}`,
    `${inline(requirement.statement)} (${inline(requirement.source)})`,
    bullets([
      `**expected** ${inline(finding.expected)}`,
      `**actual** ${inline(finding.actual)}`,
      `**hint** ${inline(finding.hint)}`,
      ...(others.length > 0 ? [`**same in** ${inline(named(others))}`] : []),
    ]),
    ...(exchange === undefined ? [] : [exchangeText(exchange)]),
  ].join('\n\n');
}

function exchangeText({ request, response, problem, curl }: ReportedExchange): string {
  const answer =
    response === null
      ? (problem ?? 'no complete answer')
      : `${response.status}\n${shownBody(response.body, bodyShown)}`;
  return [
    '<details><summary>Request and response</summary>',
    fenced(`${request.method} ${request.url}\n${shownBody(request.body ?? '', bodyShown)}`),
    fenced(answer),
    fenced(curl),
    '</details>',
  ].join('\n\n');
}

function erroredText(result: RunResult): string[] {
  const groups = erroredGroups(result);
  if (groups.length === 0) return [];
  const lines = groups.map(({ reason, requirements }) => `${inline(reason)}: ${inline(named(requirements))}`);
  return ['### Could not be told', bullets(lines)];
}

function gapsText(result: RunResult): string[] {
  const all = gaps(result);
  if (all.length === 0) return [];
  const rows = all.map((gap) => [
    String(gap.requirements.length),
    inline(gap.why),
    gap.remedy === null ? '' : inline(gap.remedy),
  ]);
  return ['### Not tested', table(['requirements', 'because', 'what to add'], rows)];
}

function topicsText(result: RunResult): string[] {
  const topics = Map.groupBy(result.requirements.toSorted(byTopic), ({ topic }) => topic);
  const rows = [...topics].map(([topic, requirements]) => [
    inline(topic),
    requirements.map(({ status }) => statusWords[status].sign).join(' '),
  ]);
  const legend = Object.values(statusWords)
    .map(({ sign, word }) => `${sign} ${word}`)
    .join(', ');
  return [
    `<details><summary>Requirements by topic</summary>\n\n${table(['topic', 'requirements'], rows)}\n\n${legend}\n\n</details>`,
  ];
}

function observedText({ observations }: RunResult): string[] {
  if (observations.length === 0) return [];
  const rows = observations.map(({ question, values }) => {
    const shown = values
      .slice(0, valuesNamed)
      .map((value) => code(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), 80));
    const rest = values.length - shown.length;
    return [inline(question), `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`];
  });
  return [
    `<details><summary>Where the document is silent: ${counted(rows.length, 'answer')}</summary>\n\n${table(['question', 'seen'], rows)}\n\n</details>`,
  ];
}

function leftText({ leftBehind }: RunResult): string[] {
  const lines = [
    ...leftBehind.contentRequests.map(
      ({ pieceId, workspace }) => `content request ${code(pieceId)} in ${code(workspace)}`,
    ),
    ...leftBehind.runs.map(
      (run) => `${counted(run.images, 'image')} of run ${code(run.runId)} in ${code(run.workspace)}`,
    ),
    ...(leftBehind.proposals > 0 ? [`${counted(leftBehind.proposals, 'proposal')}, not confirmed`] : []),
  ];
  const rest = lines.length - thingsNamed;
  const shown = rest > 0 ? [...lines.slice(0, thingsNamed), `and ${rest} more`] : lines;
  return lines.length === 0 ? [] : ['### Left on the deployment', bullets(shown)];
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}
