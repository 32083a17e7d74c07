/** How long the slowest of the calls may keep the others waiting, in milliseconds. */
const patienceMs = 1000;

/**
 * Bodies that all end at the same moment: each is sent but for its last byte, and those follow together once every
 * call has come that far. So the calls are as simultaneous as a network lets them be.
 */
export class Barrier {
  readonly calls: number;
  #missing: number;
  readonly #open: Promise<void>;
  #release: () => void = () => undefined;

  constructor(calls: number) {
    this.calls = calls;
    this.#missing = calls;
    this.#open = new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  async *hold(body: Uint8Array): AsyncGenerator<Uint8Array> {
    yield body.subarray(0, -1);
    this.#missing -= 1;
    if (this.#missing <= 0) this.#release();
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patienceMs);
    });
    await Promise.race([this.#open, patience]);
    clearTimeout(timer);
    yield body.subarray(-1);
  }
}
