import { responseHeaders } from '../fixtures/contract/headers.ts';
import { type Topic, topicTitles } from '../fixtures/requirements/model.ts';
import { needsInWords } from '../suites/listing.ts';
import type { HeaderList } from '../suites/result.ts';
import { headerOf, shownBody } from './body.ts';
import { anchorOf } from './catalogue-place.ts';
import { type Explained, mistakesTold } from './explain.ts';
import { severityWords } from './status-words.ts';

/** Lines of a body that a page shows. */
const bodyLinesShown = 16;

/** Headers that the specification describes. */
const told = ['content-type', ...Object.values(responseHeaders)];

/**
 * The page of one topic, in Markdown.
 * @param fileOf gives the file of a flow by its name
 */
export function topicPage(topic: Topic, explained: readonly Explained[], fileOf: (flow: string) => string): string {
  const contents = explained.map(({ id, statement }) => `- [\`${id}\`](#${anchorOf(id)}) ${statement}`);
  const about =
    'Written by `npm run generate:requirements`. The exchanges come from the stub, with a defect and without.';
  const sections = explained.flatMap((each) => section(each, fileOf));
  return `${[`# ${topicTitles[topic]}`, about, contents.join('\n'), ...sections].join('\n\n')}\n`;
}

/** The page that leads to the others, with the number of requirements of each topic. */
export function indexPage(counts: ReadonlyMap<Topic, number>): string {
  const rows = [...counts].map(([topic, count]) => `| [${topicTitles[topic]}](${topic}.md) | ${count} |`);
  return [
    '# Requirements',
    'Each page explains the requirements of one topic: the statement, its source, what a test needs, a violation, a',
    'conforming response, common mistakes and a request to reproduce it. `tck explain ID` prints the same.',
    '',
    '| Topic | Requirements |',
    '| --- | ---: |',
    ...rows,
    '',
  ].join('\n');
}

function section(explained: Explained, fileOf: (flow: string) => string): string[] {
  const { id, statement, level, severity, since, source, ruling, flows } = explained;
  const facts = [
    `- Level \`${level}\`, severity ${severityWords[severity]}, since version ${since}`,
    `- Source: ${source}`,
    ...(ruling === undefined ? [] : [`- Ruling: ${ruling}`]),
    `- Needs: ${needsInWords(flows.map(({ needs }) => needs))}`,
    `- Tested by: ${flows.map(({ flow }) => `${flow} (\`${fileOf(flow)}\`)`).join(', ') || 'every flow'}`,
  ];
  return [`## ${id}`, `> ${statement}`, facts.join('\n'), ...violation(explained), ...mistakes(explained)];
}

function violation({ id, violation }: Explained): string[] {
  if (violation === undefined)
    return [`Only generated requests show a violation: \`tck run --explore 1000 --only ${id}\`.`];
  const { defect, what, finding, exchange, instead } = violation;
  const { request, response, credential, problem } = exchange;
  const asked = [`${request.method} ${URL.parse(request.url)?.pathname ?? request.url}`, `as ${credential}`];
  return [
    `**Violation.** A server that ${what}:`,
    fenced('http', [asked.join(' '), ...bodyLines(request.body ?? '')]),
    response === null
      ? fenced('text', [problem ?? 'no response'])
      : fenced('http', responseLines(response.status, response.headers, response.body)),
    [`- Expected: ${finding.expected}`, `- Actual: ${finding.actual}`, `- Hint: ${finding.hint}`].join('\n'),
    ...(instead === null
      ? []
      : [
          '**A conforming response** to the same request:',
          fenced('http', responseLines(instead.status, instead.headers, instead.text)),
        ]),
    '**Reproduce it** on your deployment, or with a stub that has the defect:',
    fenced('sh', [exchange.curl, `tck run https://api.example.test --only ${id}`, `tck stub --defect ${defect}`]),
  ];
}

function mistakes({ mistakes }: Explained): string[] {
  if (mistakes.length === 0) return [];
  const shown = mistakes.slice(0, mistakesTold).map(({ what, defect }) => `- ${what} (\`${defect}\`)`);
  const rest = mistakes.length - shown.length;
  const more = rest > 0 ? [`- ${rest} more in \`tck list --defects\``] : [];
  return ['**Common mistakes.** A server that …', [...shown, ...more].join('\n')];
}

function responseLines(status: number, headers: readonly (readonly [string, string])[], body: string): string[] {
  const list: HeaderList = headers.map(([name, value]) => [name, value]);
  const shown = told.flatMap((name) => {
    const value = headerOf(list, name);
    return value === null ? [] : [`${name}: ${value}`];
  });
  return [`HTTP ${status}`, ...shown, ...bodyLines(body)];
}

function bodyLines(body: string): string[] {
  if (body === '') return [];
  const lines = shownBody(body, 4000).split('\n');
  return ['', ...(lines.length > bodyLinesShown ? [...lines.slice(0, bodyLinesShown), '…'] : lines)];
}

/** A fence longer than any in the text. */
function fenced(language: string, lines: readonly string[]): string {
  const text = lines.join('\n');
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));
  return `${fence}${language}\n${text}\n${fence}`;
}
