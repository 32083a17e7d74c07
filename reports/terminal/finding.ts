import { named } from '../../suites/named.ts';
import type { ReportedExchange, ReportedFinding } from '../../suites/result.ts';
import { type Cause, weightOf } from '../causes.ts';
import { difference } from '../difference.ts';
import type { FindingGroup } from '../findings.ts';
import { plain } from '../plain.ts';
import { counted, severityWords, statusWords } from '../status-words.ts';
import { exchangeLines } from './exchange.ts';
import { field, type Look, markedField, paint, paragraph } from './layout.ts';

/** Things that came instead, named beside the first. */
const otherActuals = 2;

/** A finding in full: what was expected, what came, what to look at, and the first exchanges that show it. */
export function findingLines(look: Look, cause: Cause, exchanges: readonly ReportedExchange[]): string[] {
  const { group } = cause;
  const { requirement, finding } = group;
  const { expected, actual } = difference(plain(finding.expected), plain(finding.actual));
  const shown = exchanges.filter(({ id }) => group.evidence.includes(id));
  return [
    headline(look, cause),
    ...paragraph(look, plain(requirement.statement), 4),
    ...markedField(look, 'expected', expected, 4, ['green']),
    ...markedField(look, 'actual', actual, 4, group.status === 'warned' ? (['yellow'] as const) : (['red'] as const)),
    ...group.alsoActual.slice(0, otherActuals).flatMap((other) => field(look, 'or', plain(other))),
    ...more(look, 'other outcome', group.alsoActual.length - otherActuals),
    ...field(look, 'hint', plain(finding.hint, 600)),
    ...(finding.note === undefined ? [] : field(look, 'note', plain(finding.note))),
    ...seenIn(look, finding),
    ...field(look, 'source', plain(requirement.source)),
    ...alsoBroken(look, group),
    ...shown.flatMap((exchange) => exchangeLines(look, exchange)),
    ...more(look, 'more request', group.exchanges.length - shown.length),
    '',
  ];
}

/** A finding in brief, where there are too many: the statement, what was expected and what came. */
export function briefLines(look: Look, cause: Cause): string[] {
  const { requirement, finding } = cause.group;
  const came = `expected ${plain(finding.expected, 120)}; got ${plain(finding.actual, 120)}`;
  return [
    headline(look, cause),
    ...paragraph(look, plain(requirement.statement), 4),
    ...paragraph(look, came, 4, ['dim']),
  ];
}

function headline(look: Look, cause: Cause): string {
  const { group } = cause;
  const { sign } = statusWords[group.status];
  const colour = group.status === 'warned' ? (['yellow'] as const) : (['red'] as const);
  const times = group.times > 1 ? `  ${group.times} times` : '';
  const severity = paint(look, ['dim'], severityWords[group.severity]);
  const advice = group.requirement.level === 'should' ? '  recommendation' : '';
  const id = paint(look, ['bold'], plain(group.requirement.id));
  const weight = weightOf(cause);
  return `  ${paint(look, colour, sign)} ${id}  ${severity}${times}${advice}${weight === '' ? '' : `  ${weight}`}`;
}

/** Scenarios in which a client showed it, named one by one. */
const scenariosNamed = 8;

/** Where a client showed it, and how to see it again. */
function seenIn(look: Look, { scenarios = [], reproduce }: ReportedFinding): string[] {
  const rest = scenarios.length - scenariosNamed;
  const more = rest > 0 ? ` and ${rest} more` : '';
  const names = scenarios.slice(0, scenariosNamed).join(', ');
  return [
    ...(scenarios.length === 0 ? [] : field(look, 'seen in', `${plain(names)}${more}`)),
    ...(reproduce === undefined ? [] : field(look, 'again', plain(reproduce, 600))),
  ];
}

function alsoBroken(look: Look, group: FindingGroup): string[] {
  const others = group.requirements.slice(1).map(({ id }) => plain(id));
  if (others.length === 0) return [];
  return field(look, 'same in', named(others));
}

function more(look: Look, what: string, count: number): string[] {
  if (count <= 0) return [];
  return field(look, '', `${counted(count, what)} in report.html`, 4, ['dim']);
}
