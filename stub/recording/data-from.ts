import { parseData, type WorldData } from '../world/data.ts';
import { createWorld } from '../world/world.ts';
import { deriveData } from './derive.ts';
import { readExchanges } from './exchanges.ts';
import { replay } from './replay.ts';
import { summaryOf } from './summary.ts';

/** Data of a sandbox from a recording. */
export interface RecordedData {
  readonly data: WorldData;
  /** What the sandbox has of the recording, and what it does not reproduce. */
  readonly summary: string;
}

/**
 * Derives the data of a sandbox from a HAR file, a `report.json` or a journal of the stub, without its secrets. Sends
 * the recorded requests to a stub in memory, to find what it does not reproduce. Rejects with a UsageError if the file
 * is not a recording, or has no request to a tool.
 * @param seed seed of everything that the recording does not show
 */
export async function dataFrom(path: string, seed = 1): Promise<RecordedData> {
  const traffic = await readExchanges(path);
  const derived = deriveData(traffic.exchanges);
  const data = parseData(derived.data);
  // Validates members that depend on each other.
  createWorld(seed, undefined, { data });
  return { data, summary: summaryOf(path, traffic, derived, replay(traffic.exchanges, derived, seed)) };
}
