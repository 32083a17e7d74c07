import { formats } from '../../fixtures/contract/enums.ts';
import { limits, longestWaitMinutes } from '../../fixtures/contract/limits.ts';
import { type ToolName, toolNames, tools, toolsWithoutSideEffects } from '../../fixtures/contract/tools.ts';
import { closedRoles, type Role } from '../../fixtures/roles.ts';
import { type Completed, retryAfter } from '../history/exchange.ts';
import { bearer } from '../session/credentials.ts';
import type { LibraryItem } from '../situations/items.ts';
import { invalidCredentials } from '../topics/authentication/bad-credentials.ts';
import type { Mutation, ValidRequest } from '../topics/requests/mutations.ts';
import { type Proposal, resemblingId } from '../topics/requests/proposals.ts';
import type { Args, Steps, StoryRequest } from '../topics/steps.ts';
import { families, plainNames } from '../topics/unknown-tools/unknown-tools.ts';

/** Requests of one step of the walk, sent one after another. */
export interface Step {
  readonly does: string;
  readonly requests: readonly StoryRequest[];
  readonly atOnce?: boolean;
  /** Pairs of situations, for example a key and a tool, or the event before and a tool. */
  readonly pairs: readonly string[];
  /** Most images that the step confirms, and content requests that it creates. */
  readonly images?: number;
  readonly creates?: number;
  /** Does what a list of requests cannot express. */
  readonly play?: (t: Steps) => Promise<readonly Completed[]>;
}

/** A key, the workspace that its request names, and a board there. */
export interface Place {
  readonly name: 'here' | 'there' | 'theirs' | 'unnamed';
  readonly as: Role;
  readonly args: Args;
  readonly board: string | undefined;
}

/** What the walk knows when it makes a step. */
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
  /** IDs that were dispatched. */
  readonly used: Set<string>;
  /** Keys, tools and places of which a valid request was sent. */
  readonly controls: Set<string>;
  /** What happened last. */
  event: string;
}

export const image = 'images.generate';
const creation = 'content.create_request';

/** The index is within the list, which may contain undefined. */
export const pick = <T>({ below }: Scene, from: readonly T[]): T => from[below(from.length)] as T;

export const isOneIn = ({ below }: Scene, times: number) => below(times) === 0;

const letters = ({ below }: Scene, length: number) =>
  Array.from({ length }, () => String.fromCharCode(0x61 + below(26))).join('');

/** Quotes, line feeds, patterns, escapes and other scripts, which break titles, briefs and queries. */
const characters = [
  ...['"', "'", '\\', '%', '*', '(', '[', '{{7*7}}', '<b>', '--', ';', '&amp;', '$(x)', '../', 'null', '+', ':'],
  ...['\n', '\r\n', '\t', 'é', 'ß', 'İ', 'Ж', '中', 'ع', '𝒳', '🛳', 'ﬁ', 'e\u0301', '\u{1F469}\u200D\u{1F467}'],
  ...['two words', 'Prices, 2nd try.', 'x'.repeat(50)],
];

export const textOf = (scene: Scene) =>
  Array.from({ length: 1 + scene.below(6) }, () => pick(scene, characters))
    .join(pick(scene, [' ', '']))
    .trim();

/** Returns the pairs of situations of a request. */
export function pairsOf(
  { event }: Scene,
  { as, name }: Pick<Place, 'as' | 'name'>,
  tool: string,
  change = 'valid',
): string[] {
  return [
    ...[`${as} × ${tool}`, `${as} × ${change}`, `${tool} × ${as} ${name}`, `${tool} × ${change}`],
    ...[`after ${event} × ${as}`, `after ${event} × ${tool}`, `after ${event} × ${change}`],
  ];
}

/** Returns a valid request; undefined if the walk knows none, or must not send it. */
export function validRequest({ t, allows, items }: Scene, place: Place, tool: ToolName): ValidRequest | undefined {
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

/** Returns a request of a tool that only reads, with a random text. */
function readingOf(scene: Scene, place: Place, tool: ToolName = pick(scene, toolsWithoutSideEffects)): StoryRequest {
  const valid = validRequest(scene, place, tool) ?? {
    tool: 'library.search',
    args: { ...place.args, query: '' },
    as: place.as,
  };
  if (valid.tool === 'library.get' && isOneIn(scene, 3)) {
    const id = resemblingId(String(valid.args.id), letters(scene, 16));
    return { ...valid, args: { ...valid.args, id }, invented: ['id'] };
  }
  const isSearch = 'query' in valid.args && isOneIn(scene, 2);
  return isSearch ? { ...valid, args: { ...valid.args, query: `About ${textOf(scene)}` } } : valid;
}

/** Numbers of repetitions. A side effect may show only at the second, tenth or thirtieth request. */
const repetitions = [1, 1, 1, 1, 1, 1, 2, 2, 3, 10, 30];

export function reading(scene: Scene): Step {
  const place = pick(scene, scene.places);
  const asked = readingOf(scene, place);
  const requests = Array.from({ length: pick(scene, repetitions) }, () => asked);
  return { does: 'read', requests, pairs: pairsOf(scene, place, asked.tool) };
}

/** Reads in several places in turn or at once, between equal requests. One request must not affect another. */
export function readingInTurn(scene: Scene): Step {
  const tool = pick(scene, toolsWithoutSideEffects);
  const places = Array.from({ length: 2 + scene.below(4) }, () => pick(scene, scene.places));
  const requests = places.map((place) => readingOf(scene, place, isOneIn(scene, 4) ? undefined : tool));
  const pairs = places.flatMap((place) => pairsOf(scene, place, tool));
  const [first] = requests;
  if (isOneIn(scene, 2) || first === undefined)
    return { does: 'read in turn', requests: [...requests, ...requests.slice(0, 1)], pairs };
  const does = 'read at once';
  const play = async (t: Steps) => [
    await t.send(does, first),
    ...(await t.sendInParallel(does, requests)),
    await t.send(does, first),
  ];
  return { does, requests: [first, ...requests, first], play, pairs: pairs.map((pair) => `at once: ${pair}`) };
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

const dayMs = 24 * 3600 * 1000;

/** Creates a content request, then reads in another place. */
export function creating(scene: Scene): Step | undefined {
  const { t, places } = scene;
  // Preflight shows what the server accepts in the first place.
  const [first] = places;
  const place = first !== undefined && isOneIn(scene, 2) ? first : pick(scene, places);
  const base = validRequest(scene, place, creation);
  if (base === undefined) return undefined;
  const later = new Date(Date.parse(String(base.args.day)) + pick(scene, [1, 2, 3, 5, 7, 30, 60]) * dayMs);
  const start = `tck ${t.deployment.runId} ${letters(scene, 6)} `;
  const longest = start.padEnd(limits.title.most - 1 - scene.below(3), 'word ');
  const title = pick(scene, [
    undefined,
    `${longest}.`,
    ...Array.from({ length: 4 }, () => `${start}${textOf(scene)}.`),
  ]);
  // Change at most one other argument, so that a problem with the title stays visible.
  const other = pick<Args>(scene, [
    {},
    {},
    { day: later.toISOString().slice(0, 10) },
    { format: pick(scene, formats) },
  ]);
  const asked = { ...base, args: { ...base.args, title, ...other } };
  const then = isOneIn(scene, 2) ? [readingOf(scene, place), readingOf(scene, pick(scene, places))] : [];
  const used = characters.filter((each) => title?.includes(each)).map((each) => `${creation} × ${each}`);
  const pairs = [...used, ...pairsOf(scene, place, creation)];
  return { does: 'create', requests: [asked, ...then], creates: 1, pairs };
}

/** Asks for tools that do not exist. */
export function unknownTool(scene: Scene): Step {
  const place = pick(scene, scene.places);
  const tool = pick(scene, toolsWithoutSideEffects);
  const madeUp = {
    tool: `tck.${letters(scene, pick(scene, [4, 12, 60, 120]))}`,
    args: {},
    as: place.as,
    invented: ['tool'],
  };
  const similar = [pick(scene, families)(tool), pick(scene, plainNames)].map((name) => ({
    tool: name,
    args: {},
    as: place.as,
  }));
  return {
    does: 'call a tool that does not exist',
    requests: [madeUp, ...similar],
    atOnce: isOneIn(scene, 3),
    pairs: pairsOf(scene, place, 'no tool'),
  };
}

/** Sends an invalid credential, or a key without access. A server may accept a credential, so the body is empty. */
export function invalidKey(scene: Scene): Step {
  const { t, places } = scene;
  const place = pick(scene, places);
  const key = t.key(place.as);
  const closed = t.present([...closedRoles, 'revoked', 'expired'] as const);
  const credential = pick(scene, [
    ...invalidCredentials(key, t.text('unknown key', 32)),
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

const { fresh, about, surelyAlive } = limits.confirmation;

/** Ages of confirmation IDs in minutes: certainly valid, close to expiry, and certainly expired. */
const ages = [1, fresh - 1, surelyAlive / 2, about / 2, surelyAlive - 1, surelyAlive, longestWaitMinutes];

/** Lets time pass, or uses up a rate limit. */
export function passing(scene: Scene): Step | undefined {
  const { t } = scene;
  if (t.target.clock === undefined) return undefined;
  if (t.has('throttled') && t.target.allow.includes('throttling') && isOneIn(scene, 6)) return limiting(scene);
  const minutes = pick(scene, ages);
  const does = `let ${minutes} minutes pass`;
  const play = async (steps: Steps) => {
    await steps.pass(minutes, does);
    return [];
  };
  return { does, requests: [], play, pairs: [does] };
}

/** Seconds after which a rate limit has reset. */
export const resetSeconds = 61;

/** Uses up the rate limit of a key. Further requests within the window may extend the wait. */
function limiting(scene: Scene): Step {
  const does = 'use up a rate limit';
  const tool = pick(scene, ['credits.balance', 'schedule.read']);
  const most = pick(scene, [20, 40, 70]);
  const waits = Array.from({ length: 3 }, () => ({ seconds: scene.below(26), more: scene.below(9) }));
  const asked = { tool, args: {}, as: bearer(scene.t.key('throttled')), wants429: true };
  const play = async (t: Steps) => {
    let last = await t.send(does, asked);
    const send = async (times: number) => {
      for (let sent = 0; sent < times && last.response.status !== 429; sent += 1) last = await t.send(does, asked);
    };
    await send(most);
    await t.send('ask with another key meanwhile', { tool: 'credits.balance', args: {} });
    await t.send('ask for another tool', { ...asked, tool: 'connections.status', args: t.here() });
    for (const { seconds, more } of waits) {
      if (last.response.status !== 429) break;
      await t.elapse(seconds, 'a part of the window of a rate limit');
      for (let sent = 0; sent < more; sent += 1) last = await t.send('send another request over the limit', asked);
    }
    await t.elapse(retryAfter(last) ?? resetSeconds, 'the window of a rate limit');
    return [await t.send('send a request after the wait', asked)];
  };
  // Besides: the first one, two meanwhile, those over the limit, and one after the wait.
  const length = waits.reduce((sum, { more }) => sum + more, most + 4);
  return { does, requests: Array.from({ length }, () => asked), play, pairs: [does, `${does} × ${tool}`] };
}
