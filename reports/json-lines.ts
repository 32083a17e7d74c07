import { safeJson } from './json.ts';
import { plain } from './plain.ts';
import type { Report } from './report.ts';

/**
 * `--reporter json`: one line of JSON for each cause, the most severe first, for scripts and coding agents. `again`
 * is the command that tests the causes again.
 */
export function causeLinesJson({ causes }: Report, { reportDir, again }: { reportDir: string; again: string }): string {
  const lines = causes.map(({ requirement, requirements, title, status, severity, finding, ...cause }) => ({
    id: requirement.id,
    requirements: requirements.map(({ id }) => id),
    title: plain(title),
    status,
    severity,
    expected: finding.expected,
    actual: finding.actual,
    hint: finding.hint,
    unverified: cause.isUnverified,
    curl: cause.chain.flatMap(({ exchange: { curl } }) => (curl === '' ? [] : [curl])),
    exchanges: cause.exchanges,
    ...(cause.script === undefined ? {} : { script: `${reportDir}/${cause.script}` }),
    again,
  }));
  return lines.map((line) => safeJson(line, 0)).join('');
}
