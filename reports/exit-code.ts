import { exitCodes } from '../suites/exit-codes.ts';
import type { RunResult } from '../suites/result.ts';
import { isInconclusive } from '../suites/verdict.ts';

/** Exit code of a run. A failed gate takes precedence over open questions. */
export function exitCodeOfRun(result: RunResult): number {
  if (!result.gate.passed) return exitCodes.failed;
  return isInconclusive(result) ? exitCodes.inconclusive : exitCodes.ok;
}
