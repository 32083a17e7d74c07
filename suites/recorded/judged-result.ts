import { type ClientRuleId, clientRules } from '../../fixtures/client-rules.ts';
import { contractSha256, documentVersion } from '../../fixtures/contract/describe.ts';
import { firstVersion } from '../../fixtures/requirements/model.ts';
import { kit } from '../kit.ts';
import type { RequirementResult, RunResult } from '../result.ts';
import { addedUp, conclude } from '../verdict.ts';

/** Facts about judged traffic that the kit did not send. */
interface Facts extends Pick<RunResult, 'requirements' | 'seed' | 'runId' | 'durationMs' | 'interrupted'> {
  readonly target: Pick<RunResult['target'], 'baseUrl' | 'kind' | 'clock'> & Partial<RunResult['target']>;
  readonly startedAt: Date;
  readonly requests: number;
  readonly notices: readonly string[];
  readonly trouble: readonly string[];
}

/** Returns these facts as the result of a run, without exchanges. */
export function judgedResult({ target, startedAt, requests, notices, trouble, ...facts }: Facts): RunResult {
  const { requirements, interrupted } = facts;
  const counts = { ...addedUp([]), requests };
  return {
    schemaVersion: 1,
    kit: { ...kit },
    document: { version: documentVersion, contractSha256 },
    target: { roles: [], workspaces: [], allow: [], ...target },
    startedAt: startedAt.toISOString(),
    notices: [...notices],
    ...facts,
    ...conclude({ requirements, interrupted, trouble, counts }),
    outsideReach: [],
    observations: [],
    leftBehind: { contentRequests: [], runs: [], proposals: 0 },
    exchanges: [],
    timeline: [],
  };
}

/** Returns a client rule in the form of a requirement. */
export function clientRequirement(id: ClientRuleId): Omit<RequirementResult, 'status' | 'findings'> {
  const { topic, level, severity, statement, source } = clientRules[id];
  return { id, topic, level, severity, since: firstVersion, statement, source, durationMs: 0 };
}
