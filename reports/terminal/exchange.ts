import { responseHeaders } from '../../fixtures/contract/headers.ts';
import type { ReportedExchange } from '../../suites/result.ts';
import { headerOf } from '../body.ts';
import { plain, plainLines } from '../plain.ts';
import { field, type Look, paint, paragraph } from './layout.ts';

const bodyLinesShown = 5;

/** Maximum length of a curl command. Longer ones are impractical to copy from a terminal. */
const longestCurl = 1200;

const told = ['content-type', ...Object.values(responseHeaders)];

/** An exchange in brief: request, response and a curl command that repeats the request. */
export function exchangeLines(look: Look, exchange: ReportedExchange): string[] {
  const { response, problem, curl } = exchange;
  return [
    ...requestLines(look, exchange),
    ...(response === null
      ? field(look, 'response', `none: ${plain(problem ?? 'no complete response')}`, 4, ['yellow'])
      : answerLines(look, 'response', response, ` after ${Math.round(exchange.durationMs)} ms`)),
    ...(curl !== '' && curl.length <= longestCurl ? [`    ${paint(look, ['cyan'], plain(curl, longestCurl))}`] : []),
  ];
}

export function requestLines(look: Look, { id, request, credential }: ReportedExchange): string[] {
  const asked = `${request.method} ${pathOf(request.url)} as ${credential}`;
  return [...field(look, 'request', `#${id} ${plain(asked)}`), ...bodyLines(look, request.body)];
}

/** A response: status, headers of the specification and the start of the body. */
export function answerLines(
  look: Look,
  label: string,
  { status, headers, body }: NonNullable<ReportedExchange['response']>,
  after = '',
): string[] {
  const shown = told.flatMap((name) => {
    const value = headerOf(headers, name);
    return value === null ? [] : [`${name}: ${plain(value, 80)}`];
  });
  return [...field(look, label, [`${status}${after}`, ...shown].join(', ')), ...bodyLines(look, body)];
}

function bodyLines(look: Look, body: string | null): string[] {
  if (body === null || body === '') return [];
  const lines = paragraph(look, plainLines(body, 600), 14);
  return lines.length <= bodyLinesShown ? lines : [...lines.slice(0, bodyLinesShown), `${' '.repeat(14)}…`];
}

function pathOf(url: string): string {
  return URL.parse(url)?.pathname ?? url;
}
