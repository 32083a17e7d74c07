import type { CheckResult, ReportedExchange, RequirementResult, RunResult, Status } from '../suites/result.ts';
import { byTopic } from './findings.ts';
import { plain } from './plain.ts';

/** A check as the readers of test reports know it. */
export interface TestCase {
  topic: string;
  /** `requirement: check`, unique within a run. */
  name: string;
  requirement: RequirementResult;
  status: Status;
  durationMs: number;
  /** One line that says why it did not pass; empty where it did. */
  message: string;
  /** The findings in full; empty where there are none. */
  detail: string;
}

/** Every check of a run as a test case; a requirement without checks is one too, so that nothing is lost. */
export function testCases(result: RunResult): TestCase[] {
  const exchanges = new Map(result.exchanges.map((exchange) => [exchange.id, exchange]));
  const seen = new Map<string, number>();
  return result.requirements.toSorted(byTopic).flatMap((requirement) => {
    const checks = requirement.checks.length > 0 ? requirement.checks : [withoutChecks(requirement)];
    return checks.map((check) => {
      const name = `${plain(requirement.id)}: ${plain(check.title, 200)}`;
      const times = (seen.get(name) ?? 0) + 1;
      seen.set(name, times);
      return {
        topic: plain(requirement.topic),
        name: times === 1 ? name : `${name} (${times})`,
        requirement,
        status: check.status,
        durationMs: Math.max(0, check.durationMs),
        message: messageOf(check, requirement.reason),
        detail: check.findings.map((finding) => detailOf(requirement, finding, exchanges)).join('\n\n'),
      };
    });
  });
}

function withoutChecks({ statement, status, reason }: RequirementResult): CheckResult {
  return { title: statement, status, ...(reason === undefined ? {} : { reason }), durationMs: 0, findings: [] };
}

function messageOf(check: CheckResult, reason = ''): string {
  const [first] = check.findings;
  if (first === undefined) return plain(check.status === 'passed' ? '' : (check.reason ?? reason));
  const others = check.findings.length > 1 ? ` (and ${check.findings.length - 1} more)` : '';
  return `expected ${plain(first.expected)}, got ${plain(first.actual)}${others}`;
}

function detailOf(
  requirement: RequirementResult,
  finding: CheckResult['findings'][number],
  exchanges: ReadonlyMap<number, ReportedExchange>,
): string {
  const [id] = finding.exchanges;
  const curl = id === undefined ? undefined : exchanges.get(id)?.curl;
  return [
    `expected: ${plain(finding.expected)}`,
    `actual:   ${plain(finding.actual)}`,
    `hint:     ${plain(finding.hint, 600)}`,
    `rule:     ${plain(requirement.statement)} (${plain(requirement.source)})`,
    ...(curl === undefined ? [] : [`again:    ${plain(curl, 2000)}`]),
  ].join('\n');
}
