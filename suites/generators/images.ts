import { limits } from '../../fixtures/contract/limits.ts';
import type { Role } from '../../fixtures/roles.ts';
import { mostRunners } from '../session/reservation-plan.ts';
import { goOn, holdBack } from '../topics/image-proposals/claimed-confirmations.ts';
import { words } from '../topics/image-proposals/near-miss-ids.ts';
import { neverIssued, otherCase } from '../topics/requests/made-up-ids.ts';
import { confirming, type Proposal, proposalOf } from '../topics/requests/proposals.ts';
import type { Args, StoryRequest } from '../topics/steps.ts';
import type { Kind, Move, Play, Scope } from './move.ts';
import { type Place, placesOf } from './places.ts';
import { reading } from './reading.ts';
import { sending, sendingAll } from './sending.ts';
import { text } from './values.ts';

const { surelyAlive } = limits.confirmation;
const tool = 'images.generate';

/** Returns a proposal in a place: the accepted arguments, sometimes with a change. */
function requestIn({ deployment, random }: Scope, { as, args: place, board }: Place): StoryRequest {
  const { workspace: _, ...accepted } = deployment.proposal ?? {};
  const { count, shape, brief } = accepted;
  const change = random.pick<Args>([
    {},
    {},
    // Images are scarce, and confirming the ID spends each additional image.
    { count: Number(count) + random.pick([1, 1, 1, 2]) },
    { shape: random.pick(deployment.shapes.slice(0, 4)) },
    { brief: `${brief} ${text(random, 40)}`.trim() },
  ]);
  return { tool, args: { ...accepted, board: board ?? accepted.board, ...place, shape, brief, ...change }, as };
}

/** Proposes under a name, which later moves use to find the ID. */
function proposing(name: string, asked: StoryRequest): Move {
  return {
    title: `propose ${name}`,
    requests: 1,
    play: async ({ t, proposals }) => {
      const exchange = await t.send(`propose ${name}`, asked);
      proposals.set(name, proposalOf(t, asked.args ?? {}, exchange));
    },
  };
}

interface Presenting {
  readonly title: string;
  readonly name: string;
  /** Maximum number of images that the move may spend. Responses that should be refusals count too. */
  readonly images: number;
  readonly times?: number;
  readonly ask: (proposal: Proposal, play: Play) => StoryRequest | undefined;
}

/** Presents the ID of a proposal, with the key that proposed by default. */
function presenting({ title, name, images, times = 1, ask }: Presenting, by: Role): Move {
  return {
    title: `${title} ${name}`,
    requests: times,
    images,
    play: async (play) => {
      const proposal = play.proposals.get(name) ?? play.t.cannot(`${name} was not proposed`);
      const asked = ask(proposal, play);
      if (asked === undefined) return;
      for (let number = 1; number <= times; number += 1) await play.t.send(`${title} ${name}`, { as: by, ...asked });
    },
  };
}

const confirmed = (proposal: Proposal) => confirming(proposal);

/** All ways to present an ID. `images` counts every image that the server may generate. */
const waysToConfirm: readonly ((scope: Scope) => Omit<Presenting, 'name'> | undefined)[] = [
  () => ({ title: 'confirm', images: 1, ask: confirmed }),
  ...[2, 3].map((times) => () => ({ title: 'confirm again and again', images: 1, times, ask: confirmed })),
  ({ random }) => {
    const more = random.between(1, 2);
    const ask = (proposal: Proposal) => confirming(proposal, { count: Number(proposal.args.count) + more });
    return { title: `confirm with a count larger by ${more}`, images: 1 + more, ask };
  },
  ({ random, deployment }) => {
    const shape = random.pick(deployment.shapes.slice(0, 4));
    return { title: `confirm with the shape ${shape}`, images: 1, ask: (proposal) => confirming(proposal, { shape }) };
  },
  ({ random }) => {
    // With two changes, the server may treat the confirmation as another request.
    const more = random.pick([0, 1]);
    const ask = (proposal: Proposal) =>
      confirming(proposal, { brief: `${proposal.args.brief}.`, count: Number(proposal.args.count) + more });
    return { title: `confirm with another brief and ${more} images more`, images: 1 + more, ask };
  },
  ({ deployment }) => ({
    title: 'confirm with a board of another workspace',
    images: 1,
    ask: (proposal) =>
      deployment.otherBoard === undefined ? undefined : confirming(proposal, { board: deployment.otherBoard }),
  }),
  ({ random }) => {
    const left = random.pick(['board', 'brief', 'count', 'shape']);
    return {
      title: `present without ${left}`,
      images: 0,
      ask: (proposal) => confirming(proposal, { [left]: undefined }),
    };
  },
  ({ deployment }) => ({
    title: 'present in another workspace',
    images: 0,
    ask: (proposal) => {
      const { workspace, board, otherWorkspace, otherBoard } = deployment;
      const isHere = proposal.args.workspace === workspace;
      const away = isHere ? { workspace: otherWorkspace, board: otherBoard } : { workspace, board };
      return away.workspace === undefined || away.board === undefined ? undefined : confirming(proposal, away);
    },
  }),
  ({ roles, deployment }) => {
    const { otherAccountWorkspace: workspace, otherAccountBoard: board } = deployment;
    if (!roles.includes('otherAccount') || workspace === undefined || board === undefined) return undefined;
    return {
      title: 'present as another account',
      images: 0,
      ask: (proposal) => ({ ...confirming(proposal, { workspace, board }), as: 'otherAccount' as const }),
    };
  },
  ({ random }) => {
    const workspace = `tck-${random.letters(9)}`;
    return {
      title: 'present in a workspace that does not exist',
      images: 0,
      ask: (proposal) => ({ ...confirming(proposal, { workspace }), invented: ['workspace'] }),
    };
  },
  () => ({ title: 'present an ID like that of', images: 0, ask: (proposal, { t }) => neverIssued(t, proposal) }),
  () => ({
    title: 'present an ID in another letter case than that of',
    images: 0,
    ask: (proposal) => {
      const id = otherCase(proposal.id);
      return id === proposal.id ? undefined : confirming(proposal, { confirmation_id: id });
    },
  }),
  ({ roles }) => {
    // The specification does not say whether another key of the account may confirm, so the image counts.
    const other = (['defaulted', 'ambiguous', 'throttled'] as const).find((role) => roles.includes(role));
    return (
      other && { title: `present as ${other}`, images: 1, ask: (proposal) => ({ ...confirming(proposal), as: other }) }
    );
  },
  () => ({ title: 'propose again what was', images: 0, ask: ({ args }) => ({ tool, args }) }),
];

/** Presents an ID several times at once. */
function racing(name: string, by: Role): Move {
  return {
    title: `confirm ${name} at once`,
    requests: mostRunners,
    images: mostRunners,
    play: ({ t, proposals }) => {
      const proposal = proposals.get(name) ?? t.cannot(`${name} was not proposed`);
      return t.sendTogether(`confirm ${name} at once`, { ...confirming(proposal), as: by }, mostRunners);
    },
  };
}

/**
 * Proposes, lets time pass and confirms, which shows if an ID expires too early. Responses to the used ID and to an ID
 * that was never issued must be identical for every key.
 */
function using(asked: StoryRequest, minutes: number): Move {
  const title = `confirm after ${minutes} minutes, and present again`;
  return {
    title,
    requests: 5,
    images: Number(asked.args?.count ?? 1),
    play: async ({ t }) => {
      const as = asked.as ?? 'primary';
      const exchange = await t.send('propose a request that stays open', asked);
      const proposal = proposalOf(t, asked.args ?? {}, exchange);
      await t.passSince(exchange, minutes, title);
      await t.send('present an ID that was never issued', { ...neverIssued(t, proposal), as });
      for (let times = 1; times <= 3; times += 1) await t.send(title, { ...confirming(proposal), as });
    },
  };
}

/** Returns proposals with a word instead of an ID. The words confirm nothing. */
function wordsAsIds({ args, as = 'primary' }: StoryRequest): StoryRequest[] {
  return [...words, 'last', 'any', 'confirm'].map((confirmation_id) => ({
    ...{ tool, as, args: { ...args, confirmation_id } },
    invented: ['confirmation_id'],
  }));
}

/** Roles that propose in a known place. The proposing key also presents the ID. */
const proposers: readonly Role[] = ['primary', 'primary', 'defaulted', 'sole', 'otherAccount', 'ambiguous'];

const mayPropose = ({ as, board }: Place) => board !== undefined && proposers.includes(as);

const isPossible = ({ deployment, allows }: Scope) => deployment.proposal !== undefined && allows('proposals');

/** Returns a proposal with options that might make a server skip the confirmation. */
function hopeful(scope: Scope): StoryRequest {
  const { random } = scope;
  const { args = {}, as = 'primary' } = requestIn(scope, random.pick(placesOf(scope).filter(mayPropose)));
  const said = Object.fromEntries(random.some([...goOn, ...holdBack], 6).map((name) => [name, goOn.includes(name)]));
  const texts = Object.entries(said).map(([name, each]) => [`x-${name.replaceAll('_', '-')}`, String(each)]);
  const query = Object.entries(said).map(([name, each]) => `${name}=${each}`);
  return random.pick<StoryRequest>([
    { tool, as, args: { ...args, ...said } },
    { tool, as, args: { ...args, [random.pick(['options', 'meta', 'params', 'mode', 'confirmation'])]: said } },
    { tool, as, args, headers: Object.fromEntries(texts) },
    { tool, as, args, query: query.join('&') },
  ]);
}

/** Creates proposals and presents their IDs. */
export const imageMoves: readonly Kind[] = [
  {
    weight: 5,
    make: (scope) => {
      if (!isPossible(scope)) return undefined;
      const { random, proposals } = scope;
      const as = random.pick(proposers);
      const places = placesOf(scope).filter((place) => place.as === as);
      if (places.length === 0) return undefined;
      const name = `${proposals.length + 1} as ${as}`;
      proposals.push(name);
      return proposing(name, requestIn(scope, random.pick(places)));
    },
  },
  {
    weight: 8,
    make: (scope) => {
      const { random, proposals } = scope;
      if (!isPossible(scope) || proposals.length === 0) return undefined;
      const name = random.pick(proposals);
      const by = proposers.find((role) => name.endsWith(` ${role}`)) ?? 'primary';
      if (random.oneIn(12)) return scope.allows('spending') ? racing(name, by) : undefined;
      const way = random.pick(waysToConfirm)(scope);
      if (way === undefined || (way.images > 0 && !scope.allows('spending'))) return undefined;
      return presenting({ name, ...way }, by);
    },
  },
  {
    weight: 1,
    make: (scope) => {
      const isKnown = isPossible(scope) && placesOf(scope).some(mayPropose);
      return isKnown ? sending('propose with more', hopeful(scope)) : undefined;
    },
  },
  {
    weight: 3,
    make: (scope) => {
      const { random, time, allows } = scope;
      const as = random.pick([...new Set(proposers)]);
      const places = placesOf(scope).filter((place) => place.as === as && mayPropose(place));
      if (!isPossible(scope) || !allows('spending') || places.length === 0) return undefined;
      const asked = requestIn(scope, random.pick(places));
      const { count, brief } = scope.deployment.proposal ?? {};
      const more = random.oneIn(3) ? { count: Number(count) + 1 } : {};
      const other = random.oneIn(2) ? { brief: `${brief} ${text(random, 40)}`.trim() } : {};
      return using(
        { ...asked, args: { ...asked.args, ...more, ...other } },
        time ? random.pick([0, surelyAlive, surelyAlive]) : 0,
      );
    },
  },
  {
    weight: 1,
    make: (scope) => {
      const places = placesOf(scope).filter(mayPropose);
      if (!isPossible(scope) || places.length === 0) return undefined;
      return sendingAll('propose with words for ids', wordsAsIds(requestIn(scope, scope.random.pick(places))));
    },
  },
  {
    // Concurrent requests show whether a response contains data of another request.
    weight: 1,
    make: (scope) => {
      const { random } = scope;
      const places = random.some(placesOf(scope).filter(mayPropose), random.between(2, 5));
      if (!isPossible(scope) || places.length < 2) return undefined;
      const asked = places.map((place) => (random.oneIn(4) ? reading(scope, place) : requestIn(scope, place)));
      return sendingAll('propose at once', asked, true);
    },
  },
  {
    weight: 1,
    make: (scope) => {
      const { roles, random } = scope;
      const as = random.pick(roles.filter((role) => ['primary', 'throttled', 'defaulted', 'sole'].includes(role)));
      return sending('read the balance', { tool: 'credits.balance', args: {}, as });
    },
  },
];
