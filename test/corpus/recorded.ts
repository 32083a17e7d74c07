import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { History } from '../../suites/exchange/history.ts';

/** Ignored by version control: histories are large, and `record.ts` makes them again. */
export const folder = new URL('histories/', import.meta.url);

export interface Recorded {
  readonly name: string;
  /** Requirements, each of which may catch the deviation; none for a conforming server. */
  readonly breaks: readonly string[];
  /** Requirements that the run found broken, with the repetitions that a recording lacks. */
  readonly caught: readonly string[];
  readonly history: History;
}

/** Yields one recording at a time, because all of them together do not fit into memory. */
export function* recordings(prefix: string): Generator<Recorded> {
  for (const file of readdirSync(folder).toSorted()) {
    if (!file.startsWith(prefix) || !file.endsWith('.json.gz')) continue;
    yield JSON.parse(gunzipSync(readFileSync(new URL(file, folder))).toString());
  }
}
