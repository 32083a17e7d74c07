import { setTimeout as pause } from 'node:timers/promises';

/** Longest wait for the slowest request, in milliseconds. */
const patienceMs = 1000;

/**
 * Makes the bodies of several requests end simultaneously. Each request sends all but its last byte, then waits for the
 * others. The last bytes follow together, so the requests are as simultaneous as the network allows.
 */
export class Barrier {
  readonly calls: number;
  #missing: number;
  readonly #open = Promise.withResolvers<void>();

  constructor(calls: number) {
    this.calls = calls;
    this.#missing = calls;
  }

  hold(body: Uint8Array): AsyncGenerator<Uint8Array> {
    return holding(body, () => {
      this.#missing -= 1;
      if (this.#missing <= 0) this.#open.resolve();
      return this.#open.promise;
    });
  }
}

/** Sends all but the last byte of a body, then waits for others, whether they succeed or fail. */
export async function* holding(body: Uint8Array, others: () => Promise<void>): AsyncGenerator<Uint8Array> {
  yield body.subarray(0, -1);
  await patiently(others().catch(() => undefined));
  yield body.subarray(-1);
}

/** Waits for other requests, but not for long: they may have to wait until this request ends. */
export async function patiently(others: Promise<void>): Promise<void> {
  const end = new AbortController();
  const patience = pause(patienceMs, undefined, { signal: end.signal }).catch(() => undefined);
  await Promise.race([others, patience]).finally(() => end.abort());
}
