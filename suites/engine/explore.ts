import type { RequirementId } from '../../fixtures/requirements/model.ts';
import { roles } from '../../fixtures/roles.ts';
import type { Finding } from '../expectations/finding.ts';
import { Histories } from '../generators/histories.ts';
import { play } from '../generators/play.ts';
import type { Coverage } from '../generators/sweep.ts';
import type { RunEvent } from '../result.ts';
import type { Session } from '../session/session.ts';
import type { Steps } from '../topics/steps.ts';
import type { LiveJudge } from './live-judge.ts';

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

/** Sends generated histories, which the rules of the run judge. Returns notices. */
export async function explore(options: Exploring): Promise<string[]> {
  const { steps, liveJudge, session, seed, requests, interrupted } = options;
  const { deployment, target } = steps();
  if (target.keys.primary === undefined) return ["exploring needs a key for the role 'primary'"];
  const scope = {
    deployment,
    roles: roles.filter((role) => target.keys[role] !== undefined),
    allows: (effect: Parameters<typeof session.budget.allows>[0]) => target.allow.includes(effect),
    time: target.clock !== undefined,
  };
  const images = imagesFor(options, target.maxImages);
  const most = { requests, images, creates: Math.min(creating.most, Math.ceil(requests / creating.oneIn)) };
  const failing = new Set(failuresOf(liveJudge).map(([id]) => id));
  let unanswered = 0;
  const histories = new Histories(scope, { seed, most });
  for (const { number, moves } of histories) {
    if (interrupted()) break;
    const t = steps();
    if (scope.time) await t.elapse(secondsBetween, 'the start of the next generated history');
    const reason = await play(t, moves);
    unanswered = reason === undefined ? 0 : unanswered + 1;
    if (unanswered === mostUnanswered) return [`--explore stopped at generated history ${number}: ${reason}`];
    for (const [id, finding] of failuresOf(liveJudge)) {
      if (!failing.has(id)) tell(id, finding, options.onEvent);
      failing.add(id);
    }
  }
  const few = target.allow.includes('spending') ? tooFewImages(options, target.maxImages) : [];
  return [coverageNotice(histories.coverage), ...few];
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

/** Returns every requirement that has failed so far, with its first finding. */
function failuresOf(liveJudge: LiveJudge) {
  return liveJudge
    .judgements()
    .flatMap(({ id, findings: [first] }) => (first === undefined ? [] : [[id, first] as const]));
}

function tell(id: RequirementId, { expected, actual }: Finding, onEvent: Exploring['onEvent']): void {
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
