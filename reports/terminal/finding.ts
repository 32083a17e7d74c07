import { responseHeaders } from '../../fixtures/contract/codes.ts';
import type { ReportedExchange } from '../../suites/result.ts';
import { headerOf } from '../body.ts';
import { difference } from '../difference.ts';
import type { FindingGroup } from '../findings.ts';
import { plain, plainLines } from '../plain.ts';
import { counted, statusWords } from '../status-words.ts';
import { field, type Look, markedField, paint, paragraph } from './layout.ts';

/** Things that came instead, named beside the first. */
const otherActuals = 2;

const bodyLinesShown = 5;

/** A longer curl line is not for copying from a terminal. */
const longestCurl = 1200;

const told = ['content-type', responseHeaders.api, responseHeaders.toolError, responseHeaders.retryAfter];

/** A finding in full: what was expected, what came, what to look at, and the first exchanges that show it. */
export function findingLines(look: Look, group: FindingGroup, exchanges: readonly ReportedExchange[]): string[] {
  const { requirement, check, finding } = group;
  const { expected, actual } = difference(plain(finding.expected), plain(finding.actual));
  const shown = exchanges.filter(({ id }) => group.evidence.includes(id));
  return [
    headline(look, group),
    ...paragraph(look, plain(requirement.statement), 4),
    ...(check.title === requirement.statement ? [] : field(look, 'check', plain(check.title, 200))),
    ...markedField(look, 'expected', expected, 4, ['green']),
    ...markedField(look, 'actual', actual, 4, group.status === 'warned' ? (['yellow'] as const) : (['red'] as const)),
    ...group.alsoActual.slice(0, otherActuals).flatMap((other) => field(look, 'or', plain(other))),
    ...field(look, 'hint', plain(finding.hint, 600)),
    ...(finding.note === undefined ? [] : field(look, 'note', plain(finding.note))),
    ...field(look, 'document', plain(requirement.source)),
    ...alsoBroken(look, group),
    ...shown.flatMap((exchange) => exchangeLines(look, exchange)),
    ...more(look, group.exchanges.length - shown.length),
    '',
  ];
}

/** A finding in one line, where there are too many. */
export function headline(look: Look, group: FindingGroup): string {
  const { sign } = statusWords[group.status];
  const colour = group.status === 'warned' ? (['yellow'] as const) : (['red'] as const);
  const times = group.times > 1 ? `  ${group.times} times` : '';
  const advice = group.requirement.level === 'should' ? '  advice' : '';
  return `  ${paint(look, colour, sign)} ${paint(look, ['bold'], plain(group.requirement.id))}${times}${advice}`;
}

function alsoBroken(look: Look, group: FindingGroup): string[] {
  const others = group.requirements.slice(1).map(({ id }) => plain(id));
  if (others.length === 0) return [];
  const rest = others.length > 6 ? ` and ${others.length - 6} more` : '';
  return field(look, 'same in', `${others.slice(0, 6).join(', ')}${rest}`);
}

function exchangeLines(look: Look, exchange: ReportedExchange): string[] {
  const { request, response } = exchange;
  const asked = `${request.method} ${pathOf(request.url)} as ${exchange.credential}`;
  return [
    ...field(look, 'request', `${plain(asked)} (exchange ${exchange.id})`),
    ...bodyLines(look, request.body),
    ...(response === null
      ? field(look, 'answer', `none: ${plain(exchange.problem ?? 'no complete answer')}`, 4, ['yellow'])
      : [...field(look, 'answer', answerInBrief(exchange)), ...bodyLines(look, response.body)]),
    ...(exchange.curl.length <= longestCurl ? [`    ${paint(look, ['cyan'], plain(exchange.curl, longestCurl))}`] : []),
  ];
}

function answerInBrief(exchange: ReportedExchange): string {
  const headers = exchange.response?.headers ?? [];
  const shown = told.flatMap((name) => {
    const value = headerOf(headers, name);
    return value === null ? [] : [`${name}: ${plain(value, 80)}`];
  });
  const status = exchange.response?.status ?? 0;
  return [`${status} after ${Math.round(exchange.durationMs)} ms`, ...shown].join(', ');
}

function bodyLines(look: Look, body: string | null): string[] {
  if (body === null || body === '') return [];
  const lines = paragraph(look, plainLines(body, 600), 14);
  return lines.length <= bodyLinesShown ? lines : [...lines.slice(0, bodyLinesShown), `${' '.repeat(14)}…`];
}

function more(look: Look, count: number): string[] {
  if (count <= 0) return [];
  return field(look, '', `${counted(count, 'more exchange')} in report.html`, 4, ['dim']);
}

function pathOf(url: string): string {
  return URL.parse(url)?.pathname ?? url;
}
