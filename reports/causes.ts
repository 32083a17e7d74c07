import type { Cause } from '../suites/causes/causes.ts';
import type { RunResult } from '../suites/result.ts';
import { counted } from './status-words.ts';

/** Violations to fix, the most severe first. */
export function violationsOf(causes: readonly Cause[]): Cause[] {
  return causes.filter(({ status }) => status === 'failed');
}

/** `explains 6 requirements, blocks 2 requirements`. Empty if the cause affects only its own requirement. */
export function weightOf({ requirements, blocks }: Cause): string {
  return [
    ...(requirements.length > 1 ? [`explains ${requirements.length} requirements`] : []),
    ...(blocks > 0 ? [`blocks ${counted(blocks, 'requirement')}`] : []),
  ].join(', ');
}

/** Reasons for missing results. A reason that stopped part of the run includes the number of untested requirements. */
export function openReasonsOf({ verdict, reasons, trouble, requirements }: RunResult): string[] {
  // Violations are listed as findings.
  const open = verdict === 'non-conformant' ? trouble : reasons;
  return open.map((text) => {
    const blocked = requirements.filter(({ reason }) => reason === text).length;
    return blocked === 0 ? text : `${counted(blocked, 'requirement was', 'requirements were')} not tested: ${text}`;
  });
}
