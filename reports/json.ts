import type { ReportedFinding, RunResult } from '../suites/result.ts';
import { plain } from './plain.ts';
import type { Report } from './report.ts';

/**
 * Characters that JSON does not escape, but that a terminal or a CI server can interpret. They are written as escape
 * sequences, which does not change the value.
 */
const unsafe = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]|#(?=#[a-z]*\[)/giu;

/** `report.json`: the result of a run. The bytes do not depend on the order of its lists. */
export function reportJson(report: Report): string {
  return safeJson(sorted(withCauses(report)));
}

/**
 * JSON that is safe to print: indented by two spaces, without control characters, with a final line feed. Strict
 * parsers such as jq refuse half a surrogate pair.
 */
export function safeJson(value: unknown, indent = 2): string {
  const wellFormed = (_: string, one: unknown) => (typeof one === 'string' ? one.toWellFormed() : one);
  return `${JSON.stringify(value, wellFormed, indent).replace(unsafe, escapes)}\n`;
}

/** `--reporter json`: one line of JSON for each cause, the most severe first, for scripts and coding agents. */
export function causeLinesJson({ causes }: Report, reportDir: string): string {
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
  }));
  return lines.map((line) => safeJson(line, 0)).join('');
}

/** Adds the causes, and to each finding the index of its cause. */
function withCauses({ result, causes, causeOf }: Report) {
  const placed = (finding: ReportedFinding) => {
    const cause = causeOf.get(finding);
    return cause === undefined ? finding : { ...finding, cause: cause.number - 1 };
  };
  return {
    ...result,
    causes: causes.map(({ title, severity, requirements, exchanges, script }) => ({
      title,
      severity,
      requirements: requirements.map(({ id }) => id),
      exchanges,
      ...(script === undefined ? {} : { reproduce: script }),
    })),
    requirements: result.requirements.map((each) => ({ ...each, findings: each.findings.map(placed) })),
  };
}

function sorted<Result extends RunResult>(result: Result): Result {
  return {
    ...result,
    requirements: result.requirements.toSorted(byId),
    outsideReach: result.outsideReach.toSorted(byId),
    observations: result.observations.toSorted(byId),
    exchanges: result.exchanges.toSorted((a, b) => a.id - b.id),
  };
}

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : Number(a.id > b.id));

const escapes = (character: string): string =>
  character.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
