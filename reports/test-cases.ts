import type { ReportedExchange, ReportedFinding, RequirementResult, RunResult } from '../suites/result.ts';
import { explainedBy } from './catalogue-place.ts';
import { byTopic } from './findings.ts';
import { plain } from './plain.ts';
import { severityWords } from './status-words.ts';

/** A requirement as the readers of test reports know it. */
export interface TestCase {
  topic: string;
  /** The id of the requirement, the same on every run. */
  name: string;
  requirement: RequirementResult;
  /** One line that says why it did not pass; empty where it did. */
  message: string;
  /** The findings in full; empty where there are none. */
  detail: string;
}

/** Every requirement of a run as a test case. */
export function testCases(result: RunResult): TestCase[] {
  const exchanges = new Map(result.exchanges.map((exchange) => [exchange.id, exchange]));
  return result.requirements.toSorted(byTopic).map((requirement) => ({
    topic: plain(requirement.topic),
    name: plain(requirement.id),
    requirement,
    message: messageOf(requirement),
    detail: requirement.findings.map((finding) => detailOf(requirement, finding, exchanges)).join('\n\n'),
  }));
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
): string {
  const [id] = finding.exchanges;
  const again = finding.reproduce ?? (id === undefined ? undefined : exchanges.get(id)?.curl);
  return [
    `expected: ${plain(finding.expected)}`,
    `actual:   ${plain(finding.actual)}`,
    `hint:     ${plain(finding.hint, 600)}`,
    `rule:     ${plain(requirement.statement)} (${plain(requirement.source)})`,
    `severity: ${severityWords[requirement.severity]}`,
    ...(finding.scenarios === undefined ? [] : [`seen in:  ${plain(finding.scenarios.join(', '), 2000)}`]),
    ...(again === undefined ? [] : [`again:    ${plain(again, 2000)}`]),
    ...explainedBy(requirement.id).map((place) => `explain:  ${place}`),
  ].join('\n');
}
