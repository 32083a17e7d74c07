import type { RunResult } from '../suites/result.ts';
import type { FindingGroup } from './findings.ts';
import { counted } from './status-words.ts';

/** A finding, with how much of the run it accounts for. */
export interface Cause {
  group: FindingGroup;
  /** Requirements that were not tested because this one failed. */
  blocks: number;
}

/** What findings account for, in their order. */
export function causesOf({ requirements }: Pick<RunResult, 'requirements'>, groups: readonly FindingGroup[]): Cause[] {
  const preconditions = requirements.map(({ reason = '' }) => /^precondition not met, see (\S+)$/.exec(reason)?.[1]);
  return groups.map((group) => {
    const ids = new Set<string | undefined>(group.requirements.map(({ id }) => id));
    return { group, blocks: preconditions.filter((id) => ids.has(id)).length };
  });
}

/** What to fix first: the violations, the most severe first. */
export function violationsOf(causes: readonly Cause[]): Cause[] {
  return causes.filter(({ group }) => group.status === 'failed');
}

/** `explains 6 requirements, blocks 2`; empty for a cause of its own requirement alone. */
export function weightOf({ group: { requirements }, blocks }: Cause): string {
  return [
    ...(requirements.length > 1 ? [`explains ${requirements.length} requirements`] : []),
    ...(blocks > 0 ? [`blocks ${counted(blocks, 'requirement')}`] : []),
  ].join(', ');
}

/** Why the run shows no more than it does; of what ended part of it, with the number of requirements left untested. */
export function openReasonsOf({ verdict, reasons, trouble, requirements }: RunResult): string[] {
  // Violations stand beside this as findings.
  const open = verdict === 'non-conformant' ? trouble : reasons;
  return open.map((text) => {
    const blocked = requirements.filter(({ reason }) => reason === text).length;
    return blocked === 0 ? text : `${counted(blocked, 'requirement was', 'requirements were')} not tested: ${text}`;
  });
}
