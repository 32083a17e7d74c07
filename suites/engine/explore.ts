import type { RunEvent } from '../result.ts';
import { NotTested } from '../session/budget.ts';
import { Unanswered } from '../session/call.ts';
import type { Session } from '../session/session.ts';
import type { Steps } from '../topics/steps.ts';
import type { LiveJudge } from './live-judge.ts';
import { Walk } from './walk.ts';
import { resetSeconds } from './walk-steps.ts';

/** Limits the content requests of the walk to one per `oneIn` requests, and to `most`. */
const creating = { oneIn: 25, most: 24 };

/** Images in reserve. A request with an invalid confirmation ID needs budget, because the server might dispatch it. */
const keptBack = 4;

/** Images that suffice for confirmations in any situation. */
const plenty = 12;

/** Requests after which the walk lets a rate limit reset. */
const resetEvery = 12;

/** Number of consecutive steps without a response after which exploring stops. */
const mostUnanswered = 3;

export interface Exploring {
  readonly steps: Steps;
  readonly liveJudge: LiveJudge;
  readonly session: Session;
  readonly seed: number;
  readonly requests: number;
  /** Maximum number of images that the stories confirm. */
  readonly imagesOfStories: number;
  readonly interrupted: () => boolean;
  readonly onEvent: (event: RunEvent) => void;
}

/** Sends generated requests, which the rules of the run judge. Returns notices. */
export async function explore(options: Exploring): Promise<string[]> {
  const { steps, session, seed, requests, imagesOfStories, interrupted } = options;
  const { target } = steps;
  if (target.keys.primary === undefined) return ["exploring needs a key for the role 'primary'"];
  const tell = newFailures(options);
  const walk = new Walk(steps, seed);
  const planned = target.maxImages - imagesOfStories - keptBack;
  // If the stories need all images, half of those that are left.
  const images = planned > 0 ? planned : Math.floor(session.spending.images.left / 2);
  const creates = Math.min(creating.most, Math.ceil(requests / creating.oneIn));
  const used = { requests: 0, images: 0, creates: 0 };
  // Scarce resources last for the whole walk.
  const isRoomFor = (cost: number, sofar: number, total: number) =>
    cost === 0 || (sofar + cost <= total && sofar <= keptBack + (total * used.requests) / requests);
  let unanswered = 0;
  let resetAt = 0;
  while (used.requests < requests && !interrupted()) {
    const step = walk.next();
    // A deployment that allows almost nothing must not keep the walk running forever.
    used.requests += step?.requests.length || 1;
    if (step === undefined || used.requests > requests) continue;
    if (!isRoomFor(step.images ?? 0, used.images, images)) continue;
    if (!isRoomFor(step.creates ?? 0, used.creates, creates)) continue;
    used.images += step.images ?? 0;
    used.creates += step.creates ?? 0;
    try {
      if (target.clock !== undefined && used.requests >= resetAt) {
        await steps.elapse(resetSeconds, 'the reset of rate limits');
        resetAt = used.requests + resetEvery;
      }
      await walk.play(step);
      unanswered = 0;
    } catch (error) {
      if (!(error instanceof NotTested || error instanceof Unanswered)) throw error;
      unanswered += error instanceof Unanswered ? 1 : 0;
      if (unanswered === mostUnanswered) return [`--explore stopped: ${error.message}`];
    }
    tell();
  }
  const needed = imagesOfStories + keptBack + plenty;
  const few =
    target.allow.includes('spending') && target.maxImages < needed
      ? [`--explore confirmed few images or none: set maxImages, which is ${target.maxImages}, to ${needed} or more`]
      : [];
  return [`--explore covered ${walk.covered.size.toLocaleString('en')} pairs of situations`, ...few];
}

/** Returns a function that reports the requirements that failed since its last call. */
function newFailures({ liveJudge, onEvent }: Exploring): () => void {
  const failures = () => liveJudge.judgements().filter(({ findings }) => findings.length > 0);
  const known = new Set(failures().map(({ id }) => id));
  return () => {
    for (const { id, findings } of failures()) {
      const [first] = findings;
      if (known.has(id) || first === undefined) continue;
      known.add(id);
      const { expected, actual } = first;
      const ended = { requirement: id, title: 'exploring', status: 'failed', findings: 1 } as const;
      onEvent({ kind: 'requirement-ended', ...ended, first: { expected, actual } });
    }
  };
}
