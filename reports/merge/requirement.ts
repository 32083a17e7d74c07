import type { ReportedFinding, RequirementResult, RunResult } from '../../suites/result.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { worst } from '../../suites/verdict.ts';
import type { Deployment } from './deployments.ts';

/**
 * Merges the results of a requirement. Ignores runs that did not select the requirement. For each deployment, runs that
 * tested the requirement take precedence. Across deployments, the worst status wins. `not-tested` is worse than
 * `passed`.
 */
export function mergedRequirement(deployments: readonly Deployment[], id: string): RequirementResult {
  const several = deployments.length > 1;
  const outcomes = deployments.flatMap((deployment) => {
    const outcome = ofOneDeployment(deployment.runs, id);
    return outcome === undefined ? [] : [several ? named(outcome, deployment.name) : outcome];
  });
  const all = deployments.flatMap(({ runs }) => runs.map((run) => find(run, id)));
  const merged = combined(outcomes) ?? all[0];
  if (merged === undefined) throw new UsageError('there is nothing to merge');
  return all.some(({ required }) => required === true) ? { ...merged, required: true } : merged;
}

function ofOneDeployment(runs: readonly RunResult[], id: string): RequirementResult | undefined {
  const all = runs.map((run) => find(run, id)).filter(wasSelected);
  const tested = all.filter(({ status }) => status !== 'not-tested');
  return combined(tested.length > 0 ? tested : all);
}

function wasSelected({ missing = [] }: RequirementResult): boolean {
  return !missing.some(({ kind }) => kind === 'selection');
}

/** The result with the worst status, with the findings of all results, its own first. */
function combined(all: readonly RequirementResult[]): RequirementResult | undefined {
  const status = worst(all.map((each) => each.status));
  const decisive = all.find((each) => each.status === status);
  if (decisive === undefined) return undefined;
  const inOrder = [decisive, ...all.filter((each) => each !== decisive)];
  const stale = inOrder.find(({ knownFailure }) => knownFailure?.stale !== undefined)?.knownFailure;
  return {
    ...decisive,
    ...(stale === undefined ? {} : { knownFailure: stale }),
    durationMs: Math.round(inOrder.reduce((sum, { durationMs }) => sum + durationMs, 0)),
    findings: inOrder.flatMap(({ findings }) => findings),
  };
}

/** Adds the name of the deployment to the reason and the findings. */
function named(result: RequirementResult, name: string): RequirementResult {
  const at = ({ actual, ...finding }: ReportedFinding) => ({ ...finding, actual: `${name}: ${actual}` });
  return {
    ...result,
    ...(result.reason === undefined ? {} : { reason: `${name}: ${result.reason}` }),
    findings: result.findings.map(at),
  };
}

function find({ requirements }: RunResult, id: string): RequirementResult {
  const found = requirements.find((requirement) => requirement.id === id);
  if (found === undefined) throw new UsageError(`the reports list different requirements: only one of them has ${id}`);
  return found;
}
