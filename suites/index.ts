import { audit as auditTarget } from './engine/audit.ts';
import type { AuditOptions as AllOptions } from './engine/options.ts';
import type { RunResult } from './result.ts';
import type { Target } from './target/target.ts';

export type { Requirement } from '../fixtures/requirements/model.ts';
export type { Role } from '../fixtures/roles.ts';
export type { Effect } from '../fixtures/side-effects.ts';
export { requirements } from './requirements.ts';
export type { ReportedFinding, RunEvent, RunResult, Status, Verdict } from './result.ts';
export { defineTarget, type KeyOptions, type TargetOptions } from './target/define.ts';
export type { Target } from './target/target.ts';
export { UsageError } from './usage/usage-error.ts';

/** Options of a run. `seed` defaults to 1. */
export type AuditOptions = Partial<Omit<AllOptions, 'shuffle' | 'verbose' | 'onHistory' | 'startedAt' | 'timer'>>;

/**
 * Tests a deployment. Rejects only with a UsageError, if a pattern matches nothing. The result
 * reports all problems of the deployment and the network.
 */
export async function audit(target: Target, options: AuditOptions = {}): Promise<RunResult> {
  return auditTarget(target, { seed: 1, ...options });
}
