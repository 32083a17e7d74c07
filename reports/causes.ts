import type { RunResult } from '../suites/result.ts';
import type { FindingGroup } from './findings.ts';
import { counted } from './status-words.ts';

/** A violation, with how much of the run it accounts for. */
export interface Cause {
  group: FindingGroup;
  /** Requirements that were not tested because this one failed. */
  blocks: number;
}

/** What to fix first: the violations in the order of the findings. Recommendations are left out. */
export function causesOf({ requirements }: Pick<RunResult, 'requirements'>, groups: readonly FindingGroup[]): Cause[] {
  const preconditions = requirements.map(({ reason = '' }) => /^precondition failed, see (\S+)$/.exec(reason)?.[1]);
  return groups
    .filter(({ status }) => status === 'failed')
    .map((group) => {
      const ids = new Set<string | undefined>(group.requirements.map(({ id }) => id));
      return { group, blocks: preconditions.filter((id) => ids.has(id)).length };
    });
}

/** `explains 6 requirements, blocks 2`; empty for a cause of its own requirement alone. */
export function weightOf({ group: { requirements }, blocks }: Cause): string {
  return [
    ...(requirements.length > 1 ? [`explains ${requirements.length} requirements`] : []),
    ...(blocks > 0 ? [`blocks ${counted(blocks, 'requirement')}`] : []),
  ].join(', ');
}

/** What ended part of the run, with the number of requirements that it left untested. */
export function obstaclesOf(result: Pick<RunResult, 'requirements' | 'trouble'>): { text: string; blocks: number }[] {
  const { requirements, trouble } = result;
  return trouble
    .map((text) => ({ text, blocks: requirements.filter(({ reason }) => reason === text).length }))
    .filter(({ blocks }) => blocks > 0);
}
