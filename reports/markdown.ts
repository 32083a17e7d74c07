import { named } from '../suites/named.ts';
import type { ReportedExchange, RunResult } from '../suites/result.ts';
import { shownBody } from './body.ts';
import { erroredGroups } from './errored.ts';
import { exitCodeOfRun } from './exit-code.ts';
import { figuresOf, findingsTitle, headlineOf } from './figures.ts';
import { byTopic, type FindingGroup, groupFindings } from './findings.ts';
import { gapsOf } from './gaps.ts';
import { code, fenced, inline, markdown, table } from './markdown-text.ts';
import {
  counted,
  gateLine,
  imagesText,
  policyReasons,
  requestsText,
  severityWords,
  statusWords,
  targetName,
  toneEmoji,
  toneOf,
  verdictSentence,
} from './status-words.ts';

/** Findings in full; GitHub cuts a job summary at 1 MiB. */
const shownInFull = 20;
const bodyShown = 1500;
const valuesNamed = 6;
const thingsNamed = 12;

/** `summary.md`: the run as a GitHub job summary. Text of the server is escaped: it cannot become markup. */
export function summaryMarkdown(result: RunResult): string {
  const groups = groupFindings(result);
  const policy = policyReasons(result);
  return markdown([
    `## ${toneEmoji[toneOf(result)]} ${inline(headlineOf(result))}`,
    `${verdictSentence(result)} Target: ${code(targetName(result))}`,
    ...(result.reasons.length > 0 ? [bullets(result.reasons.map((reason) => inline(reason)))] : []),
    `**Gate** ${gateLine(result, exitCodeOfRun(result))}`,
    ...(policy.length > 0 ? [bullets(policy.map((reason) => inline(reason)))] : []),
    table(['requirements', 'passed', 'failed', 'warned', 'errored', 'known failures', 'not tested'], [counts(result)]),
    ...(groups.length > 0 ? [`### ${findingsTitle(result)}`] : []),
    ...groups.slice(0, shownInFull).map((group) => findingText(group, result.exchanges)),
    ...(groups.length > shownInFull
      ? [`And ${counted(groups.length - shownInFull, 'more finding')} in \`report.html\`.`]
      : []),
    ...erroredText(result),
    ...gapsText(result),
    ...topicsText(result),
    ...observedText(result),
    ...leftText(result),
    `${result.kit.name} ${inline(result.kit.version)}, ${sent(result)} ` +
      `in ${(result.durationMs / 1000).toFixed(1)} s, seed ${result.seed}`,
  ]);
}

function sent(result: RunResult): string {
  return [requestsText(result), imagesText(result)].filter((text) => text !== '').join(', ');
}

function counts(result: RunResult): string[] {
  const { total, passed, failed, warned, errored, knownFailures, notTested } = figuresOf(result).requirements;
  return [total, passed, failed, warned, errored, knownFailures, notTested].map(String);
}

function findingText(group: FindingGroup, exchanges: readonly ReportedExchange[]): string {
  const { requirement, finding } = group;
  const exchange = exchanges.find(({ id }) => id === finding.exchanges[0]);
  const times = group.times > 1 ? `, ${group.times} times` : '';
  const others = group.requirements.slice(1).map(({ id }) => id);
  return [
    `#### ${statusWords[group.status].sign} ${code(requirement.id)} · ${severityWords[group.severity]}${times}`,
    `${inline(requirement.statement)} (${inline(requirement.source)})`,
    bullets([
      `**expected** ${inline(finding.expected)}`,
      `**actual** ${inline(finding.actual)}`,
      `**hint** ${inline(finding.hint)}`,
      ...(finding.scenarios === undefined ? [] : [`**seen in** ${inline(finding.scenarios.join(', '))}`]),
      ...(finding.reproduce === undefined ? [] : [`**again** ${code(finding.reproduce)}`]),
      ...(others.length > 0 ? [`**same in** ${inline(named(others))}`] : []),
    ]),
    ...(exchange === undefined ? [] : [exchangeText(exchange)]),
  ].join('\n\n');
}

function exchangeText({ request, response, problem, curl }: ReportedExchange): string {
  const answer =
    response === null
      ? (problem ?? 'no complete response')
      : `${response.status}\n${shownBody(response.body, bodyShown)}`;
  return [
    '<details><summary>Request and response</summary>',
    fenced(`${request.method} ${request.url}\n${shownBody(request.body ?? '', bodyShown)}`),
    fenced(answer),
    ...(curl === '' ? [] : [fenced(curl)]),
    '</details>',
  ].join('\n\n');
}

function erroredText(result: RunResult): string[] {
  const groups = erroredGroups(result);
  if (groups.length === 0) return [];
  const lines = groups.map(({ reason, requirements }) => `${inline(reason)}: ${inline(named(requirements))}`);
  return ['### Could not be judged', bullets(lines)];
}

function gapsText(result: RunResult): string[] {
  const { steps, others } = gapsOf(result);
  if (steps.length + others.length === 0) return [];
  const next = steps.map(({ add, requirements }) => [
    String(requirements.length),
    add.map(({ text }) => inline(text)).join('<br>'),
  ]);
  const rest = others.map(({ reason, requirements }) => `${requirements.length}: ${inline(reason)}`);
  return [
    `### Not tested: ${counted(figuresOf(result).requirements.notTested, 'requirement')}`,
    ...(next.length > 0
      ? ['What to add next. Each row needs the rows above it.', table(['testable', 'add'], next)]
      : []),
    ...(rest.length > 0 ? ['For other reasons:', bullets(rest)] : []),
  ];
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
  return [folded('Requirements by topic', `${table(['topic', 'requirements'], rows)}\n\n${legend}`)];
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
    folded(
      `Where the specification is silent: ${counted(rows.length, 'observation')}`,
      table(['question', 'seen'], rows),
    ),
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

function folded(summary: string, content: string): string {
  return `<details><summary>${summary}</summary>\n\n${content}\n\n</details>`;
}
