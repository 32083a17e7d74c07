import { writeFileSync } from 'node:fs';
import { type DefectId, defects } from '../../../stub/variants/defects/index.ts';
import { matrixOf } from './matrix.ts';
import { measure } from './measure.ts';
import { detectionPage } from './page.ts';

/** Where the page stands. */
export const pageFile = new URL('../../../docs/detection.md', import.meta.url);

/** Every defect, in the order of the topics. */
export const everyDefect = Object.keys(defects) as readonly DefectId[];

if (import.meta.main) writeFileSync(pageFile, detectionPage(matrixOf(await measure(everyDefect))));
