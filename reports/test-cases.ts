import { type Cause, causesOf } from '../suites/causes/causes.ts';
import { byTopic } from '../suites/causes/order.ts';
import {
  type ReportedExchange,
  type ReportedFinding,
  type RequirementResult,
  type RunResult,
  statuses,
} from '../suites/result.ts';
import { explainedBy } from './catalogue-place.ts';
import { remarksOf } from './causes.ts';
import { plain } from './plain.ts';
import { scriptPath } from './script.ts';
import { severityWords } from './status-words.ts';

/** A requirement as a test case. */
export interface TestCase {
  topic: string;
  /** Requirement ID, stable between runs. */
  name: string;
  requirement: RequirementResult;
  /** Why the requirement did not pass, in one line. Empty if the requirement passed. */
  message: string;
  /** Titles of causes, the most severe first. */
  causes: string[];
  /** All findings in full. Empty if there are none. */
  detail: string;
}

/** All requirements of a run as test cases, failures first. */
export function testCases(result: RunResult): TestCase[] {
  const exchanges = new Map(result.exchanges.map((exchange) => [exchange.id, exchange]));
  const causes = causesOf(result);
  return result.requirements.toSorted(failuresFirst).map((requirement) => ({
    topic: plain(requirement.topic),
    name: plain(requirement.id),
    requirement,
    causes: titlesOf(requirement, causes),
    message: messageOf(requirement),
    detail: requirement.findings
      .map((finding) => detailOf(requirement, finding, exchanges, causes, result))
      .join('\n\n'),
  }));
}

function failuresFirst(a: RequirementResult, b: RequirementResult): number {
  return statuses.indexOf(a.status) - statuses.indexOf(b.status) || byTopic(a, b);
}

function titlesOf({ findings }: Pick<RequirementResult, 'findings'>, causes: readonly Cause[]): string[] {
  const own = causes.filter((cause) => cause.findings.some((finding) => findings.includes(finding)));
  return own.map(({ title }) => plain(title));
}

/** Script paths relative to the report, in the order of the causes. */
function scriptsOf(finding: ReportedFinding, causes: readonly Cause[], result: RunResult): string[] {
  return causes.flatMap((cause, place) => {
    const path = cause.findings.includes(finding) ? scriptPath(result, place) : undefined;
    return path === undefined ? [] : [path];
  });
}

function messageOf({ status, reason = '', findings }: RequirementResult): string {
  const [first, ...others] = findings;
  if (first === undefined) return plain(status === 'passed' ? '' : reason);
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return `expected ${plain(first.expected)}, got ${plain(first.actual)}${more}`;
}

function detailOf(
  requirement: RequirementResult,
  finding: ReportedFinding,
  exchanges: ReadonlyMap<number, ReportedExchange>,
  causes: readonly Cause[],
  result: RunResult,
): string {
  const [id] = finding.exchanges;
  const severity = causes.find((cause) => cause.findings.includes(finding))?.severity ?? requirement.severity;
  const again = finding.reproduce ?? (id === undefined ? undefined : exchanges.get(id)?.curl);
  return [
    ...titlesOf({ findings: [finding] }, causes).map((title) => `cause:    ${title}`),
    ...scriptsOf(finding, causes, result).map((path) => `script:   ${path}`),
    `expected: ${plain(finding.expected)}`,
    `actual:   ${plain(finding.actual)}`,
    `hint:     ${plain(finding.hint, 600)}`,
    ...remarksOf(finding).map((remark) => `note:     ${plain(remark)}`),
    `rule:     ${plain(requirement.statement)} (${plain(requirement.source)})`,
    `severity: ${severityWords[severity]}`,
    ...(finding.scenarios === undefined ? [] : [`seen in:  ${plain(finding.scenarios.join(', '), 2000)}`]),
    ...(again === undefined ? [] : [`again:    ${plain(again, 2000)}`]),
    ...explainedBy(requirement.id).map((place) => `explain:  ${place}`),
  ].join('\n');
}
