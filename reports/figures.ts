import { type Cause, causesOf } from '../suites/causes/causes.ts';
import { type RequirementFigures, requirementFigures } from '../suites/figures.ts';
import type { RunResult } from '../suites/result.ts';
import { counted } from '../suites/usage/counted.ts';
import { isCritical } from './status-words.ts';

/**
 * The numbers of one run, by unit. All report formats use these numbers. `RunResult.summary` has the numbers of
 * requests, images and content requests.
 */
export interface Figures {
  requirements: RequirementFigures;
  /** Causes of findings. `critical` counts causes with harm beyond a broken contract. */
  causes: { total: number; critical: number };
}

export function figuresOf(result: Findings): Figures {
  const causes = causesOf(result);
  return {
    requirements: requirementFigures(result.requirements),
    causes: { total: causes.length, critical: causes.filter(isCriticalViolation).length },
  };
}

type Findings = Pick<RunResult, 'requirements' | 'exchanges'>;

function isCriticalViolation(cause: Cause): boolean {
  return cause.status === 'failed' && isCritical(cause);
}

/** The run in one line: findings and coverage. */
export function headlineOf(result: Findings & Pick<RunResult, 'verdict' | 'complete'>): string {
  const { verdict, complete } = result;
  const tested = testedOf(result);
  if (verdict === 'non-conformant') return `Non-conformant: ${failuresOf(result)}, ${tested}`;
  if (verdict === 'inconclusive') return `Inconclusive, ${tested}`;
  return verdict === 'conformant' && complete ? `Conformant, ${tested}` : `No violations found, ${tested}`;
}

/** `98 of 236 tested`, with the number of errored requirements if there are any. */
export function testedOf(result: Pick<RunResult, 'requirements'>): string {
  const { tested, total, errored } = requirementFigures(result.requirements);
  return `${tested} of ${total} tested${errored > 0 ? `, ${errored} errored` : ''}`;
}

function failuresOf(result: Findings): string {
  const { failed, knownFailures } = requirementFigures(result.requirements);
  return [
    ...(failed > 0 ? [causesTitle(result), `${counted(failed, 'requirement')} failed`] : []),
    ...(knownFailures > 0 ? [counted(knownFailures, 'known failure')] : []),
  ].join(', ');
}

/** `3 causes (2 critical)`. Parentheses make clear that the second number has the same unit. */
export function causesTitle(result: Findings): string {
  const { total, critical } = figuresOf(result).causes;
  return `${counted(total, 'cause')}${critical > 0 ? ` (${critical} critical)` : ''}`;
}
