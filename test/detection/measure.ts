import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { DefectId } from '../mutations/defects/index.ts';
import type { Observation } from './observe.ts';

/**
 * Observes the stub with each defect, or without any for null, on all cores. Returns observations in the order of
 * `subjects`.
 */
export async function measure(subjects: readonly (DefectId | null)[]): Promise<Observation[]> {
  const left = [...subjects.entries()];
  const observations: Observation[] = [];
  const work = async (): Promise<void> => {
    const worker = new Worker(new URL('worker.ts', import.meta.url));
    try {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const [index, subject] = next;
        observations[index] = await ask(worker, subject);
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), subjects.length) }, work));
  return observations;
}

function ask(worker: Worker, subject: DefectId | null): Promise<Observation> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', (observation: Observation) => {
      worker.off('error', reject);
      resolve(observation);
    });
    worker.postMessage(subject);
  });
}
