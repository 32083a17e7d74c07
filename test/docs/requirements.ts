import { writeFileSync } from 'node:fs';
import { tools } from '../../fixtures/contract/tools.ts';
import { topics, topicTitles } from '../../fixtures/requirements/model.ts';
import { needs } from '../../fixtures/requirements/needs.generated.ts';
import type { Need } from '../../fixtures/side-effects.ts';
import { type ListedRequirement, listing } from '../../reports/listing.ts';
import { coverage, requirements } from '../../suites/requirements.ts';

/** Location of the generated page. */
export const requirementsFile = new URL('../../docs/requirements.md', import.meta.url);

const rulings = [...new Set(requirements.flatMap(({ ruling }) => ruling ?? []))];

/** Page with all requirements: a table for each topic, and the rulings. */
export function requirementsPage(): string {
  const listed = listing(requirements, coverage);
  return [
    '# Requirements',
    '',
    `The kit derives these ${requirements.length} requirements from the specification. \`tck explain ID\` shows what`,
    'the kit sends, a violation, and a conforming response. `npm run generate:requirements` writes this page.',
    '',
    '- *Needs* lists what a requirement cannot be tested without: keys other than `primary`, side effects, members of',
    '  the configuration, and `time`: a clock that can be advanced, or the side effect `waiting`.',
    '- Numbers in parentheses after a statement refer to the [rulings](#rulings).',
    '- Requirements marked *should* are advice: a violation is a warning.',
    '',
    ...topics.flatMap((topic) => table(topic, listed)),
    '## Rulings',
    '',
    'The rulings say how the kit reads the specification if its text leaves room.',
    '',
    ...rulings.map((ruling, index) => `${index + 1}. ${ruling}`),
    '',
  ].join('\n');
}

/** Headings of topics. */
const headings: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.values(tools).map(({ topic, tag }) => [topic, tag])),
  ...topicTitles,
};

function table(topic: string, listed: readonly ListedRequirement[]): string[] {
  return [
    `## ${headings[topic]}`,
    '',
    '| ID | Statement | Source | Needs |',
    '|---|---|---|---|',
    ...listed.filter((each) => each.topic === topic).map(row),
    '',
  ];
}

function row({ id, level, statement, source, ruling }: ListedRequirement): string {
  const note = ruling === undefined ? '' : ` (${rulings.indexOf(ruling) + 1})`;
  const advice = level === 'should' ? ' *should*' : '';
  return `| \`${id}\`${advice} | ${statement}${note} | ${source} | ${(needs[id] ?? []).map(wordsOf).join(', ')} |`;
}

const wordsOf = (need: Need): string => {
  if (need.kind === 'clock') return '`time`';
  if (need.kind === 'role') return [need.role, ...(need.or ?? [])].map((role) => `\`${role}\``).join(' or ');
  return `\`${need.kind === 'effect' ? need.effect : need.setting}\``;
};

if (import.meta.main) writeFileSync(requirementsFile, requirementsPage());
