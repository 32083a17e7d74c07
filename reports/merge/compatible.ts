import type { RunResult } from '../../suites/result.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { deploymentName } from '../status-words.ts';

/**
 * Throws a UsageError if results cannot be merged: duplicates of a run, different versions of the specification, or
 * different requirements. Returns notices for readers of the merged report.
 */
export function assertCompatible(runs: readonly RunResult[]): string[] {
  const [first, ...others] = runs;
  if (first === undefined) throw new UsageError('there is nothing to merge');
  const seen = new Set<string>();
  for (const { runId, startedAt, target, shard } of runs) {
    const part = shard === undefined ? '' : `, shard ${shard.index}`;
    const run = `${runId} of ${startedAt} at ${deploymentName(target)}${part}`;
    if (seen.has(run)) throw new UsageError(`the report of a run is listed twice: ${run}`);
    seen.add(run);
  }
  const ids = new Set(first.requirements.map(({ id }) => id));
  for (const { document, requirements } of others) {
    if (document.contractSha256 !== first.document.contractSha256) {
      const both = [first.document, document].map((each) => `${each.version}, ${each.contractSha256.slice(0, 12)}`);
      throw new UsageError(`the reports are about different versions of the specification (${both.join('; ')})`);
    }
    const own = new Set(requirements.map(({ id }) => id));
    const odd = [...ids, ...own].find((id) => !(ids.has(id) && own.has(id)));
    if (odd === undefined) continue;
    throw new UsageError(`the reports list different requirements: only one of them has ${odd}`);
  }
  const versions = [...new Set(runs.map(({ kit }) => `${kit.name} ${kit.version}`))];
  return versions.length === 1 ? [] : [`different versions of the kit made the reports: ${versions.join(', ')}`];
}
