import type { Requirement } from '../fixtures/requirements/model.ts';
import type { Rule } from './expectations/rule.ts';
import { checkedStories } from './own-stories/check.ts';
import { guardedRule } from './own-stories/guarded-rule.ts';
import { requirements } from './requirements.ts';
import { rules, stories } from './topics/index.ts';
import type { Story } from './topics/story.ts';

/** What a run can test: the stories of the kit, and those that a team wrote. */
export interface Catalogue {
  readonly stories: readonly Story[];
  readonly rules: readonly Rule[];
  /** By topic, as in the specification; those of a team come last. */
  readonly requirements: readonly Requirement[];
}

export const kitCatalogue: Catalogue = { stories, rules, requirements };

/** The catalogue of the kit with the stories of a team. Throws a UsageError for an invalid story. */
export function catalogueWith(own: readonly Story[]): Catalogue {
  if (own.length === 0) return kitCatalogue;
  const added = checkedStories(own, kitCatalogue).map((one): Story => {
    const { origin } = one;
    return { ...one, requirements: one.requirements.map((each) => guardedRule(each, origin)) };
  });
  const ownRules = added.flatMap((one) => one.requirements);
  return {
    stories: [...stories, ...added],
    rules: [...rules, ...ownRules],
    requirements: [...requirements, ...ownRules.map(({ requirement }) => requirement)],
  };
}
