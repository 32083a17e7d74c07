import { writeFileSync } from 'node:fs';
import { type DefectId, defects } from '../../../stub/variants/defects/index.ts';
import { matrixOf } from './matrix.ts';
import { measure } from './measure.ts';
import { detectionPage } from './page.ts';

/** Location of the page. */
export const pageFile = new URL('../../../docs/detection.md', import.meta.url);

/** Every defect, ordered by topic. */
export const everyDefect = Object.keys(defects) as readonly DefectId[];

/** Prints the requirements that fail for some defects. */
async function tell(chosen: readonly string[]): Promise<void> {
  const unknown = chosen.filter((id) => !Object.hasOwn(defects, id));
  if (unknown.length > 0) {
    console.error(`no such defect: ${unknown.join(', ')}`);
    process.exitCode = 2;
    return;
  }
  const subjects = everyDefect.filter((id) => chosen.includes(id));
  const observations = await measure(subjects);
  for (const { id, caughtBy, hidden, blamed, errored } of matrixOf(observations)) {
    console.log(`${id}: failed ${caughtBy.join(', ') || 'nothing'}`);
    const { outcomes = {} } = observations.find(({ defect }) => defect === id) ?? {};
    const missed = caughtBy.length === 0 ? hidden : [];
    for (const requirement of missed) console.log(`  ${requirement}: ${outcomes[requirement] ?? 'passed'}`);
    if (blamed.length > 0) console.log(`  blamed without reason: ${blamed.join(', ')}`);
    if (errored.length > 0) console.log(`  without a verdict: ${errored.join(', ')}`);
    if (blamed.length + errored.length > 0 || caughtBy.length === 0) process.exitCode = 1;
  }
}

if (import.meta.main) {
  const chosen = process.argv.slice(2);
  if (chosen.length > 0) await tell(chosen);
  else writeFileSync(pageFile, detectionPage(matrixOf(await measure(everyDefect))));
}
