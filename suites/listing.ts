import type { Requirement } from '../fixtures/requirements/model.ts';
import type { Coverage } from './coverage.ts';
import { settings } from './flows/needs.ts';

/** A requirement with the flows that test it, as `tck list --json` prints it. */
export interface ListedRequirement extends Requirement {
  flows: Pick<Coverage, 'flow' | 'needs'>[];
}

/** Every requirement with its flows, in the order of the catalogue. */
export function listing(requirements: readonly Requirement[], coverage: readonly Coverage[]): ListedRequirement[] {
  return requirements.map((requirement) => ({
    ...requirement,
    flows: coverage.filter((each) => each.requirement === requirement.id).map(({ flow, needs }) => ({ flow, needs })),
  }));
}

/** The same for people: topics, under each its requirements, under each its flows and what they need. */
export function listingText(listed: readonly ListedRequirement[]): string {
  const topics = Map.groupBy(listed, ({ topic }) => topic);
  const blocks = [...topics].map(([topic, inTopic]) => [topic, ...inTopic.flatMap(requirementLines)].join('\n'));
  return `${blocks.join('\n\n')}\n\n${listed.length} requirements\n`;
}

function requirementLines({ id, level, severity, statement, source, flows }: ListedRequirement): string[] {
  return [
    `  ${id}  (${level}, ${severity})`,
    `    ${statement}`,
    `    source: ${source}`,
    ...flows.map(({ flow }) => `    flow: ${flow}`),
    `    needs: ${needsInWords(flows.map(({ needs }) => needs))}`,
  ];
}

/** What all the flows need together. */
export function needsInWords(needs: readonly Coverage['needs'][]): string {
  const parts = [
    ...new Set(needs.flatMap(({ roles }) => roles.map((role) => `key for role ${role}`))),
    ...new Set(needs.flatMap(({ effects }) => effects.map((effect) => `side effect ${effect}`))),
    ...new Set(needs.flatMap((need) => need.settings.map((setting) => settings[setting]))),
    ...(needs.some(({ time }) => time) ? ['a clock that can be advanced, or side effect waiting'] : []),
  ];
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}
