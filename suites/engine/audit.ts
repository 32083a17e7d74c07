import type { RunResult } from '../result.ts';
import type { Target } from '../target.ts';
import type { AuditOptions } from './options.ts';
import { Run } from './run.ts';

/**
 * Runs the kit against a deployment. Rejects only with a `UsageError`, if a pattern selects nothing. Failures of the
 * deployment or the network are part of the result.
 */
export async function audit(target: Target, options: AuditOptions): Promise<RunResult> {
  return new Run(target, options).end();
}
