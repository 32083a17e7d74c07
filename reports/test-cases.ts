import { byTopic } from '../suites/causes/order.ts';
import { requirements } from '../suites/requirements.ts';
import { type RequirementResult, statuses } from '../suites/result.ts';
import { plain } from './plain.ts';
import { type Report, remarksOf } from './report.ts';
import { severityWords } from './status-words.ts';

/** A requirement as a test case. */
export type TestCase = ReturnType<typeof testCases>[number];

/** All requirements of a run as test cases, failures first. */
export function testCases(report: Report) {
  return report.result.requirements.toSorted(failuresFirst).map((requirement) => ({
    topic: plain(requirement.topic),
    /** Stable between runs. */
    name: plain(requirement.id),
    requirement,
    /** Why the requirement did not pass, in one line. Empty if the requirement passed. */
    message: messageOf(requirement),
    /** All findings in full. Empty if there are none. */
    detail: detailOf(requirement, report),
  }));
}

function failuresFirst(a: RequirementResult, b: RequirementResult): number {
  return statuses.indexOf(a.status) - statuses.indexOf(b.status) || byTopic(a, b);
}

function messageOf({ status, reason = '', findings }: RequirementResult): string {
  const [first, ...others] = findings;
  if (first === undefined) return plain(status === 'passed' ? '' : reason);
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return `expected ${plain(first.expected)}, got ${plain(first.actual)}${more}`;
}

function detailOf(requirement: RequirementResult, { result, causeOf }: Report): string {
  const explaining = explainCommand(requirement.id);
  const details = requirement.findings.map((finding) => {
    const cause = causeOf.get(finding);
    const again = finding.reproduce ?? result.exchanges.find(({ id }) => id === finding.exchanges[0])?.curl;
    return [
      ...(cause === undefined ? [] : [`cause:    ${plain(cause.title)}`]),
      ...(cause?.script === undefined ? [] : [`script:   ${cause.script}`]),
      `expected: ${plain(finding.expected)}`,
      `actual:   ${plain(finding.actual)}`,
      `hint:     ${plain(finding.hint, 600)}`,
      ...remarksOf(finding).map((remark) => `note:     ${plain(remark)}`),
      `rule:     ${plain(requirement.statement)} (${plain(requirement.source)})`,
      `severity: ${severityWords[cause?.severity ?? requirement.severity]}`,
      ...(finding.scenarios === undefined ? [] : [`seen in:  ${plain(finding.scenarios.join(', '), 2000)}`]),
      ...(again === undefined ? [] : [`again:    ${plain(again, 2000)}`]),
      ...(explaining === undefined ? [] : [`explain:  ${explaining}`]),
    ].join('\n');
  });
  return details.join('\n\n');
}

/** The command that explains a requirement. Undefined for a client rule. */
export function explainCommand(id: string): string | undefined {
  return requirements.some((each) => each.id === id) ? `tck explain ${id}` : undefined;
}
