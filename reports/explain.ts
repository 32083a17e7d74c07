import type { Response } from '../suites/history/exchange.ts';
import { type ListedRequirement, needsInWords } from '../suites/listing.ts';
import type { ReportedExchange, ReportedFinding } from '../suites/result.ts';
import { severityWords } from './status-words.ts';
import { answerLines, exchangeLines } from './terminal/exchange.ts';
import { field, type Look, paint, paragraph } from './terminal/layout.ts';

/** Everything about one requirement. */
export interface Explained extends ListedRequirement {
  /** What servers do wrong: defects of the stub that break it, the most telling first. */
  readonly mistakes: readonly { readonly defect: string; readonly what: string }[];
  /** How the stub breaks it with one of them, and what it responds to the same request without. */
  readonly violation:
    | {
        readonly defect: string;
        readonly what: string;
        readonly finding: ReportedFinding;
        readonly exchange: ReportedExchange;
        readonly instead: Response | null;
      }
    | undefined;
}

/** Mistakes that are told; `tck list --defects` has all. */
export const mistakesTold = 6;

/** The same for people. */
export function explainedText(explained: Explained, look: Look): string {
  const { id, level, severity, since, statement, source, ruling, flows, mistakes } = explained;
  const lines = [
    `${paint(look, ['bold'], id)}  ${level}, ${severityWords[severity]}, since ${since}`,
    ...paragraph(look, statement, 2),
    '',
    ...field(look, 'source', source, 2),
    ...(ruling === undefined ? [] : field(look, 'ruling', ruling, 2)),
    ...field(look, 'needs', needsInWords(flows.map(({ needs }) => needs)), 2),
    ...field(look, 'flows', flows.map(({ flow }) => flow).join(', ') || 'every flow', 2),
    '',
    ...violationLines(explained, look),
    ...mistakeLines(mistakes, look),
    ...field(look, 'test it', `tck run https://… --only ${id}`, 2),
    ...mistakes.slice(0, 1).flatMap(({ defect }) => field(look, 'see it', `tck stub --defect ${defect}`, 2)),
  ];
  return `${lines.join('\n')}\n`;
}

function violationLines({ violation }: Explained, look: Look): string[] {
  if (violation === undefined) return [];
  const { defect, what, finding, exchange, instead } = violation;
  return [
    ...paragraph(look, `A violation: the stub with the defect ${defect} ${what}`, 2),
    ...exchangeLines(look, exchange),
    ...field(look, 'expected', finding.expected),
    ...field(look, 'actual', finding.actual),
    ...field(look, 'hint', finding.hint),
    '',
    ...(instead === null
      ? []
      : [
          ...paragraph(look, 'A conforming response to the same request', 2),
          ...answerLines(look, 'response', { ...instead, headers: pairs(instead), body: instead.text }),
          '',
        ]),
  ];
}

function mistakeLines(mistakes: Explained['mistakes'], look: Look): string[] {
  if (mistakes.length === 0) return [];
  const rest = mistakes.length - mistakesTold;
  return [
    ...paragraph(look, 'Common mistakes: a server that …', 2),
    ...mistakes.slice(0, mistakesTold).flatMap(({ what }) => paragraph(look, `- ${what}`, 4)),
    ...(rest > 0 ? [`    - and ${rest} more: tck list --defects`] : []),
    '',
  ];
}

const pairs = ({ headers }: Response): [string, string][] => headers.map(([name, value]) => [name, value]);
