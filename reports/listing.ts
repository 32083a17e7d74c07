import type { Requirement } from '../fixtures/requirements/model.ts';
import type { Coverage } from '../suites/requirements.ts';
import { settings } from '../suites/topics/needs.ts';

/** A requirement with the stories that test it, as `tck list --json` prints it. */
export interface ListedRequirement extends Requirement {
  stories: Pick<Coverage, 'story' | 'needs'>[];
}

/** Adds its stories to each requirement. Keeps the order of the requirements. */
export function listing(requirements: readonly Requirement[], coverage: readonly Coverage[]): ListedRequirement[] {
  return requirements.map((requirement) => ({
    ...requirement,
    stories: coverage.filter((row) => row.requirement === requirement.id).map(({ story, needs }) => ({ story, needs })),
  }));
}

/** Describes the combined needs of several stories. */
export function needsInWords(needs: readonly Coverage['needs'][]): string {
  const parts = [
    ...new Set(needs.flatMap(({ roles }) => roles.map((role) => `a key for the role '${role}'`))),
    ...new Set(needs.flatMap(({ effects }) => effects.map((effect) => `permission for the side effect '${effect}'`))),
    ...new Set(needs.flatMap((need) => need.settings.map((setting) => settings[setting]))),
    ...(needs.some(({ time }) => time)
      ? ["a clock that can be advanced, or permission for the side effect 'waiting'"]
      : []),
  ];
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}
