import { type ToolName, toolNames, tools } from '../../fixtures/contract/tools.ts';
import { type Role, servedRoles } from '../../fixtures/roles.ts';
import { body, type Completed } from '../history/exchange.ts';
import { seededFraction } from '../random.ts';
import { isProposal } from '../situations/ids.ts';
import { itemsIn } from '../situations/items.ts';
import { mutationsOf } from '../topics/requests/mutations.ts';
import type { Steps } from '../topics/steps.ts';
import { presenting, proposing } from './walk-images.ts';
import {
  creating,
  invalidKey,
  mutating,
  type Place,
  passing,
  reading,
  readingInTurn,
  type Scene,
  type Step,
  unknownTool,
} from './walk-steps.ts';

/** Kinds of steps, with their weights. */
const kinds: readonly { readonly weight: number; readonly make: (scene: Scene) => Step | undefined }[] = [
  { weight: 6, make: reading },
  { weight: 4, make: readingInTurn },
  { weight: 13, make: mutating },
  { weight: 2, make: creating },
  { weight: 4, make: proposing },
  { weight: 6, make: presenting },
  { weight: 2, make: unknownTool },
  { weight: 2, make: invalidKey },
  { weight: 1, make: passing },
];

/** Number of random steps from which the walk chooses. */
const candidates = 8;

const mostProposals = 12;

/** A random walk over requests in all situations, which prefers pairs of situations that it has not covered. */
export class Walk {
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
      ...{ t, allows, below: (end: number) => this.#below(end), places: placesOf(t), mutations: [] },
      ...{ items: new Map(), proposals: [], used: new Set(), controls: new Set(), event: 'nothing' },
    };
    while (all.length > 0) this.scene.mutations.push(...all.splice(this.#below(all.length), 1));
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
  async play({ does, requests, atOnce = false, pairs, play }: Step): Promise<void> {
    const { t } = this.scene;
    for (const pair of pairs) this.covered.add(pair);
    if (play !== undefined) this.#see(await play(t));
    else if (atOnce) this.#see(await t.sendInParallel(does, requests));
    else for (const asked of requests) this.#see([await t.send(does, asked)]);
    if (atOnce) this.scene.event = 'several at once';
    else if (requests.length === 0) this.scene.event = does;
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
