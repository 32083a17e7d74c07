import { withoutNumbers } from '../suites/causes/likeness.ts';
import { byTopic } from '../suites/causes/order.ts';
import type { RequirementResult, RunResult } from '../suites/result.ts';

/** Requirements without a result, grouped by reason. */
export interface ErroredGroup {
  reason: string;
  requirements: string[];
  /** IDs of exchanges that show the reason. */
  exchanges: number[];
}

/** Groups errored requirements by reason. Reasons that differ only in numbers, tools and keys count as one. */
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

/** A reason ends with the tool and the key of the request. */
function withoutPlace(reason: string): string {
  return reason.replace(/ \([^()]*\)$/, '');
}

function reasonOf({ reason }: RequirementResult): string {
  return reason ?? 'the report does not say why';
}
