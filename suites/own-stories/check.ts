import { clientRules } from '../../fixtures/client-rules.ts';
import { openQuestions } from '../../fixtures/open-questions.ts';
import { levels, severities, topics } from '../../fixtures/requirements/model.ts';
import type { Rule } from '../expectations/rule.ts';
import { topicOf } from '../ids-summary.ts';
import { isRecord } from '../json.ts';
import type { Story } from '../topics/story.ts';
import { UsageError } from '../usage/usage-error.ts';

/** A story of a team, and the text that names its place in errors. */
type OwnStory = Story & { readonly origin: string };

interface Known {
  readonly stories: readonly Story[];
  readonly rules: readonly Rule[];
}

/** The prefixes of the kit, which no ID of a team may have. `all` is a word of `--require`. */
const reserved: ReadonlySet<string> = new Set([
  'all',
  ...topics,
  ...[...Object.keys(clientRules), ...openQuestions.map(({ id }) => id)].map(topicOf),
]);

const idForm = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)+$/;

/** Checks what types cannot, or what plain JavaScript does not. Throws a UsageError that names the file. */
export function checkedStories(own: readonly Story[], kit: Known): OwnStory[] {
  const stories = [...new Set(own)].map((one): OwnStory => ({ ...one, origin: one.origin ?? 'stories' }));
  const names = new Map(kit.stories.map(({ name }) => [name, 'the kit']));
  const ids = new Map<string, string>();
  for (const { origin, name, requirements, witnesses } of stories) {
    const refuse = (problem: string): never => {
      throw new UsageError(`${origin}: story '${name}': ${problem}`);
    };
    const other = names.get(name);
    if (other !== undefined) refuse(`another story of ${other} has this name. Rename one of them.`);
    names.set(name, origin);
    if (name === '' || name.includes(':')) refuse('expected a name without colons.');
    if (witnesses.length === 0) refuse('expected at least one rule in `requirements`.');
    for (const [index, rule] of requirements.entries()) {
      if (!isRule(rule)) refuse(`requirements[${index}] is not a rule. Wrap it: rule(must(…), { applies, expect }).`);
      const { id } = rule;
      const problem = problemOf(rule);
      if (problem !== undefined) refuse(problem);
      const first = ids.get(id);
      if (first !== undefined) refuse(`'${id}' is defined twice, first in ${first}. Rename one of them.`);
      ids.set(id, origin);
    }
  }
  const known = new Set<string>([...kit.rules.map(({ id }) => id), ...ids.keys()]);
  for (const { origin, name, witnesses } of stories) {
    const unknown = witnesses.find((id) => !known.has(id));
    if (unknown === undefined) continue;
    throw new UsageError(`${origin}: story '${name}': alsoTests: there is no requirement '${unknown}'.`);
  }
  return stories;
}

function isRule(rule: unknown): rule is Rule {
  return (
    isRecord(rule) &&
    typeof rule.applies === 'function' &&
    typeof rule.expect === 'function' &&
    isRecord(rule.requirement) &&
    rule.requirement.id === rule.id
  );
}

/** Why a text cannot be the ID of a team's requirement. Undefined if it can. */
export function problemOfId(id: string): string | undefined {
  const prefix = topicOf(id);
  if (!idForm.test(id)) {
    return `'${id}' is not an ID. Expected a prefix and a name in lower case, such as acme.request-id.`;
  }
  if (reserved.has(prefix)) {
    return `'${id}': the kit uses the prefix '${prefix}'. Start the ID with a prefix of your team: acme.request-id.`;
  }
  return undefined;
}

function problemOf({ id, requirement }: Rule): string | undefined {
  const problem = problemOfId(id);
  if (problem !== undefined) return problem;
  const prefix = topicOf(id);
  if (requirement.topic !== prefix) return `'${id}': expected the topic '${prefix}'.`;
  if (!severities.includes(requirement.severity)) return `'${id}': expected a severity: ${severities.join(', ')}.`;
  if (!levels.includes(requirement.level)) return `'${id}': expected a level: ${levels.join(' or ')}.`;
  for (const member of ['statement', 'source'] as const) {
    const value: unknown = requirement[member];
    if (typeof value !== 'string' || value.trim() === '') return `'${id}': ${member}: expected a text.`;
  }
  return undefined;
}
