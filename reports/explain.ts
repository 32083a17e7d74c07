import type { Response } from '../suites/history/exchange.ts';
import { type ListedRequirement, needsInWords } from '../suites/listing.ts';
import type { ReportedExchange, ReportedFinding } from '../suites/result.ts';
import { serviceRefusals } from '../suites/topics/declared/row-witnesses.ts';
import { type Link, linkText } from './chain.ts';
import { plain } from './plain.ts';
import { comparedIn, responseDifference } from './response-difference.ts';
import { severityWords } from './status-words.ts';
import { answerLines, exchangeLines } from './terminal/exchange.ts';
import { field, type Look, paint, paragraph } from './terminal/layout.ts';

/** Everything about one requirement. */
export interface Explained extends ListedRequirement {
  /** Common server mistakes: defects of the stub that violate the requirement, the most instructive first. */
  readonly mistakes: readonly { readonly defect: string; readonly what: string }[];
  /** Violation by the stub with a defect, and the response of the conforming stub to the same request. */
  readonly violation:
    | {
        readonly defect: string;
        readonly what: string;
        readonly finding: ReportedFinding;
        readonly exchange: ReportedExchange;
        /** All exchanges that led to the violation, in order, and the twin. */
        readonly chain: readonly Link[];
        readonly instead: Response | null;
      }
    | undefined;
}

/** Maximum number of mistakes to show. `tck list --defects` shows all. */
export const mistakesTold = 6;

/** The command that tests a requirement, with the side effects of its stories. */
export function runOf({ id, stories }: ListedRequirement): string {
  const effects = new Set(stories.flatMap(({ needs }) => needs.effects));
  const allow = effects.size === 0 ? '' : ` --allow ${[...effects].join()}`;
  return `tck run https://api.example.test --only ${id}${allow}`;
}

/** Maximum length of a body to compare, in characters. */
const bodyShown = 4000;

/** The explanation of a requirement as text. */
export function explainedText(explained: Explained, look: Look): string {
  const { id, level, severity, since, statement, source, ruling, stories, mistakes } = explained;
  const refusal = serviceRefusals.get(id);
  const lines = [
    `${paint(look, ['bold'], id)}  ${level}, ${severityWords[severity]}, since ${since}`,
    ...paragraph(look, statement, 2),
    '',
    ...field(look, 'source', source, 2),
    ...(ruling === undefined ? [] : field(look, 'ruling', ruling, 2)),
    ...field(look, 'needs', needsInWords(stories.map(({ needs }) => needs)), 2),
    ...(refusal === undefined
      ? []
      : field(look, 'tested if', `the service refuses with ${refusal.code}, a rule of its own`, 2)),
    ...field(look, 'stories', stories.map(({ story }) => story).join(', ') || 'every story', 2),
    '',
    ...violationLines(explained, look),
    ...mistakeLines(mistakes, look),
    ...field(look, 'test it', runOf(explained), 2),
    ...mistakes.slice(0, 1).flatMap(({ defect }) => field(look, 'see it', `tck stub --defect ${defect}`, 2)),
  ];
  return `${lines.join('\n')}\n`;
}

function violationLines({ violation }: Explained, look: Look): string[] {
  if (violation === undefined) return [];
  const { defect, what, finding, exchange, chain, instead } = violation;
  const compared = comparedIn(chain);
  return [
    ...paragraph(look, `A violation: the stub with the defect ${defect} ${what}`, 2),
    ...(chain.length < 2
      ? []
      : chain.flatMap((link, index) => paragraph(look, `${index + 1}. ${plain(linkText(link))}`, 4))),
    ...exchangeLines(look, exchange),
    ...(compared === undefined ? [] : differenceLines(look, responseDifference(...compared, bodyShown))),
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

/** Lines that only one of two responses contains. */
function differenceLines(look: Look, lines: readonly string[]): string[] {
  const differing = lines.filter((line) => /^[-+]/.test(line));
  return field(look, 'difference', differing.map((line) => plain(line)).join('\n'));
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
