import { exitCodes } from '../suites/exit-codes.ts';
import type { RunResult } from '../suites/result.ts';
import { isInconclusive } from '../suites/verdict.ts';

/** The exit code of a run: a gate that failed comes before questions that are open. */
export function exitCodeOfRun(result: RunResult): number {
  if (!result.gate.passed) return exitCodes.failed;
  return isInconclusive(result) ? exitCodes.inconclusive : exitCodes.ok;
}
