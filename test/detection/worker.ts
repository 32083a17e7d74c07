import { parentPort } from 'node:worker_threads';
import type { DefectId } from '../mutations/defects/index.ts';
import { observe } from './observe.ts';

// Observes the posted defects one after another.
parentPort?.on('message', async (defect: DefectId | null) => {
  parentPort?.postMessage(await observe(defect));
});
