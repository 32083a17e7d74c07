import type { Cause } from '../../suites/causes/causes.ts';
import { summarizeIds } from '../../suites/ids-summary.ts';
import type { ReportedFinding, RunResult } from '../../suites/result.ts';
import { counted } from '../../suites/usage/counted.ts';
import { isUnverified, remarksOf, weightOf } from '../causes.ts';
import { chainOf, stepLines } from '../chain.ts';
import { difference } from '../difference.ts';
import { plain } from '../plain.ts';
import { comparedIn, differingLines } from '../response-difference.ts';
import { scriptPath } from '../script.ts';
import { severityWords, statusWords } from '../status-words.ts';
import { exchangeLines } from './exchange.ts';
import { field, type Look, markedField, paint, paragraph } from './layout.ts';

/** Maximum number of other actual values to list. */
const otherActuals = 2;

/** Maximum size of the bodies that are compared, and of the difference. */
const bodyShown = 1500;
const differencesShown = 8;

/** A cause in full: expected and actual values, hint, and the first exchanges as evidence. */
export function causeLines(look: Look, cause: Cause, number: number, result: RunResult, reportDir?: string): string[] {
  const { requirement, finding } = cause;
  const { exchanges } = result;
  const { expected, actual } = difference(plain(finding.expected), plain(finding.actual));
  const shown = exchanges.filter(({ id }) => cause.evidence.includes(id));
  const chain = chainOf(finding, exchanges);
  const compared = comparedIn(chain);
  const script = scriptPath(result, number - 1);
  return [
    ...headline(look, cause, number),
    ...field(look, 'rule', `${plain(requirement.id)}: ${plain(requirement.statement)}`),
    ...markedField(look, 'expected', expected, 4, ['green']),
    ...markedField(look, 'actual', actual, 4, cause.status === 'warned' ? (['yellow'] as const) : (['red'] as const)),
    ...cause.alsoActual.slice(0, otherActuals).flatMap((other) => field(look, 'or', plain(other))),
    ...more(look, 'other outcome', cause.alsoActual.length - otherActuals),
    ...field(look, 'hint', plain(finding.hint, 600)),
    ...remarksOf(finding).flatMap((remark) => field(look, 'note', plain(remark))),
    ...seenIn(look, finding),
    ...field(look, 'source', plain(requirement.source)),
    ...(script === undefined
      ? []
      : field(look, 'again', plain(reportDir === undefined ? script : `${reportDir}/${script}`))),
    ...alsoBroken(look, cause),
    ...(chain.length < 2 ? [] : listed(look, 'steps', stepLines(chain))),
    ...(compared === undefined ? [] : listed(look, 'differs', differingLines(compared, bodyShown, differencesShown))),
    ...shown.flatMap((exchange) => exchangeLines(look, exchange)),
    ...more(look, 'more request', cause.exchanges.length - shown.length),
    '',
  ];
}

/** A cause in brief: title, requirement and hint. */
export function briefLines(look: Look, cause: Cause, number: number): string[] {
  const { requirement, finding } = cause;
  return [
    ...headline(look, cause, number),
    ...paragraph(look, `${plain(requirement.id)}: ${plain(finding.hint, 200)}`, 4, ['dim']),
  ];
}

/** The title, then a line with severity, number of occurrences and affected requirements. */
function headline(look: Look, cause: Cause, number: number): string[] {
  const { sign } = statusWords[cause.status];
  const colour = cause.status === 'warned' ? (['yellow'] as const) : (['red'] as const);
  const facts = [
    severityWords[cause.severity],
    ...(cause.requirement.level === 'should' ? ['recommendation'] : []),
    ...(isUnverified(cause.finding) ? ['unverified'] : []),
    ...(cause.times > 1 ? [`${cause.times} times`] : []),
    weightOf(cause),
  ];
  const [first = '', ...rest] = paragraph(look, `${number}. ${plain(cause.title)}`, 4, ['bold']);
  return [
    `  ${paint(look, colour, sign)} ${first.trimStart()}`,
    ...rest,
    ...paragraph(look, facts.filter((fact) => fact !== '').join(', '), 4, ['dim']),
  ];
}

/** Maximum number of scenarios to list. */
const scenariosNamed = 8;

/** Scenarios in which a client violated the rule, and how to reproduce the violation. */
function seenIn(look: Look, { scenarios = [], reproduce }: ReportedFinding): string[] {
  const rest = scenarios.length - scenariosNamed;
  const more = rest > 0 ? ` and ${rest} more` : '';
  const names = scenarios.slice(0, scenariosNamed).join(', ');
  return [
    ...(scenarios.length === 0 ? [] : field(look, 'seen in', `${plain(names)}${more}`)),
    ...(reproduce === undefined ? [] : field(look, 'again', plain(reproduce, 600))),
  ];
}

/** A field with one line per text. */
function listed(look: Look, label: string, texts: readonly string[]): string[] {
  return texts.flatMap((text, index) => field(look, index === 0 ? label : '', plain(text, 400)));
}

function alsoBroken(look: Look, { requirements }: Cause): string[] {
  const others = requirements.slice(1).map(({ id }) => plain(id));
  if (others.length === 0) return [];
  return field(look, 'explains', summarizeIds(others));
}

function more(look: Look, what: string, count: number): string[] {
  if (count <= 0) return [];
  return field(look, '', `${counted(count, what)} in report.html`, 4, ['dim']);
}
