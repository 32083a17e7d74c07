import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { roles } from '../../fixtures/roles.ts';
import type { Steps } from '../flows/steps.ts';
import { histories } from '../generators/histories.ts';
import { play } from '../generators/play.ts';
import { topicOf } from '../named.ts';
import type { RunEvent } from '../result.ts';
import { mostShrunk } from '../session/ceilings.ts';
import type { Session } from '../session/session.ts';
import type { Shard } from '../shard.ts';
import type { Judging } from './judging.ts';
import type { Found } from './outcome.ts';
import { shrink } from './shrink.ts';

/** Content requests that generated histories create: one in so many requests, and never more. */
const creating = { oneIn: 25, most: 24 };

/** Images that are kept back: presenting an id wrongly has to have room too, since it might run. */
const keptBack = 4;

/** Long enough for a rate limit to forget what was sent before. */
const secondsBetween = 61;

/** Histories in a row that end without a response, until the deployment is left alone. */
const mostUnanswered = 3;

export interface Exploring {
  /** What a history is played with. */
  readonly steps: () => Steps;
  readonly judging: Judging;
  readonly session: Session;
  readonly seed: number;
  readonly requests: number;
  readonly shard: Shard | undefined;
  /** The most images that the flows of all shards confirm. */
  readonly imagesOfFlows: number;
  readonly interrupted: () => boolean;
  readonly onEvent: (event: RunEvent) => void;
}

/** What only generated requests found, with the short histories that show it, and why they ended early. */
export interface Explored {
  readonly found: Map<RequirementId, Found>;
  readonly notices: string[];
}

/** Sends generated histories, judged like everything else. What fails is shrunk. */
export async function explore(options: Exploring): Promise<Explored> {
  const { steps, judging, session, seed, requests, shard, interrupted } = options;
  const found = new Map<RequirementId, Found>();
  const { known, target } = steps();
  if (target.keys.primary === undefined) return { found, notices: ["exploring needs a key for the role 'primary'"] };
  const scope = {
    known,
    roles: roles.filter((role) => target.keys[role] !== undefined),
    allows: (effect: Parameters<typeof session.budget.allows>[0]) => target.allow.includes(effect),
    // Shards share one clock: what one of them moves ends the life of the others' ids.
    time: target.clock !== undefined && (shard === undefined || shard.of === 1),
  };
  const images = imagesFor(options, target.maxImages);
  const most = { requests, images, creates: Math.min(creating.most, Math.ceil(requests / creating.oneIn)) };
  const failing = new Set(failuresOf(judging).map(([id]) => id));
  const firstGenerated = session.exchanges.length;
  let shrunk = 0;
  let unanswered = 0;
  for (const { number, moves } of histories(scope, { seed, most, ...(shard === undefined ? {} : { shard }) })) {
    if (interrupted()) break;
    const t = steps();
    if (scope.time) await t.elapse(secondsBetween, 'the start of the next generated history');
    const ended = await play(t, moves, () => session.exchanges.length);
    unanswered = ended.unanswered === undefined ? 0 : unanswered + 1;
    if (unanswered === mostUnanswered) {
      return { found, notices: [`--explore stopped at generated history ${number}: ${ended.unanswered}`] };
    }
    const failed = failuresOf(judging).filter(([id]) => !failing.has(id));
    if (failed.length === 0) continue;
    const shorter =
      shrunk < mostShrunk.failures
        ? await shrink(ended.played, failed, { steps, judging, session, firstGenerated, most: mostShrunk.requests })
        : undefined;
    shrunk += 1;
    for (const [id, finding] of failed) {
      failing.add(id);
      const shown = shorter?.get(id) ?? {
        ...judging.found(finding),
        ...(shorter?.size === 0 ? { note: unstable } : {}),
      };
      found.set(id, shown);
      tell(id, shown, options.onEvent);
    }
  }
  return { found, notices: target.allow.includes('spending') ? tooFewImages(options, target.maxImages) : [] };
}

/** How many images generated histories may confirm: what is kept for flows is theirs, or else half of what is left. */
function imagesFor({ imagesOfFlows, session, shard }: Exploring, maxImages: number): number {
  const planned = maxImages - imagesOfFlows - keptBack;
  if (planned > 0 || (shard !== undefined && shard.of > 1)) return Math.max(0, planned);
  return Math.floor(session.spending.images.left / 2);
}

/** Images with which generated histories confirm whatever they come to. */
const plenty = 12;

function tooFewImages({ imagesOfFlows }: Exploring, maxImages: number): string[] {
  const needed = imagesOfFlows + keptBack + plenty;
  if (maxImages >= needed) return [];
  return [`--explore confirmed few images or none: set maxImages, which is ${maxImages}, to ${needed} or more`];
}

const unstable =
  'It did not occur again when the steps were repeated: it depends on earlier requests, or the deployment does not ' +
  'always respond in the same way.';

/** Every requirement that fails so far, with the first finding. */
function failuresOf(judging: Judging) {
  return judging
    .judgements()
    .flatMap(({ id, findings: [first] }) => (first === undefined ? [] : [[id, first] as const]));
}

function tell(id: RequirementId, { expected, actual }: Found, onEvent: Exploring['onEvent']): void {
  const first = { expected, actual };
  const title = 'exploring';
  onEvent({
    kind: 'requirement-ended',
    requirement: id,
    topic: topicOf(id),
    title,
    status: 'failed',
    findings: 1,
    first,
  });
}
