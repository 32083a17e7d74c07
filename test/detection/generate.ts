import { requirements } from '../../suites/requirements.ts';
import { type DefectId, defects } from '../mutations/defects/index.ts';
import { type Detection, matrixOf } from './matrix.ts';
import { measure } from './measure.ts';

/** Every defect, ordered by topic. */
export const everyDefect = Object.keys(defects) as readonly DefectId[];

const known = new Set<string>(requirements.map(({ id }) => id));

/** Prints the requirements that fail for some defects. */
async function tell(chosen: readonly string[]): Promise<void> {
  const unknown = chosen.filter((id) => !Object.hasOwn(defects, id));
  if (unknown.length > 0) {
    console.error(`no such defect: ${unknown.join(', ')}`);
    process.exitCode = 2;
    return;
  }
  const observations = await measure(everyDefect.filter((id) => chosen.includes(id)));
  const matrix = matrixOf(observations);
  for (const { id, caughtBy, hidden } of matrix) {
    console.log(`${id}: failed ${caughtBy.join(', ') || 'nothing'}`);
    const { outcomes = {} } = observations.find(({ defect }) => defect === id) ?? {};
    const missed = caughtBy.length === 0 ? hidden : [];
    for (const requirement of missed)
      console.log(
        `  ${requirement}: ${known.has(requirement) ? (outcomes[requirement] ?? 'passed') : 'no such requirement'}`,
      );
  }
  reportWrong(matrix);
}

/** Prints the results that contradict the declarations of the defects, and makes the process fail if there are any. */
function reportWrong(matrix: readonly Detection[]): void {
  for (const { id, caughtBy, blamed, errored } of matrix) {
    const wrong = [
      caughtBy.length === blamed.length ? 'not found' : undefined,
      blamed.length > 0 ? `blamed without reason: ${blamed.join(', ')}` : undefined,
      errored.length > 0 ? `without a verdict: ${errored.join(', ')}` : undefined,
    ].filter((part) => part !== undefined);
    if (wrong.length === 0) continue;
    console.error(`${id}: ${wrong.join('; ')}`);
    process.exitCode = 1;
  }
}

// Prints the requirements that fail for the given defects. Default: all. Exits with 1 if a defect is not found.
if (import.meta.main) {
  const chosen = process.argv.slice(2);
  await tell(chosen.length > 0 ? chosen : everyDefect);
}
