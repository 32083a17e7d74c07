import { type RequirementFigures, requirementFigures } from '../suites/figures.ts';
import type { RequirementResult, RunResult } from '../suites/result.ts';
import { groupFindings } from './findings.ts';
import { counted, isCritical } from './status-words.ts';

/**
 * The numbers of one run, by unit. Every form of a report takes its numbers from here. The number of requests, images
 * and content requests stands in `RunResult.summary`.
 */
export interface Figures {
  /** Requirements. `critical` counts the failed ones of a critical severity. */
  requirements: RequirementFigures & { critical: number };
  /** Findings: violations with the same cause count once. `critical` counts those of a critical failed requirement. */
  findings: { total: number; critical: number };
}

export function figuresOf({ requirements }: Pick<RunResult, 'requirements'>): Figures {
  const groups = groupFindings({ requirements });
  return {
    requirements: { ...requirementFigures(requirements), critical: requirements.filter(isCriticalFailure).length },
    findings: {
      total: groups.length,
      critical: groups.filter((group) => group.requirements.some(isCriticalFailure)).length,
    },
  };
}

function isCriticalFailure(requirement: RequirementResult): boolean {
  return requirement.status === 'failed' && isCritical(requirement);
}

/** The run in one line: what was found, and how much was tested. */
export function headlineOf(result: Pick<RunResult, 'verdict' | 'complete' | 'requirements'>): string {
  const { verdict, complete } = result;
  const tested = testedOf(result);
  if (verdict === 'non-conformant') return `Non-conformant: ${failuresOf(result)}, ${tested}`;
  if (verdict === 'inconclusive') return `Inconclusive, ${tested}`;
  return complete ? `Conformant, ${tested}` : `No violations found, ${tested}`;
}

/** `98 of 236 tested`, with the number of errored requirements if there are any. */
export function testedOf(result: Pick<RunResult, 'requirements'>): string {
  const { tested, total, errored } = figuresOf(result).requirements;
  return `${tested} of ${total} tested${errored > 0 ? `, ${errored} errored` : ''}`;
}

function failuresOf(result: Pick<RunResult, 'requirements'>): string {
  const { failed, critical, knownFailures } = figuresOf(result).requirements;
  return [
    ...(failed > 0 ? [`${counted(failed, 'requirement')} failed${criticalText(critical)}`] : []),
    ...(knownFailures > 0 ? [counted(knownFailures, 'known failure')] : []),
  ].join(', ');
}

/** `3 findings (2 critical)`. */
export function findingsTitle(result: Pick<RunResult, 'requirements'>): string {
  const { total, critical } = figuresOf(result).findings;
  return `${counted(total, 'finding')}${criticalText(critical)}`;
}

/** In parentheses, so that the number has the unit of the number before it. */
function criticalText(critical: number): string {
  return critical > 0 ? ` (${critical} critical)` : '';
}
