/** A cap as it showed itself: so many calls in any so many milliseconds. */
export interface Cap {
  calls: number;
  windowMs: number;
}

/** How far two sightings of one cap may be apart, since answers cross on their way. */
const tolerance = 0.1;

/** Windows longer than this are waited out as Retry-After says and not learned. */
const longestWindowSeconds = 120;

/** A window may be this many times longer than the longest wait that it asked for. */
const windowToWait = 3;

/** By how much a cap that was sighted once is raised where a call beyond it is served. */
const raise = 1.5;

/** A key met its cap: what was served before, and how long it was told to wait. */
interface Sighting {
  atMs: number;
  /** `Retry-After`, in seconds. */
  seconds: number;
  /** How many calls were under way, the refused one among them. */
  underWay: number;
  /** When calls were served, as far back as any window could reach. */
  served: readonly number[];
}

/**
 * What one key's answers tell of its cap, so that no more calls are sent than it will serve. A window may be fixed,
 * slide, or fill up again drop by drop: whoever sends no more than `calls` within any `windowMs` keeps to all three.
 * Sighted once, a cap is approached with ever fewer calls at once; sighted twice alike, it is kept to. Times in
 * milliseconds.
 */
export class LearnedCap {
  #served: number[] = [];
  #underWay = 0;
  #pausedUntil = 0;
  /**
   * The wait that has begun, and when; it becomes a sighting once it is over and whatever was under way is answered.
   */
  #waiting: Omit<Sighting, 'served'> | undefined;
  #last: Sighting | undefined;
  #cap: Cap | undefined;
  #sure = false;
  /** Where sightings do not agree, the key may be refused for calls that are under way. */
  #mostAtOnce = Number.POSITIVE_INFINITY;

  /** The cap, where it was sighted twice alike. */
  get known(): Cap | undefined {
    return this.#sure ? this.#cap : undefined;
  }

  /** When a call may be sent: a moment, or `'after an answer'` to one that is under way. */
  next(now: number): number | 'after an answer' {
    if (now < this.#pausedUntil) return this.#pausedUntil;
    this.#learn(now);
    if (this.#underWay >= this.#mostAtOnce) return 'after an answer';
    if (this.#cap === undefined) return now;
    const { calls, windowMs } = this.#cap;
    const within = this.#served.filter((at) => at > now - windowMs);
    // The nearer it comes, the fewer calls are risked at once.
    const atOnce = Math.max(1, (calls - within.length) / 2);
    if (!this.#sure) return this.#underWay < atOnce ? now : 'after an answer';
    const tooMany = within.length + this.#underWay - calls;
    if (tooMany < 0) return now;
    const leaves = within[tooMany];
    return leaves === undefined ? 'after an answer' : leaves + windowMs + 1;
  }

  sent(): void {
    this.#underWay += 1;
  }

  /** A call was answered, and not by 429; or it got no answer, and may have counted all the same. */
  served(now: number): void {
    this.#underWay -= 1;
    this.#served.push(now);
    if (this.#cap === undefined || this.#sure) return;
    const { calls, windowMs } = this.#cap;
    const within = this.#served.filter((at) => at > now - windowMs).length;
    // What was sighted first may be what somebody else had left of the window.
    if (within > calls) this.#cap = { calls: Math.ceil(calls * raise), windowMs };
  }

  /** A call was refused with 429. */
  refused(now: number, seconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, now + seconds * 1000);
    this.#waiting ??= { atMs: now, seconds, underWay: this.#underWay };
    this.#underWay -= 1;
  }

  /** The deployment's clock was moved: no window reaches back beyond now. */
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

/** Calls served in so many seconds before a key met its cap. */
function within({ atMs, served }: Sighting, seconds: number): number {
  // Answers that came in just after the refusal were admitted before it.
  return served.filter((at) => at > atMs - seconds * 1000).length;
}

/**
 * The cap that two sightings have in common: of the windows in which they served alike, the one that lets most through.
 */
function agreement(one: Sighting, other: Sighting): Cap | undefined {
  let best: Cap | undefined;
  // What remains of a window, rounded up, is what Retry-After says: so no window is shorter.
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
