import { createStub } from '../stub/index.ts';
import { audit } from '../suites/engine/audit.ts';
import type { History } from '../suites/exchange/history.ts';
import { combineDefects, type DefectId } from './mutations/defects/index.ts';
import { skippingTimer } from './skipping-timer.ts';
import { inProcess } from './stub-target.ts';

const known = new Map<string, Promise<History>>();

/**
 * Returns the history of a run against the stub, optionally with a defect and generated requests. All tests of a worker
 * share it.
 */
export function historyOf(defect?: DefectId, seed = 1, explore = 0): Promise<History> {
  const name = `${defect} ${seed} ${explore}`;
  const history = known.get(name) ?? recorded(defect, seed, explore);
  known.set(name, history);
  return history;
}

async function recorded(defect: DefectId | undefined, seed: number, explore: number): Promise<History> {
  const histories: History[] = [];
  const stub = createStub({ seed, ...(defect === undefined ? {} : { deviation: combineDefects([defect]) }) });
  await audit(inProcess(stub, { shape: '1:1' }), {
    seed,
    observe: false,
    explore,
    timer: skippingTimer(() => undefined),
    onHistory: (history) => histories.push(history),
  });
  const [history] = histories;
  if (history === undefined) throw new Error('the run gave no history');
  return history;
}

/** Returns a seeded generator of numbers from 0 to 1 (Mulberry32). */
export function mulberry(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
