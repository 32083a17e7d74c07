import { limits, longestWaitMinutes } from '../../fixtures/contract/limits.ts';
import { type ToolName, toolNames, tools } from '../../fixtures/contract/tools.ts';
import { type Role, servedRoles } from '../../fixtures/roles.ts';
import { body, type Completed } from '../exchange/exchange.ts';
import { isProposal } from '../model/world/ids.ts';
import { itemsIn } from '../model/world/items.ts';
import type { RunEvent } from '../result.ts';
import { NotTested } from '../session/budget.ts';
import { Unanswered } from '../session/call.ts';
import type { Session } from '../session/session.ts';
import { seededFraction, seededOrder } from '../topics/random.ts';
import { mutationsOf } from '../topics/requests/mutations.ts';
import type { Steps } from '../topics/steps.ts';
import type { LiveJudge } from './live-judge.ts';
import {
  creating,
  invalidKey,
  mutating,
  type Place,
  pick,
  presenting,
  proposing,
  reading,
  type Scene,
  type Step,
  unknownTool,
} from './walk-steps.ts';

const { fresh, about, surelyAlive } = limits.confirmation;

/** Ages of confirmation IDs in minutes: certainly valid, close to expiry, and certainly expired. */
const ages = [1, fresh - 1, surelyAlive / 2, about / 2, surelyAlive - 1, surelyAlive, longestWaitMinutes];

function passing(scene: Scene): Step | undefined {
  if (scene.t.target.clock === undefined) return undefined;
  const minutes = pick(scene, ages);
  const does = `let ${minutes} minutes pass`;
  return { does, requests: [], minutes, pairs: [does] };
}

/** Kinds of steps, with their weights. */
const kinds: readonly { readonly weight: number; readonly make: (scene: Scene) => Step | undefined }[] = [
  { weight: 10, make: reading },
  { weight: 13, make: mutating },
  { weight: 2, make: creating },
  { weight: 4, make: proposing },
  { weight: 6, make: presenting },
  { weight: 2, make: unknownTool },
  { weight: 2, make: invalidKey },
  { weight: 1, make: passing },
];

const candidates = 8;

const mostProposals = 12;

/** A random walk over requests in all situations, which prefers pairs of situations that it has not covered. */
class Walk {
  readonly covered = new Set<string>();
  readonly scene: Scene;
  readonly #seed: number;
  #draws = 0;

  constructor(t: Steps, seed: number) {
    this.#seed = seed;
    const { deployment, target } = t;
    const allows = (tool: ToolName) => {
      const { effect } = tools[tool];
      if (effect !== undefined && !target.allow.includes(effect)) return false;
      if (tool === 'content.create_request') return deployment.contentRequest !== undefined;
      return tool !== 'images.generate' || deployment.proposal !== undefined;
    };
    const all = toolNames
      .filter(allows)
      .flatMap((tool) => mutationsOf(tool, deployment).map((mutation) => ({ tool, mutation })));
    this.scene = {
      ...{ t, allows, below: (end: number) => this.#below(end), places: placesOf(t) },
      mutations: seededOrder(all, seed),
      ...{ items: new Map(), proposals: [], used: new Set(), controls: new Set(), event: 'nothing' },
    };
  }

  /** Returns an integer from 0 up to, but not including, `end`. */
  #below(end: number): number {
    this.#draws += 1;
    return Math.floor(seededFraction(this.#seed, `walk ${this.#draws}`) * end);
  }

  /** Returns the next step: of several random steps of one kind, the one with the most uncovered pairs. */
  next(): Step | undefined {
    const turns = kinds.flatMap(({ weight, make }) => Array.from({ length: weight }, () => make));
    const make = turns[this.#below(turns.length)];
    const steps = Array.from({ length: candidates }, () => make?.(this.scene)).filter((step) => step !== undefined);
    const uncovered = ({ pairs }: Step) => pairs.filter((pair) => !this.covered.has(pair)).length;
    return steps.toSorted((one, other) => uncovered(other) - uncovered(one))[0];
  }

  /** Sends the requests of a step, and remembers what the responses show. */
  async play({ does, requests, how, pairs, minutes }: Step): Promise<void> {
    const { t } = this.scene;
    for (const pair of pairs) this.covered.add(pair);
    const [first] = requests;
    if (minutes !== undefined) await t.pass(minutes, does);
    else if (how === 'in parallel') this.#see(await t.sendInParallel(does, requests));
    else if (how === 'together' && first) this.#see(await t.sendTogether(does, first, requests.length));
    else for (const asked of requests) this.#see([await t.send(does, asked)]);
    if (how !== undefined) this.scene.event = 'several at once';
    else if (minutes !== undefined) this.scene.event = does;
  }

  #see(exchanges: readonly Completed[]): void {
    const { items, places, proposals, used } = this.scene;
    for (const exchange of exchanges) {
      const { request, sender } = exchange;
      const { status, confirmation_id: id } = body(exchange);
      const { confirmation_id: presented, ...args } = request.args ?? {};
      this.scene.event = eventOf(exchange);
      if (status === 'dispatched') used.add(String(presented));
      const [item] = itemsIn(exchange);
      if (item !== undefined) items.set(JSON.stringify([sender.role, args.workspace]), item);
      const place = places.find(({ as }) => as === sender.role);
      if (isProposal(exchange) && typeof id === 'string' && place !== undefined)
        proposals.push({ proposal: { args, id, exchange }, as: place.as });
    }
    proposals.splice(0, proposals.length - mostProposals);
  }
}

/** Names what a response reports, for the pair with the next request. */
function eventOf(exchange: Completed): string {
  const { request, response } = exchange;
  const { status, ok } = body(exchange);
  if (response.status !== 200) return String(response.status);
  if (ok !== true) return 'refusal';
  return request.tool === 'images.generate' ? String(status) : String(request.tool);
}

/** Returns the places for requests, accessible or not. The rules judge the responses. */
function placesOf(t: Steps): Place[] {
  const { deployment } = t;
  const place = (name: Place['name'], workspace: string | undefined, board: string | undefined) =>
    workspace === undefined ? [] : [{ name, args: { workspace }, board }];
  const own = [
    ...place('here', deployment.workspace, deployment.board),
    ...place('there', deployment.otherWorkspace, deployment.otherBoard),
  ];
  const theirs = place('theirs', deployment.otherAccountWorkspace, deployment.otherAccountBoard);
  const unnamed = { name: 'unnamed' as const, args: {}, board: deployment.board };
  // Requests at random must not exhaust the rate limit of `throttled`.
  const present = t.present(servedRoles.filter((role) => role !== 'throttled'));
  return present.flatMap((as: Role) =>
    [...(as === 'otherAccount' ? theirs : own), unnamed].map((each) => ({ as, ...each })),
  );
}

/** Limits the content requests of the walk to one per `oneIn` requests, and to `most`. */
const mostCreated = { oneIn: 25, most: 24 };

/** Images in reserve. A request with an invalid confirmation ID needs budget, because the server might dispatch it. */
const keptBack = 4;

/** Images that suffice for confirmations in any situation. */
const plenty = 12;

/** Requests after which the walk lets a rate limit reset, and the seconds that this takes. */
const reset = { every: 12, seconds: 61 };

/** Number of consecutive steps without a response after which exploring stops. */
const mostUnanswered = 3;

interface Exploring {
  readonly steps: Steps;
  readonly liveJudge: LiveJudge;
  readonly session: Session;
  readonly seed: number;
  readonly requests: number;
  readonly onEvent: (event: RunEvent) => void;
}

/** Sends generated requests, which the rules of the run judge. Returns notices. */
export async function explore(options: Exploring): Promise<string[]> {
  const { steps, session, seed, requests } = options;
  const { target } = steps;
  if (target.keys.primary === undefined) return ["exploring needs a key for the role 'primary'"];
  const tell = newFailures(options);
  const walk = new Walk(steps, seed);
  const { left } = session.spending.images;
  const images = Math.max(0, left - keptBack);
  const creates = Math.min(mostCreated.most, Math.ceil(requests / mostCreated.oneIn));
  const used = { requests: 0, images: 0, creates: 0 };
  // Scarce resources last for the whole walk.
  const isRoomFor = (cost: number, sofar: number, total: number) =>
    cost === 0 || (sofar + cost <= total && sofar <= keptBack + (total * used.requests) / requests);
  let unanswered = 0;
  let resetAt = 0;
  while (used.requests < requests && !session.isInterrupted) {
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
        await steps.elapse(reset.seconds, 'the reset of rate limits');
        resetAt = used.requests + reset.every;
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
  const needed = target.maxImages - left + keptBack + plenty;
  const few =
    target.allow.includes('spending') && target.maxImages < needed
      ? [`--explore confirmed few images or none: set maxImages, which is ${target.maxImages}, to ${needed} or more`]
      : [];
  return [`--explore covered ${walk.covered.size.toLocaleString('en')} pairs of situations`, ...few];
}

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
