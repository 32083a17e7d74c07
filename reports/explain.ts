import type { ReportedExchange, ReportedFinding } from '../suites/result.ts';
import { serviceRefusals } from '../suites/topics/declared/row-witnesses.ts';
import { comparedIn, type Link, linkText } from './chain.ts';
import { differingLines } from './difference.ts';
import { type ListedRequirement, needsInWords } from './listing.ts';
import { plain } from './plain.ts';
import { severityWords } from './status-words.ts';
import { answerLines, exchangeLines } from './terminal/cause.ts';
import { field, inColors, type Look, paint, paragraph } from './terminal/layout.ts';

/** Everything about one requirement. */
export interface Explained extends ListedRequirement {
  /** The source file with the requirement. */
  readonly file?: string;
  /** An exchange of the conforming stub that witnesses the requirement. */
  readonly conforming?: ReportedExchange;
  /** The same request with a response that violates the requirement; absent if only several responses together do. */
  readonly violation?: {
    readonly finding: ReportedFinding;
    readonly exchange: ReportedExchange;
    /** The exchanges that show the violation, in order. */
    readonly chain: readonly Link[];
  };
}

/** The command that tests a requirement, with the side effects of its stories. Only a configuration has settings. */
function runOf({ id, stories }: ListedRequirement): string {
  const effects = new Set(stories.flatMap(({ needs }) => needs.effects));
  const allow = effects.size === 0 ? '' : ` --allow ${[...effects].join()}`;
  const target = stories.some(({ needs }) => needs.settings.length > 0)
    ? '--config tck.config.json'
    : 'https://api.example.test';
  return `tck run ${target} --only ${id}${allow}`;
}

/** Maximum length of a body to compare, in characters. */
const bodyShown = 4000;
const linesShown = 40;

/** The explanation of a requirement as text. */
export function explainedText(explained: Explained, look: Look): string {
  const { id, level, severity, since, statement, source, ruling, stories } = explained;
  const refusal = serviceRefusals.get(id);
  const lines = [
    `${paint(['bold'], id)}  ${level}, ${severityWords[severity]}, since ${since}`,
    ...paragraph(statement, 2),
    '',
    ...field('source', source, 2),
    ...(ruling === undefined ? [] : field('ruling', ruling, 2)),
    ...field('needs', needsInWords(stories.map(({ needs }) => needs)), 2),
    ...(refusal === undefined
      ? []
      : field('tested if', `the service refuses with ${refusal.code}, a rule of its own`, 2)),
    ...field('stories', stories.map(({ story }) => story).join(', ') || 'every story', 2),
    '',
    ...violationLines(explained),
    ...(explained.file === undefined ? [] : field('file', explained.file, 2)),
    ...field('test it', runOf(explained), 2),
  ];
  return inColors(look, `${lines.join('\n')}\n`);
}

function violationLines({ violation, conforming }: Explained): string[] {
  if (conforming === undefined) return [];
  const shown = [...paragraph('A conforming response', 2), ...exchangeLines(conforming), ''];
  if (violation === undefined) return shown;
  const { finding, exchange, chain } = violation;
  const compared = comparedIn(chain);
  const { status = 0, headers = [], body = '' } = exchange.response ?? {};
  return [
    ...shown,
    ...paragraph('A violation by another response to the same request', 2),
    ...(chain.length < 2 ? [] : chain.flatMap((link, index) => paragraph(`${index + 1}. ${plain(linkText(link))}`, 4))),
    ...(exchange.response === null ? [] : answerLines({ status, headers, body })),
    ...(compared === undefined
      ? []
      : field(
          'difference',
          differingLines(compared, bodyShown, linesShown)
            .map((line) => plain(line))
            .join('\n'),
        )),
    ...field('expected', finding.expected),
    ...field('actual', finding.actual),
    ...field('hint', finding.hint),
    '',
  ];
}
