import { topics } from '../../fixtures/requirements/model.ts';
import type { Missing, ReportedExchange, ReportedFinding, RequirementResult, RunResult } from '../../suites/result.ts';
import { addedUp, conclude } from '../../suites/verdict.ts';

/** A finding about a wrong status. Findings of a topic with equal hints have equal data, and so the same cause. */
export function aFinding(over: Partial<ReportedFinding> = {}): ReportedFinding {
  return {
    at: 'exchanges',
    want: { code: over.hint ?? 'any' },
    expected: 'status 401 without a credential',
    actual: 'status 403 without a credential',
    hint: 'Answer a missing credential exactly like an unknown one, before any other rule is looked at.',
    exchanges: [1],
    ...over,
  };
}

/** A requirement with the topic of its ID. Failed if it has findings, otherwise passed. */
export function aRequirement(id: string, over: Partial<RequirementResult> = {}): RequirementResult {
  const findings = over.findings ?? [];
  return {
    id,
    topic: id.split('.')[0] ?? id,
    level: 'must',
    severity: 'contract',
    since: '0.1.0',
    statement: `The rule that ${id.replace(/[.-]/g, ' ')} names holds.`,
    source: 'Errors, boundary errors',
    status: findings.length > 0 ? 'failed' : 'passed',
    findings,
    ...over,
  };
}

/** A requirement with one finding. */
export const aFailure = (id: string, finding?: Partial<ReportedFinding>, over?: Partial<RequirementResult>) =>
  aRequirement(id, { findings: [aFinding(finding)], ...over });

/** A requirement with missing prerequisites. */
export function notTested(id: string, reason: string, missing: Missing[]): RequirementResult {
  return aRequirement(id, { status: 'not-tested', reason, missing });
}

/** An exchange of `schedule.read`. */
export function anExchange(id: number, over: Partial<ReportedExchange> = {}): ReportedExchange {
  const url = 'http://127.0.0.1:4010/api/v1/tools/schedule.read';
  return {
    id,
    tool: 'schedule.read',
    role: 'primary',
    credential: 'primary',
    atMs: id * 3,
    durationMs: 2,
    request: {
      method: 'POST',
      url,
      headers: Object.entries({ authorization: 'Bearer $TCK_KEY_PRIMARY', 'content-type': 'application/json' }),
      body: '{"workspace":"north"}',
    },
    response: {
      status: 200,
      headers: Object.entries({ 'content-type': 'application/json', 'x-service-api': 'beta' }),
      body: '{"ok":true,"week_start":"2026-03-02","days":["2026-03-02","2026-03-03"],"workspace":"north"}',
    },
    problem: null,
    curl:
      `curl -sS -X POST ${url} -H "Authorization: Bearer $TCK_KEY_PRIMARY" ` +
      `-H 'content-type: application/json' -d '{"workspace":"north"}'`,
    ...over,
  };
}

/** The result of a run with the given requirements, and the verdict and gate that follow from them. */
export function aRun(requirements: RequirementResult[], over: Partial<RunResult> = {}): RunResult {
  const { interrupted = false, trouble = [] } = over;
  const leftBehind = over.leftBehind ?? { contentRequests: [], runs: [], proposals: 0 };
  return {
    schemaVersion: 1,
    kit: { name: 'content-workspace-tck', version: '0.1.0' },
    document: { version: '1.0.0-beta', contractSha256: 'a'.repeat(64) },
    target: {
      baseUrl: 'http://127.0.0.1:4010',
      kind: 'url',
      roles: ['primary', 'ambiguous', 'otherAccount'],
      workspaces: ['north', 'south'],
      allow: ['proposals'],
      clock: false,
    },
    seed: 1,
    runId: 'run-7f3a',
    startedAt: '2026-03-02T09:00:00.000Z',
    durationMs: 812,
    ...conclude({ requirements, interrupted, trouble, counts: { ...addedUp([]), requests: 42 } }),
    notices: [],
    interrupted,
    requirements,
    outsideReach: [
      {
        id: 'authentication.revocation-closes-keys',
        statement: "Revoking the holder's membership closes the key's reach at once.",
        source: 'Authentication, 3',
        reason: 'Memberships cannot be revoked through the tools.',
      },
    ],
    observations: [
      { id: 'authentication.code', question: 'Which code has a 401?', values: ['refused'], exchanges: [1] },
      { id: 'rate-limit.cap', question: 'How many calls a minute may a key make?', values: [600], exchanges: [] },
    ],
    leftBehind,
    exchanges: [anExchange(1)],
    timeline: [{ atMs: 3, durationMs: 2, credential: 'primary', tool: 'schedule.read', status: 200 }],
    ...over,
  };
}

/** Passed requirements, evenly distributed over all topics. */
export function manyRequirements(count: number): RequirementResult[] {
  return Array.from({ length: count }, (_, index) => {
    const topic = topics[Math.floor((index * topics.length) / count)] ?? 'envelopes';
    return aRequirement(`${topic}.rule-${index}`, { topic, level: index % 9 === 8 ? 'should' : 'must' });
  });
}
