import type { RequirementResult, RunResult } from '../../suites/result.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { worst } from '../../suites/verdict.ts';
import type { Deployment } from './deployments.ts';

/**
 * What several runs say of one requirement. A run that left it out by selection says nothing. Of the runs of one deployment those count
 * that tested it, as other keys or effects may; of several deployments the worst counts, and `not-tested` is worse than `passed`.
 */
export function mergedRequirement(deployments: readonly Deployment[], id: string): RequirementResult {
  const several = deployments.length > 1;
  const outcomes = deployments.flatMap((deployment) => {
    const outcome = ofOneDeployment(deployment.runs, id);
    return outcome === undefined ? [] : [several ? named(outcome, deployment.name) : outcome];
  });
  return combined(outcomes) ?? unselected(deployments, id);
}

function ofOneDeployment(runs: readonly RunResult[], id: string): RequirementResult | undefined {
  // Where it was not selected it has no checks at all.
  const all = runs.map((run) => find(run, id)).filter(({ checks }) => checks.length > 0);
  const tested = all.filter(({ status }) => status !== 'not-tested');
  return combined(tested.length > 0 ? tested : all);
}

/** The worst, with the checks of all, its own first. */
function combined(all: readonly RequirementResult[]): RequirementResult | undefined {
  const status = worst(all.map((each) => each.status));
  const decisive = all.find((each) => each.status === status);
  if (decisive === undefined) return undefined;
  const others = all.filter((each) => each !== decisive);
  return { ...decisive, checks: [decisive, ...others].flatMap(({ checks }) => checks) };
}

/** Says of which deployment it is. */
function named(result: RequirementResult, name: string): RequirementResult {
  return {
    ...result,
    ...(result.reason === undefined ? {} : { reason: `${name}: ${result.reason}` }),
    checks: result.checks.map((check) => ({ ...check, title: `${name}: ${check.title}` })),
  };
}

function unselected(deployments: readonly Deployment[], id: string): RequirementResult {
  const [first] = deployments.flatMap(({ runs }) => runs);
  if (first === undefined) throw new UsageError('there is nothing to merge');
  return find(first, id);
}

function find({ requirements }: RunResult, id: string): RequirementResult {
  const found = requirements.find((requirement) => requirement.id === id);
  if (found === undefined) throw new UsageError(`the reports do not know the same requirements: ${id}`);
  return found;
}
