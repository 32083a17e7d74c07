/** Rate limit that a key has shown: `calls` requests in any `windowMs` milliseconds. */
export interface Cap {
  calls: number;
  windowMs: number;
}

/** Largest relative difference between two observations of one limit, because responses may arrive out of order. */
const tolerance = 0.1;

/** Longer windows are waited out as `Retry-After` says, but not learned. */
const longestWindowSeconds = 120;

/** Longest window, as a multiple of the longest wait that it asked for. */
const windowToWait = 3;

/** Factor for a limit that was observed once, when a request beyond the limit succeeds. */
const raise = 1.5;

/** One observation of a limit: a key got a 429. */
interface Sighting {
  atMs: number;
  /** `Retry-After`, in seconds. */
  seconds: number;
  /** Requests in flight, including the refused one. */
  underWay: number;
  /** When requests were served, as far back as any window can reach. */
  served: readonly number[];
}

/**
 * Learns the rate limit of one key from its responses, so that the kit does not exceed it. The window may be fixed or
 * sliding, or refill gradually. At most `calls` requests in any `windowMs` satisfy all three. After one observation,
 * the kit approaches the limit with ever fewer requests at once. After two that agree, it stays within the limit. Times
 * are in milliseconds.
 */
export class LearnedCap {
  #served: number[] = [];
  #underWay = 0;
  #pausedUntil = 0;
  /** The wait in progress. It becomes an observation when it is over and the requests in flight have ended. */
  #waiting: Omit<Sighting, 'served'> | undefined;
  #last: Sighting | undefined;
  #cap: Cap | undefined;
  #sure = false;
  /** If two observations disagree, the server may limit the requests in flight. */
  #mostAtOnce = Number.POSITIVE_INFINITY;

  /** Number of requests in flight. */
  get underWay(): number {
    return this.#underWay;
  }

  /** The limit, if two observations agree. */
  get known(): Cap | undefined {
    return this.#sure ? this.#cap : undefined;
  }

  /** Returns when a request may be sent, or `'after a response'` if that depends on a request in flight. */
  next(now: number): number | 'after a response' {
    if (now < this.#pausedUntil) return this.#pausedUntil;
    this.#learn(now);
    if (this.#underWay >= this.#mostAtOnce) return 'after a response';
    if (this.#cap === undefined) return now;
    const { calls, windowMs } = this.#cap;
    const within = this.#served.filter((at) => at > now - windowMs);
    // The nearer the limit, the fewer requests are risked at once.
    const atOnce = Math.max(1, (calls - within.length) / 2);
    if (!this.#sure) return this.#underWay < atOnce ? now : 'after a response';
    const tooMany = within.length + this.#underWay - calls;
    if (tooMany < 0) return now;
    const leaves = within[tooMany];
    return leaves === undefined ? 'after a response' : leaves + windowMs + 1;
  }

  sent(): void {
    this.#underWay += 1;
  }

  /** Records a response other than 429, or a missing response, because the request may have counted. */
  served(now: number): void {
    this.#underWay -= 1;
    this.#served.push(now);
    if (this.#cap === undefined || this.#sure) return;
    const { calls, windowMs } = this.#cap;
    const within = this.#served.filter((at) => at > now - windowMs).length;
    // The first observation may be too low, because another client used part of the window.
    if (within > calls) this.#cap = { calls: Math.ceil(calls * raise), windowMs };
  }

  /** Records a 429 that asks to wait `seconds`. */
  refused(now: number, seconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, now + seconds * 1000);
    this.#waiting ??= { atMs: now, seconds, underWay: this.#underWay };
    this.#underWay -= 1;
  }

  /** Discards all times, because the deployment's clock was advanced. */
  forgetTimes(): void {
    this.#served = [];
    this.#pausedUntil = 0;
    this.#waiting = undefined;
    this.#last = undefined;
  }

  #learn(now: number): void {
    const earliest = now - 2 * longestWindowSeconds * 1000;
    if ((this.#served[0] ?? now) < earliest) this.#served = this.#served.filter((at) => at >= earliest);
    if (this.#waiting === undefined) return;
    const sighting: Sighting = { ...this.#waiting, served: [...this.#served] };
    const before = this.#last;
    this.#waiting = undefined;
    this.#last = sighting;
    if (sighting.seconds > longestWindowSeconds) return;
    const agreed = before === undefined ? undefined : agreement(before, sighting);
    this.#sure = agreed !== undefined;
    if (agreed === undefined && before !== undefined) {
      const least = Math.min(before.underWay, sighting.underWay);
      if (least > 1) this.#mostAtOnce = Math.min(this.#mostAtOnce, least - 1);
    }
    this.#cap = agreed ?? { calls: Math.max(1, within(sighting, sighting.seconds)), windowMs: sighting.seconds * 1000 };
  }
}

/** Returns how many requests were served in the `seconds` before a 429. */
function within({ atMs, served }: Sighting, seconds: number): number {
  // Responses that arrived just after the 429 belong to requests that were admitted before it.
  return served.filter((at) => at > atMs - seconds * 1000).length;
}

/**
 * Returns the limit that two observations agree on; undefined if they disagree. If several windows fit, the highest
 * rate wins.
 */
function agreement(one: Sighting, other: Sighting): Cap | undefined {
  let best: Cap | undefined;
  // `Retry-After` is the rest of the window, rounded up, so no window is shorter.
  const least = Math.max(one.seconds, other.seconds);
  const most = Math.min(longestWindowSeconds, windowToWait * least + 1);
  for (let seconds = least; seconds <= most; seconds += 1) {
    const [before, after] = [within(one, seconds), within(other, seconds)];
    if (after === 0 || Math.abs(before - after) > tolerance * Math.max(before, after)) continue;
    const cap = { calls: Math.ceil((before + after) / 2), windowMs: seconds * 1000 };
    if (best === undefined || cap.calls / cap.windowMs > best.calls / best.windowMs) best = cap;
  }
  return best;
}
