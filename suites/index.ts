import { audit as auditTarget } from './engine/audit.ts';
import type { AuditOptions as AllOptions } from './engine/options.ts';
import type { RunResult } from './result.ts';
import type { Target } from './target.ts';

export { type Requirement, requirements } from '../fixtures/requirements/index.ts';
export type { Role } from '../fixtures/roles.ts';
export type { Effect } from '../fixtures/side-effects.ts';
export type { ReportedFinding, RunEvent, RunResult, Status, Verdict } from './result.ts';
export { defineTarget, type KeyOptions, type TargetOptions } from './target/define.ts';
export type { Target } from './target.ts';
export { UsageError } from './usage/usage-error.ts';

/** What a run tests, and how; `seed` is 1 unless given. */
export type AuditOptions = Partial<
  Pick<
    AllOptions,
    | 'only'
    | 'skip'
    | 'require'
    | 'seed'
    | 'bail'
    | 'explore'
    | 'observe'
    | 'label'
    | 'maxDurationSeconds'
    | 'signal'
    | 'onEvent'
  >
>;

/**
 * Tests a deployment. Rejects only with a UsageError, for patterns that select nothing; whatever the deployment or the
 * network does ends in the result.
 */
export function audit(target: Target, options: AuditOptions = {}): Promise<RunResult> {
  return auditTarget(target, { seed: 1, ...options });
}
