import type { RequirementId } from '../../fixtures/requirements/model.ts';
import { roles } from '../../fixtures/roles.ts';
import { Histories } from '../generators/histories.ts';
import { play } from '../generators/play.ts';
import type { Coverage } from '../generators/sweep.ts';
import type { RunEvent } from '../result.ts';
import { mostShrunk } from '../session/ceilings.ts';
import type { Session } from '../session/session.ts';
import type { Steps } from '../topics/steps.ts';
import type { LiveJudge } from './live-judge.ts';
import type { Found } from './outcome.ts';
import { shrink } from './shrink.ts';

/** Limits the content requests of generated histories to one per `oneIn` requests, and to `most`. */
const creating = { oneIn: 25, most: 24 };

/** Images in reserve. A request with an invalid confirmation ID needs budget, because the server might dispatch it. */
const keptBack = 4;

/** Seconds between histories, after which a rate limit has reset. */
const secondsBetween = 61;

/** Number of consecutive histories without a response after which exploring stops. */
const mostUnanswered = 3;

export interface Exploring {
  /** Creates the steps that play a history. */
  readonly steps: () => Steps;
  readonly liveJudge: LiveJudge;
  readonly session: Session;
  readonly seed: number;
  readonly requests: number;
  /** Maximum number of images that the stories confirm. */
  readonly imagesOfStories: number;
  readonly interrupted: () => boolean;
  readonly onEvent: (event: RunEvent) => void;
}

/** Findings that only generated requests produced, with short histories that reproduce them, and notices. */
export interface Explored {
  readonly found: Map<RequirementId, Found>;
  readonly notices: string[];
}

/** Sends generated histories, judges them with the rules of the run, and shrinks failures. */
export async function explore(options: Exploring): Promise<Explored> {
  const { steps, liveJudge, session, seed, requests, interrupted } = options;
  const findings = new Map<RequirementId, Found>();
  const { deployment, target } = steps();
  if (target.keys.primary === undefined)
    return { found: findings, notices: ["exploring needs a key for the role 'primary'"] };
  const scope = {
    deployment,
    roles: roles.filter((role) => target.keys[role] !== undefined),
    allows: (effect: Parameters<typeof session.budget.allows>[0]) => target.allow.includes(effect),
    time: target.clock !== undefined,
  };
  const images = imagesFor(options, target.maxImages);
  const most = { requests, images, creates: Math.min(creating.most, Math.ceil(requests / creating.oneIn)) };
  const failing = new Set(failuresOf(liveJudge).map(([id]) => id));
  const firstGenerated = session.exchanges.length;
  let shrunk = 0;
  let unanswered = 0;
  const histories = new Histories(scope, { seed, most });
  for (const { number, moves } of histories) {
    if (interrupted()) break;
    const t = steps();
    if (scope.time) await t.elapse(secondsBetween, 'the start of the next generated history');
    const ended = await play(t, moves, () => session.exchanges.length);
    unanswered = ended.unanswered === undefined ? 0 : unanswered + 1;
    if (unanswered === mostUnanswered) {
      return { found: findings, notices: [`--explore stopped at generated history ${number}: ${ended.unanswered}`] };
    }
    const failed = failuresOf(liveJudge).filter(([id]) => !failing.has(id));
    if (failed.length === 0) continue;
    const shorter =
      shrunk < mostShrunk.failures
        ? await shrink(ended.played, failed, { steps, liveJudge, session, firstGenerated, most: mostShrunk.requests })
        : undefined;
    shrunk += 1;
    for (const [id, finding] of failed) {
      failing.add(id);
      const shown = shorter?.get(id) ?? {
        ...liveJudge.found(finding),
        ...(shorter?.size === 0 ? { note: notRepeatedNote } : {}),
      };
      findings.set(id, shown);
      tell(id, shown, options.onEvent);
    }
  }
  const few = target.allow.includes('spending') ? tooFewImages(options, target.maxImages) : [];
  return { found: findings, notices: [coverageNotice(histories.coverage), ...few] };
}

function coverageNotice({ leniencies, ofLeniencies, combinations, ofCombinations }: Coverage): string {
  const [tried, all] = [combinations, ofCombinations].map((count) => count.toLocaleString('en'));
  return (
    `--explore tried ${leniencies} of ${ofLeniencies} leniencies of common stacks, ` +
    `in ${tried} of ${all} combinations with a tool, an argument and a key`
  );
}

/**
 * Returns how many images generated histories may confirm: all images that stories do not need. If none are left, half
 * of the remaining budget.
 */
function imagesFor({ imagesOfStories, session }: Exploring, maxImages: number): number {
  const planned = maxImages - imagesOfStories - keptBack;
  return planned > 0 ? planned : Math.floor(session.spending.images.left / 2);
}

/** Images that suffice for confirmations in any generated history. */
const plenty = 12;

function tooFewImages({ imagesOfStories }: Exploring, maxImages: number): string[] {
  const needed = imagesOfStories + keptBack + plenty;
  if (maxImages >= needed) return [];
  return [`--explore confirmed few images or none: set maxImages, which is ${maxImages}, to ${needed} or more`];
}

const notRepeatedNote =
  'The violation did not recur in a repetition of the steps. The violation depends on earlier requests, or the ' +
  'deployment does not always respond in the same way.';

/** Returns every requirement that has failed so far, with its first finding. */
function failuresOf(liveJudge: LiveJudge) {
  return liveJudge
    .judgements()
    .flatMap(({ id, findings: [first] }) => (first === undefined ? [] : [[id, first] as const]));
}

function tell(id: RequirementId, { expected, actual }: Found, onEvent: Exploring['onEvent']): void {
  const first = { expected, actual };
  const title = 'exploring';
  onEvent({
    kind: 'requirement-ended',
    requirement: id,
    title,
    status: 'failed',
    findings: 1,
    first,
  });
}
