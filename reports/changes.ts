import type { RequirementResult, RunResult, Status } from '../suites/result.ts';
import { isInconclusive } from '../suites/verdict.ts';
import { headlineOf } from './figures.ts';
import { plain } from './plain.ts';
import { statusWords } from './status-words.ts';

/** Statuses that a run found out, even if it was inconclusive. */
const decided: readonly Status[] = ['failed', 'warned', 'known-failure', 'passed'];

/** Compares each run of a deployment with the runs before it. */
export class Changes {
  #verdict: string | undefined;
  readonly #known = new Map<string, Status>();

  /**
   * Returns one line if the verdict differs from the previous run, and one for each requirement whose status differs. A
   * requirement that errored, or that an inconclusive run did not test, keeps its last status.
   */
  since(result: RunResult): string[] {
    const isWhole = !isInconclusive(result);
    const verdict = JSON.stringify([result.verdict, result.gate.passed, isWhole]);
    const lines = verdict === this.#verdict ? [] : [verdictLine(result)];
    this.#verdict = verdict;
    for (const requirement of result.requirements) {
      const { id, status } = requirement;
      if (!decided.includes(status) && !(isWhole && status === 'not-tested')) continue;
      const before = this.#known.get(id);
      this.#known.set(id, status);
      if (before !== undefined && before !== status) lines.push(changeLine(requirement, before));
    }
    return lines;
  }
}

function verdictLine(result: RunResult): string {
  const [reason] = isInconclusive(result) ? result.trouble : [];
  return plain(reason === undefined ? headlineOf(result) : `${headlineOf(result)}: ${reason}`);
}

function changeLine({ id, status, reason, findings: [finding] }: RequirementResult, before: Status): string {
  const detail = finding === undefined ? reason : `expected ${finding.expected}, got ${finding.actual}`;
  const { sign, word } = statusWords[status];
  const change = `${sign} ${id}: ${word}, was ${statusWords[before].word}`;
  return plain(detail === undefined ? change : `${change}: ${detail}`);
}
