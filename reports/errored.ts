import type { RequirementResult, RunResult } from '../suites/result.ts';
import { byTopic } from './findings.ts';
import { withoutNumbers } from './likeness.ts';

/** Requirements of which could not be told whether they are kept, for one reason. */
export interface ErroredGroup {
  reason: string;
  requirements: string[];
  /** Exchanges that show why, by id. */
  exchanges: number[];
}

/** What could not be told, by reason; reasons that differ in numbers, tools and keys only are one. */
export function erroredGroups(result: RunResult): ErroredGroup[] {
  const errored = result.requirements.filter(({ status }) => status === 'errored').toSorted(byTopic);
  const groups = Map.groupBy(errored, (requirement) => withoutNumbers(withoutPlace(reasonOf(requirement))));
  return [...groups.values()].flatMap((requirements) => {
    const [first] = requirements;
    if (first === undefined) return [];
    return [
      {
        reason: reasonOf(first),
        requirements: requirements.map(({ id }) => id),
        exchanges: [...new Set(requirements.flatMap(({ exchanges = [] }) => exchanges))].sort((a, b) => a - b),
      },
    ];
  });
}

/** A reason ends in the tool and the key that it was met with. */
function withoutPlace(reason: string): string {
  return reason.replace(/ \([^()]*\)$/, '');
}

function reasonOf({ reason }: RequirementResult): string {
  return reason ?? 'the report does not say why';
}
