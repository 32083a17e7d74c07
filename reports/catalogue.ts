import { responseHeaders } from '../fixtures/contract/headers.ts';
import { type Topic, topicTitles } from '../fixtures/requirements/model.ts';
import { needsInWords } from '../suites/listing.ts';
import type { HeaderList } from '../suites/result.ts';
import { serviceRefusals } from '../suites/topics/declared/row-witnesses.ts';
import { headerOf, shownBody } from './body.ts';
import { anchorOf } from './catalogue-place.ts';
import { linkText } from './chain.ts';
import { type Explained, mistakesTold, runOf } from './explain.ts';
import { comparedIn, responseDifference } from './response-difference.ts';
import { severityWords } from './status-words.ts';

/** Maximum number of body lines on a page. */
const bodyLinesShown = 16;

/** Maximum length of a body to compare, in characters. */
const bodyShown = 4000;

/** Headers that the specification describes. */
const told = ['content-type', ...Object.values(responseHeaders)];

/**
 * Markdown page of a topic.
 * @param fileOf returns the file of a story by name
 */
export function topicPage(topic: Topic, explained: readonly Explained[], fileOf: (story: string) => string): string {
  const contents = explained.map(({ id, statement }) => `- [\`${id}\`](#${anchorOf(id)}) ${statement}`);
  const about =
    '`npm run generate:requirements` writes this page. The exchanges come from the stub, with and without a defect.';
  const sections = explained.flatMap((each) => section(each, fileOf));
  return `${[`# ${topicTitles[topic]}`, about, contents.join('\n'), ...sections].join('\n\n')}\n`;
}

/** The index page: links to all topics, with the number of requirements of each. */
export function indexPage(counts: ReadonlyMap<Topic, number>): string {
  const rows = [...counts].map(([topic, count]) => `| [${topicTitles[topic]}](${topic}.md) | ${count} |`);
  return [
    '# Requirements',
    '',
    'These pages list the requirements that the kit tests, with the source of each requirement in the specification.',
    '',
    'Each page explains the requirements of a topic: the statement, the source, the needs of the test, a violation, a',
    'conforming response, common mistakes, and a request that shows the behavior of a server. `tck explain ID` prints',
    'the same information about a single requirement.',
    '',
    '| Topic | Requirements |',
    '| --- | ---: |',
    ...rows,
    '',
  ].join('\n');
}

function section(explained: Explained, fileOf: (story: string) => string): string[] {
  const { id, statement, level, severity, since, source, ruling, stories } = explained;
  const refusal = serviceRefusals.get(id);
  const needs = stories.map((each) => each.needs);
  const facts = [
    `- Level: \`${level}\`. Severity: ${severityWords[severity]}. In the kit since version ${since}`,
    `- Source: ${source}`,
    ...(ruling === undefined ? [] : [`- Ruling: ${ruling}`]),
    `- The test needs: ${needsInWords(needs)}`,
    ...(refusal === undefined ? [] : [`- Tested if a rule of the service causes a refusal with \`${refusal.code}\``]),
    `- Tested by: ${stories.map(({ story }) => `${story} (\`${fileOf(story)}\`)`).join(', ') || 'every story'}`,
  ];
  return [`## ${id}`, `> ${statement}`, facts.join('\n'), ...violation(explained), ...mistakes(explained)];
}

function violation(explained: Explained): string[] {
  const { id, violation } = explained;
  if (violation === undefined)
    return [`Only generated requests show a violation: \`tck run --explore 1000 --only ${id}\`.`];
  const { defect, what, finding, exchange, chain, instead } = violation;
  const compared = comparedIn(chain);
  const { request, response, credential, problem } = exchange;
  const asked = [`${request.method} ${URL.parse(request.url)?.pathname ?? request.url}`, `as ${credential}`];
  return [
    `**Violation:** a server that ${withCode(what)}.${chain.length < 2 ? '' : ' The kit performed these steps:'}`,
    ...(chain.length < 2 ? [] : [chain.map((link, index) => `${index + 1}. ${linkText(link)}`).join('\n')]),
    fenced('http', [asked.join(' '), ...bodyLines(request.body ?? '')]),
    compared === undefined
      ? response === null
        ? fenced('text', [problem ?? 'no response'])
        : fenced('http', responseLines(response.status, response.headers, response.body))
      : fenced('diff', responseDifference(...compared, bodyShown)),
    [`- Expected: ${finding.expected}`, `- Actual: ${finding.actual}`, `- Hint: ${finding.hint}`]
      .map(withCode)
      .join('\n'),
    ...(instead === null
      ? []
      : [
          '**A conforming response** to the same request:',
          fenced('http', responseLines(instead.status, instead.headers, instead.text)),
        ]),
    '**Reproduce the violation** with one of the first two commands. The last command starts a stub with the defect:',
    fenced('sh', [exchange.curl, runOf(explained), `tck stub --defect ${defect}`]),
  ];
}

/** Words after which a name follows, unless one of the other words does. */
const announced =
  /(?<=\b(?:member|header|argument|group) )(?!(?:of|is|contains|to|named|for|that|except)\b)[A-Za-z][\w-]*/g;

/** Names with a dot or an underscore, which Markdown would format. */
const dotted = /(?<![\w`"'/.-])(?:_*[a-z]+(?:_+[a-z]+)+_*|__[a-z]+__|[a-z]+\.[a-z_]+)(?![\w`"'/-])/g;

/** Marks names as code. */
function withCode(text: string): string {
  const asCode = (name: string) => `\`${name}\``;
  return text.replace(announced, asCode).replace(dotted, asCode);
}

function mistakes({ mistakes }: Explained): string[] {
  if (mistakes.length === 0) return [];
  const shown = mistakes.slice(0, mistakesTold).map(({ what, defect }) => `- ${withCode(what)} (\`${defect}\`)`);
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

/** Code block whose fence is longer than any fence in the text. */
function fenced(language: string, lines: readonly string[]): string {
  const text = lines.join('\n');
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));
  return `${fence}${language}\n${text}\n${fence}`;
}
