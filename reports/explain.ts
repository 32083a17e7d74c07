import type { Response } from '../suites/history/exchange.ts';
import { type ListedRequirement, needsInWords } from '../suites/listing.ts';
import type { ReportedExchange, ReportedFinding } from '../suites/result.ts';
import { severityWords } from './status-words.ts';
import { answerLines, exchangeLines } from './terminal/exchange.ts';
import { field, type Look, paint, paragraph } from './terminal/layout.ts';

/** Everything about one requirement. */
export interface Explained extends ListedRequirement {
  /** Defects of the stub that break it. */
  readonly defects: readonly string[];
  /** How the stub breaks it with one of them, and what it answers to the same request without. */
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

/** The same for people. */
export function explainedText(explained: Explained, look: Look): string {
  const { id, level, severity, since, statement, source, flows, defects } = explained;
  const lines = [
    `${paint(look, ['bold'], id)}  ${level}, ${severityWords[severity]}, since ${since}`,
    ...paragraph(look, statement, 2),
    '',
    ...field(look, 'source', source, 2),
    ...field(look, 'needs', needsInWords(flows.map(({ needs }) => needs)), 2),
    ...field(look, 'flows', flows.map(({ flow }) => flow).join(', ') || 'every flow', 2),
    ...field(look, 'mistakes', defects.join(', ') || 'none of the stub', 2),
    '',
    ...violationLines(explained, look),
    ...field(look, 'test it', `tck run https://… --only ${id}`, 2),
    ...defects.slice(0, 1).flatMap((defect) => field(look, 'see it', `tck stub --defect ${defect}`, 2)),
  ];
  return `${lines.join('\n')}\n`;
}

function violationLines({ violation }: Explained, look: Look): string[] {
  if (violation === undefined) return [];
  const { defect, what, finding, exchange, instead } = violation;
  return [
    ...paragraph(look, `A violation, made by the stub with the defect ${defect}: ${what}`, 2),
    ...exchangeLines(look, exchange),
    ...(instead === null
      ? []
      : answerLines(look, 'conforms', { ...instead, headers: pairs(instead), body: instead.text })),
    ...field(look, 'expected', finding.expected),
    ...field(look, 'actual', finding.actual),
    ...field(look, 'hint', finding.hint),
    '',
  ];
}

const pairs = ({ headers }: Response): [string, string][] => headers.map(([name, value]) => [name, value]);
