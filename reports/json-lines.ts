import { causesOf } from '../suites/causes/causes.ts';
import type { RunResult } from '../suites/result.ts';
import { chainOf } from './chain.ts';
import { safeJson } from './json.ts';
import { plain } from './plain.ts';
import { scriptPath } from './script.ts';

/**
 * `--reporter json`: one line of JSON for each cause, the most severe first, for scripts and coding agents. `again`
 * is the command that tests the causes again.
 */
export function causeLinesJson(
  result: RunResult,
  { reportDir = '.', again }: { reportDir?: string; again: string },
): string {
  return causesOf(result)
    .map(({ requirement, requirements, title, status, severity, finding, exchanges }, place) => {
      const script = scriptPath(result, place);
      const curls = chainOf(finding, result.exchanges).flatMap(({ exchange: { curl } }) => (curl === '' ? [] : [curl]));
      return safeJson(
        {
          id: requirement.id,
          requirements: requirements.map(({ id }) => id),
          title: plain(title),
          status,
          severity,
          expected: finding.expected,
          actual: finding.actual,
          hint: finding.hint,
          unverified: finding.unverified === true || finding.varies === true,
          curl: curls,
          exchanges,
          ...(script === undefined ? {} : { script: `${reportDir}/${script}` }),
          again,
        },
        0,
      );
    })
    .join('');
}
