import { formats } from '../../fixtures/contract/enums.ts';
import { limits } from '../../fixtures/contract/limits.ts';
import { type ToolName, toolNames, tools, toolsWithoutSideEffects } from '../../fixtures/contract/tools.ts';
import { closedRoles, type Role } from '../../fixtures/roles.ts';
import type { LibraryItem } from '../model/world/items.ts';
import { mostRunners } from '../session/allowance.ts';
import { invalidCredentials } from '../topics/authentication/bad-credentials.ts';
import { words } from '../topics/image-proposals/claimed-confirmations.ts';
import { allResembling, type Mutation, type ValidRequest } from '../topics/requests/mutations.ts';
import {
  asOtherAccount,
  confirming,
  dayAfter,
  elsewhere,
  neverIssued,
  nowhere,
  otherCase,
  type Proposal,
  resemblingId,
} from '../topics/requests/proposals.ts';
import type { Args, Steps, StoryRequest } from '../topics/steps.ts';
import { families, plainNames } from '../topics/unknown-tools/unknown-tools.ts';

/** Requests of one step of the walk, sent one after another, in parallel, or as copies that end at the same moment. */
export interface Step {
  readonly does: string;
  readonly requests: readonly StoryRequest[];
  readonly how?: 'in parallel' | 'together';
  /** Pairs of situations, for example a key and a tool, or the event before and a tool. */
  readonly pairs: readonly string[];
  /** Most images that the step confirms, and content requests that it creates. */
  readonly images?: number;
  readonly creates?: number;
  readonly minutes?: number;
}

/** A key, the workspace that its request names, and a board there. */
export interface Place {
  readonly name: 'here' | 'there' | 'theirs' | 'unnamed';
  readonly as: Role;
  readonly args: Args;
  readonly board: string | undefined;
}

export interface Scene {
  readonly t: Steps;
  readonly allows: (tool: ToolName) => boolean;
  readonly below: (end: number) => number;
  readonly places: readonly Place[];
  /** Every row of the table of mutations with every tool. The next step takes the first one. */
  readonly mutations: { readonly tool: ToolName; readonly mutation: Mutation }[];
  /** An item that a key found, by key and workspace. */
  readonly items: Map<string, LibraryItem>;
  readonly proposals: { readonly proposal: Proposal; readonly as: Role }[];
  readonly used: Set<string>;
  /** Keys, tools and places of which a valid request was sent. */
  readonly controls: Set<string>;
  event: string;
}

const { surelyAlive, surelyDead } = limits.confirmation;

const image = 'images.generate';
const creation = 'content.create_request';

/** The index is within the list, which may contain undefined. */
export const pick = <T>({ below }: Scene, from: readonly T[]): T => from[below(from.length)] as T;

const isOneIn = ({ below }: Scene, times: number) => below(times) === 0;

const letters = ({ below }: Scene, length: number) =>
  Array.from({ length }, () => String.fromCharCode(0x61 + below(26))).join('');

/** Quotes, line feeds, patterns, escapes and other scripts, which break titles, briefs and queries. */
const characters = [
  ...['"', "'", '\\', '%', '*', '(', '[', '{{7*7}}', '<b>', '--', ';', '&amp;', '$(x)', '../', 'null', '+', ':'],
  ...['\n', '\r\n', '\t', 'é', 'ß', 'İ', 'Ж', '中', 'ع', '𝒳', '🛳', 'ﬁ', 'e\u0301', '\u{1F469}\u200D\u{1F467}'],
  ...['two words', 'Prices, 2nd try.', 'x'.repeat(50)],
];

const textOf = (scene: Scene) =>
  Array.from({ length: 1 + scene.below(6) }, () => pick(scene, characters))
    .join(pick(scene, [' ', '']))
    .trim();

function pairsOf({ event }: Scene, { as, name }: Pick<Place, 'as' | 'name'>, tool: string, change = 'valid'): string[] {
  return [
    ...[`${as} × ${tool}`, `${as} × ${change}`, `${tool} × ${as} ${name}`, `${tool} × ${change}`],
    ...[`after ${event} × ${as}`, `after ${event} × ${tool}`, `after ${event} × ${change}`],
  ];
}

/** Returns a valid request; undefined if the walk knows none, or must not send it. */
function validRequest({ t, allows, items }: Scene, place: Place, tool: ToolName): ValidRequest | undefined {
  const { as, args, board } = place;
  if (!allows(tool)) return undefined;
  if (!tools[tool].scoped) return { tool, args: {}, as };
  if (tool === 'library.get') {
    const item = items.get(JSON.stringify([as, args.workspace]));
    return item && { tool, args: { ...args, kind: item.kind, id: item.id }, as };
  }
  const { workspace: _, ...accepted } = (tool === image ? t.deployment.proposal : t.deployment.contentRequest) ?? {};
  if (tool === image) return board === undefined ? undefined : { tool, args: { ...accepted, ...args, board }, as };
  return { tool, args: { ...(tool === creation ? accepted : tools[tool].usual), ...args }, as };
}

/** Returns a request of a tool that only reads, with a random text or an unknown ID now and then. */
function readingOf(scene: Scene, place: Place, tool: ToolName): StoryRequest {
  const search: ValidRequest = { tool: 'library.search', args: { ...place.args, query: '' }, as: place.as };
  const { args, ...valid } = validRequest(scene, place, tool) ?? search;
  if (valid.tool === 'library.get' && isOneIn(scene, 3)) {
    return { ...valid, args: { ...args, id: resemblingId(String(args.id), letters(scene, 16)) }, invented: ['id'] };
  }
  const isSearch = 'query' in args && isOneIn(scene, 2);
  return { ...valid, args: isSearch ? { ...args, query: `About ${textOf(scene)}` } : args };
}

/** Numbers of repetitions. A side effect may show only at the second, tenth or thirtieth request. */
const repetitions = [1, 1, 1, 1, 1, 1, 2, 2, 3, 10, 30];

/** Reads in one place repeatedly, or in several in turn or at once: one request must not affect another. */
export function reading(scene: Scene): Step {
  const tool = pick(scene, toolsWithoutSideEffects);
  const places = Array.from({ length: pick(scene, [1, 1, 2, 3, 5]) }, () => pick(scene, scene.places));
  const asked = places.map((place) => readingOf(scene, place, tool));
  const times = asked.length === 1 ? pick(scene, repetitions) : 2;
  const requests = Array.from({ length: times }, () => asked).flat();
  const pairs = places.flatMap((place) => pairsOf(scene, place, tool));
  return isOneIn(scene, 4)
    ? { does: 'read at once', requests, how: 'in parallel', pairs: pairs.map((pair) => `at once: ${pair}`) }
    : { does: 'read', requests, pairs };
}

/** Keys that need a workspace in every request, or may need it. */
const mustName: readonly Role[] = ['primary', 'ambiguous'];

/** Applies the next row of the table. A refusal proves something only beside a valid request. */
export function mutating(scene: Scene): Step | undefined {
  const { mutations, controls, places } = scene;
  const next = mutations.shift();
  if (next === undefined) return undefined;
  mutations.push(next);
  const { tool, mutation } = next;
  const place = pick(
    scene,
    places.filter(({ as, name }) => name !== 'unnamed' || !mustName.includes(as)),
  );
  const base = validRequest(scene, place, tool);
  const requests = base === undefined ? [] : mutation.requests(base);
  if (base === undefined || requests.length === 0) return undefined;
  const change = mutation.argument === undefined ? mutation.row : `${mutation.row} as ${mutation.argument}`;
  const control = `${place.as} ${place.name} ${tool}`;
  const isControlled = tool === creation || controls.has(control);
  controls.add(control);
  const chosen = pick(scene, requests);
  return {
    does: `send ${change}`,
    requests: isControlled ? [chosen] : [base, chosen],
    pairs: pairsOf(scene, place, tool, change),
  };
}

/** Creates a content request, and reads in two places. */
export function creating(scene: Scene): Step | undefined {
  const { t, places } = scene;
  // Preflight shows what the server accepts in the first place.
  const place = isOneIn(scene, 2) ? places.at(0) : pick(scene, places);
  const base = place && validRequest(scene, place, creation);
  if (place === undefined || base === undefined) return undefined;
  const title = isOneIn(scene, 5) ? undefined : `tck ${t.deployment.runId} ${textOf(scene)}.`;
  const day = dayAfter(Date.parse(String(base.args.day)), pick(scene, [1, 2, 3, 5, 7, 30, 60]));
  // Change at most one other argument, so that a problem with the title stays visible.
  const other = pick<Args>(scene, [{}, {}, { day }, { format: pick(scene, formats) }]);
  const asked = { ...base, args: { ...base.args, title, ...other } };
  const then = [place, pick(scene, places)].map((each) => readingOf(scene, each, pick(scene, toolsWithoutSideEffects)));
  const used = characters.filter((each) => title?.includes(each)).map((each) => `${creation} × ${each}`);
  return {
    does: 'create',
    requests: isOneIn(scene, 2) ? [asked, ...then] : [asked],
    creates: 1,
    pairs: [...used, ...pairsOf(scene, place, creation)],
  };
}

export function unknownTool(scene: Scene): Step {
  const place = pick(scene, scene.places);
  const named = { args: {}, as: place.as };
  const madeUp = { ...named, tool: `tck.${letters(scene, pick(scene, [4, 12, 60, 120]))}`, invented: ['tool'] };
  const similar = [pick(scene, families)(pick(scene, toolsWithoutSideEffects)), pick(scene, plainNames)];
  return {
    does: 'call a tool that does not exist',
    requests: [madeUp, ...similar.map((tool) => ({ ...named, tool }))],
    ...(isOneIn(scene, 3) ? { how: 'in parallel' } : {}),
    pairs: pairsOf(scene, place, 'no tool'),
  };
}

/** Sends an invalid credential, or a key without access. A server may accept a credential, so the body is empty. */
export function invalidKey(scene: Scene): Step {
  const { t, places } = scene;
  const place = pick(scene, places);
  const closed = t.present([...closedRoles, 'revoked', 'expired'] as const);
  const credential = pick(scene, [
    ...invalidCredentials(t.key(place.as), t.text('unknown key', 32)),
    ...closed.flatMap((role) => [t.credential(role), t.credential(role)]),
  ]);
  const { baseUrl } = t.key(credential.role ?? place.as);
  const tool = pick(scene, toolNames);
  return {
    does: 'send an invalid credential',
    requests: [{ tool, args: {}, as: credential, ...(baseUrl === undefined ? {} : { baseUrl }) }],
    pairs: pairsOf(scene, place, tool, credential.label),
  };
}

/** Changes to an accepted proposal: to its arguments, or a word as its ID. */
function changesOf(scene: Scene, { args }: ValidRequest): Partial<StoryRequest> {
  const { shapes } = scene.t.deployment;
  const change = pick<Args>(scene, [
    ...[{}, {}, {}, {}],
    { count: Number(args.count) + 1 },
    { shape: pick(scene, shapes.slice(0, 4)) },
    { brief: `${args.brief} ${textOf(scene)}`.trim() },
    { confirmation_id: pick(scene, words) },
  ]);
  return { args: { ...args, ...change }, invented: 'confirmation_id' in change ? ['confirmation_id'] : [] };
}

/** Proposes in one place, or in several at once. */
export function proposing(scene: Scene): Step | undefined {
  const places = Array.from({ length: pick(scene, [1, 1, 1, 4]) }, () => pick(scene, scene.places));
  const requests = places.flatMap((place) => {
    const base = validRequest(scene, place, image);
    return base === undefined ? [] : [{ ...base, ...changesOf(scene, base) }];
  });
  const pairs = places.flatMap((place) => pairsOf(scene, place, image));
  const how = requests.length > 1 ? ({ how: 'in parallel' } as const) : {};
  return requests.length === 0 ? undefined : { does: 'propose', requests, ...how, pairs };
}

/** A way to present an ID, and the most images that it may confirm. The request is undefined if it is not possible. */
type Way = readonly [change: string, images: number, asked: StoryRequest | undefined];

function waysToPresent(scene: Scene, proposal: Proposal): Way[] {
  const { t } = scene;
  const { args, id } = proposal;
  const [count, more] = [Number(args.count), 1 + scene.below(2)];
  const [other] = t.present(['defaulted', 'ambiguous', 'throttled'] as const);
  const { shapes, otherBoard, secondBoard } = t.deployment;
  const similar = [...allResembling(id, ['identifier.shorter']).flat(), otherCase(`${id}x`)];
  const change = (changed: Args) => confirming(proposal, changed);
  const boards = [otherBoard, secondBoard, args.board].filter(Boolean);
  return [
    ...[1, 2, 3].map((): Way => ['as proposed', count, change({})]),
    ['with a larger count', count + more, change({ count: count + more })],
    ['with another shape', count, change({ shape: pick(scene, shapes.slice(0, 4)) })],
    ['with another brief', count + 1, change({ brief: `${args.brief}.`, count: count + scene.below(2) })],
    ['with another board', count, change({ board: pick(scene, boards) })],
    ...['board', 'brief', 'count', 'shape'].map((name): Way => [`without ${name}`, 0, change({ [name]: undefined })]),
    ['in another workspace', 0, elsewhere(t, proposal)],
    ['as another account', 0, asOtherAccount(t, proposal)],
    ['in an unknown workspace', 0, nowhere(t, proposal)],
    ['with an ID never issued', 0, neverIssued(t, proposal)],
    ['with a similar ID', 0, change({ confirmation_id: pick(scene, similar) })],
    // The specification does not say whether another key of the account may confirm.
    ['as another key', count, other && { ...change({}), as: other }],
    ['without ID', 0, { tool: image, args }],
  ];
}

/** Presents the ID of an earlier proposal, once or several times at once. */
export function presenting(scene: Scene): Step | undefined {
  const { t, proposals, used } = scene;
  if (proposals.length === 0) return undefined;
  const { proposal, as } = pick(scene, proposals);
  const [change, images, asked] = pick(scene, waysToPresent(scene, proposal));
  if (asked === undefined || (images > 0 && !t.target.allow.includes('spending'))) return undefined;
  const minutes = t.minutesSince(proposal.exchange);
  const age = minutes >= surelyDead ? 'expired' : minutes >= surelyAlive / 2 ? 'old' : 'new';
  const state = used.has(proposal.id) ? `used ${age}` : age;
  const isRace = change === 'as proposed' && isOneIn(scene, 6);
  const requests = Array.from({ length: isRace ? mostRunners : 1 }, () => ({ as, ...asked }));
  return {
    does: `confirm ${change}`,
    requests,
    ...(isRace ? { how: 'together' } : {}),
    images: images * requests.length,
    pairs: [`${state} × ${as}`, `${state} × ${change}`, ...pairsOf(scene, { as, name: 'here' }, image, change)],
  };
}
