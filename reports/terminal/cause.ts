import { responseHeaders } from '../../fixtures/contract/headers.ts';
import type { ReportedExchange } from '../../suites/result.ts';
import { summarizeIds } from '../../suites/usage/counted.ts';
import { type Answer, stepLines } from '../chain.ts';
import { difference, differingLines } from '../difference.ts';
import { limited, plain, plainLines, shownBody } from '../plain.ts';
import type { ReportCause } from '../report.ts';
import { severityWords, statusWords } from '../status-words.ts';
import { type Format, field, markedField, paint, paragraph } from './layout.ts';

/** Three causes fit on one screen. The page and the script show everything. */
const otherActuals = 1;
const stepsShown = 5;
const differencesShown = 6;
const bodyShown = 110;
const scenariosNamed = 8;

/** Size of the bodies that are compared. */
const bodyCompared = 1500;

/** A cause in full: expected and actual values, hint, steps, and an exchange that shows it. */
export function causeLines(cause: ReportCause, reportDir: string): string[] {
  const { requirement, finding, chain, compared, script, alsoActual } = cause;
  const { expected, actual } = difference(plain(finding.expected), plain(finding.actual));
  const { scenarios = [], reproduce } = finding;
  const again = reproduce ?? (script === undefined ? undefined : `bash ${reportDir}/${script}`);
  const others = cause.requirements.slice(1).map(({ id }) => plain(id));
  const exchange = chain.findLast(({ part }) => part === 'shows')?.exchange;
  const lines = (label: string, texts: readonly string[], most = texts.length) => {
    const shown = texts.map((text, index) => field(index === 0 ? label : '', plain(text, 600)));
    return limited(shown, most, (rest) => field('', `${rest} more in report.html`, 4, ['dim'])).flat();
  };
  return [
    ...headline(cause),
    ...lines('rule', [`${requirement.id}: ${requirement.statement}`]),
    ...markedField('expected', expected, ['green']),
    ...markedField('actual', actual, colorOf(cause)),
    ...lines('or', alsoActual, otherActuals),
    ...lines('hint', [finding.hint]),
    ...lines('note', cause.remarks),
    ...lines('explains', others.length === 0 ? [] : [summarizeIds(others)]),
    ...lines('seen in', scenarios, scenariosNamed),
    ...lines('steps', chain.length < 2 ? [] : stepLines(chain), stepsShown),
    ...(compared === undefined ? [] : lines('differs', differingLines(compared, bodyCompared, differencesShown))),
    // The steps say what was sent and what came.
    ...(exchange === undefined || chain.length > 1 ? [] : exchangeLines(exchange)),
    ...lines('again', again === undefined ? [] : [again]),
    '',
  ];
}

/** A cause in brief: title, requirement and hint. */
export function briefLines(cause: ReportCause): string[] {
  const { requirement, finding } = cause;
  return [...headline(cause), ...paragraph(`${plain(requirement.id)}: ${plain(finding.hint, 200)}`, 4, ['dim'])];
}

/** The title, and in parentheses severity, number of occurrences and affected requirements. */
function headline(cause: ReportCause): string[] {
  const facts = [
    severityWords[cause.severity],
    ...(cause.requirement.level === 'should' ? ['recommendation'] : []),
    ...(cause.isUnverified ? ['unverified'] : []),
    ...(cause.times > 1 ? [`${cause.times} times`] : []),
    ...(cause.weight === '' ? [] : [cause.weight]),
  ];
  const sign = paint(colorOf(cause), statusWords[cause.status].sign);
  const title = paint(['bold'], `${cause.number}. ${plain(cause.title)}`);
  return [`  ${sign} ${title} ${paint(['dim'], `(${facts.join(', ')})`)}`];
}

const colorOf = ({ status }: ReportCause): Format => [status === 'warned' ? 'yellow' : 'red'];

/**
 * An exchange: the request, and the response with the headers of the specification. Without a limit, the bodies are
 * brief and on one line, because most are JSON without line breaks.
 */
export function exchangeLines(
  { id, request, response, problem, credential }: ReportedExchange,
  most?: number,
): string[] {
  const path = URL.parse(request.url)?.pathname ?? request.url;
  return [
    ...field('request', `#${id} ${plain(`${request.method} ${path} as ${credential}`)}`),
    ...bodyLines(request.body, most),
    ...(response === null
      ? field('response', `none: ${plain(problem ?? 'no complete response')}`, 4, ['yellow'])
      : answerLines(response, most)),
  ];
}

export function answerLines({ status, headers, body }: Answer, most?: number): string[] {
  const shown = ['content-type', ...Object.values(responseHeaders)].flatMap((name) => {
    const value = headers.find(([key]) => key.toLowerCase() === name)?.[1];
    return value === undefined ? [] : [`${name}: ${plain(value, 80)}`];
  });
  return [...field('response', [status, ...shown].join(', ')), ...bodyLines(body, most)];
}

function bodyLines(body: string | null, most?: number): string[] {
  if (body === null || body === '') return [];
  return field('', most === undefined ? plainLines(body, bodyShown).replaceAll('\n', ' ') : shownBody(body, most));
}
