import type { Cause } from '../suites/causes/causes.ts';
import type { ReportedFinding, RunResult } from '../suites/result.ts';
import { counted } from '../suites/usage/counted.ts';

/** Confirmed violations to fix, the most severe first. */
export function violationsOf(causes: readonly Cause[]): Cause[] {
  return causes.filter(({ status, finding }) => status === 'failed' && !isUnverified(finding));
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

/** Whether the kit could not confirm the finding, or an identical request had a different outcome. */
export function isUnverified({ unverified, varies }: ReportedFinding): boolean {
  return unverified === true || varies === true;
}

const unverifiedText =
  'Unverified: something else, such as another client, a limit or the network, could have caused this.';
const variesText = 'Unverified: the same request had other outcomes in this run, too.';

/** Remarks on a finding: what the kit noted, and why the finding is unverified. */
export function remarksOf({ note, unverified, varies }: ReportedFinding): string[] {
  return [
    ...(note === undefined ? [] : [note]),
    ...(unverified === true ? [unverifiedText] : []),
    ...(varies === true ? [variesText] : []),
  ];
}
