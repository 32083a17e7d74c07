/** Longest wait for the slowest request, in milliseconds. */
const patienceMs = 1000;

/**
 * Makes the bodies of several requests end simultaneously. Each request sends all but its last byte, then waits for the
 * others. The last bytes follow together, so the requests are as simultaneous as the network allows.
 */
export class Barrier {
  readonly calls: number;
  #missing: number;
  readonly #open: Promise<void>;
  #release: () => void = () => undefined;
  readonly #other: (() => Promise<void>) | undefined;

  /** @param other one of the calls, without a body to hold: starts after the first part of a body */
  constructor(calls: number, other?: () => Promise<void>) {
    this.calls = calls;
    this.#other = other;
    this.#missing = calls;
    this.#open = new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  async *hold(body: Uint8Array): AsyncGenerator<Uint8Array> {
    yield body.subarray(0, -1);
    this.#arrived();
    this.#other?.().then(
      () => this.#arrived(),
      () => this.#release(),
    );
    await patiently(this.#open);
    yield body.subarray(-1);
  }

  #arrived(): void {
    this.#missing -= 1;
    if (this.#missing <= 0) this.#release();
  }
}

/** Waits for other requests, but not for long: they may have to wait until this request ends. */
export async function patiently(others: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMs);
  });
  await Promise.race([others, patience]).finally(() => clearTimeout(timer));
}
