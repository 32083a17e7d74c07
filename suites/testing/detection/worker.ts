import { parentPort } from 'node:worker_threads';
import type { DefectId } from '../../../stub/variants/defects/index.ts';
import { observe } from './observe.ts';

// Observes one defect after the other, as they are posted.
parentPort?.on('message', async (defect: DefectId | null) => {
  parentPort?.postMessage(await observe(defect));
});
