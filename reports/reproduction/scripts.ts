import { type Cause, causesOf } from '../../suites/causes/causes.ts';
import type { RunResult } from '../../suites/result.ts';
import { scriptFolder } from '../folder.ts';
import { reproduction } from './script.ts';

/** Scripts of all causes by path, numbered from 1 in the order of the causes. */
export function scriptsOf(result: RunResult): Record<string, string> {
  const { exchanges, target } = result;
  const scripts = causesOf(result).flatMap((cause, place) => {
    const path = scriptPath(cause, place);
    if (path === undefined) return [];
    const { title } = cause;
    const requirements = cause.requirements.map(({ id }) => id);
    const findings = [...new Set([cause.finding, ...cause.findings])];
    return [[path, reproduction({ title, requirements, findings, exchanges, target }).script]];
  });
  return Object.fromEntries(scripts);
}

/** Path of the script for a cause. Undefined if no story of the kit found the cause. `place` is its index. */
export function scriptPath({ findings }: Pick<Cause, 'findings'>, place: number): string | undefined {
  return findings.some(({ story }) => story !== undefined) ? `${scriptFolder}/${place + 1}.sh` : undefined;
}
