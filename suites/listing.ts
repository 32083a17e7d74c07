import type { Requirement } from '../fixtures/requirements/model.ts';
import { type Check, settings } from './check.ts';
import type { Coverage } from './coverage.ts';

/** A requirement with the checks that prove it, as `tck list --json` prints it. */
export interface ListedRequirement extends Requirement {
  checks: { title: string; needs: Check['needs'] }[];
}

/** Every requirement with its checks, in the order of the catalogue. */
export function listing(requirements: readonly Requirement[], checks: readonly Coverage[]): ListedRequirement[] {
  return requirements.map((requirement) => ({
    ...requirement,
    checks: checks
      .filter((check) => check.requirement === requirement.id)
      .map(({ title, needs }) => ({ title, needs })),
  }));
}

/** The same for people: topics, under each its requirements, under each its checks and what they need. */
export function listingText(listed: readonly ListedRequirement[]): string {
  const topics = Map.groupBy(listed, ({ topic }) => topic);
  const blocks = [...topics].map(([topic, inTopic]) => [topic, ...inTopic.flatMap(requirementLines)].join('\n'));
  const checks = listed.reduce((sum, requirement) => sum + requirement.checks.length, 0);
  return `${blocks.join('\n\n')}\n\n${listed.length} requirements, ${checks} checks\n`;
}

function requirementLines({ id, level, severity, statement, source, checks }: ListedRequirement): string[] {
  const titles = checks.filter(({ title }) => title !== statement).map(({ title }) => title);
  return [
    `  ${id}  (${level}, ${severity})`,
    `    ${statement}`,
    `    source: ${source}`,
    ...titles.map((title) => `    check: ${title}`),
    `    needs: ${needsInWords(checks.map(({ needs }) => needs))}`,
  ];
}

/** What all the checks need together. */
function needsInWords(needs: readonly Check['needs'][]): string {
  const parts = [
    ...new Set(needs.flatMap(({ roles }) => roles.map((role) => `key ${role}`))),
    ...new Set(needs.flatMap(({ effects }) => effects.map((effect) => `effect ${effect}`))),
    ...new Set(needs.flatMap((need) => need.settings.map((setting) => settings[setting]))),
    ...(needs.some(({ time }) => time) ? ['a clock that can be moved, or effect waiting'] : []),
  ];
  if (needs.length === 0) return 'nothing of its own: every answer is looked at';
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}
