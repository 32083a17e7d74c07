import { limits } from '../../fixtures/contract/limits.ts';
import type { Role } from '../../fixtures/roles.ts';
import { confirming, type Proposal, proposalOf } from '../flows/images.ts';
import { neverIssued, otherCase } from '../flows/made-up-ids.ts';
import type { Args, Asked } from '../flows/steps.ts';
import { goOn, holdBack, words } from '../flows/ways-round.ts';
import { mostRunners } from '../session/spending.ts';
import type { Kind, Move, Play, Scope } from './move.ts';
import { type Place, placesOf } from './places.ts';
import { reading } from './reading.ts';
import { sending, sendingAll } from './sending.ts';
import { text } from './values.ts';

const { surelyAlive } = limits.confirmation;
const tool = 'images.generate';

/** A proposal by any key in any place where a board is known, with what was accepted or a little more. */
function requestIn({ known, random }: Scope, { as, args: place, board }: Place): Asked {
  const { workspace: _, ...accepted } = known.proposal ?? {};
  const { count, shape, brief } = accepted;
  const change = random.pick<Args>([
    {},
    {},
    // Images are scarce: each one more is paid for when the id is confirmed.
    { count: Number(count) + random.pick([1, 1, 1, 2]) },
    { shape: random.pick(known.shapes.slice(0, 4)) },
    { brief: `${brief} ${text(random, 40)}`.trim() },
  ]);
  return { tool, args: { ...accepted, board: board ?? accepted.board, ...place, shape, brief, ...change }, as };
}

/** Proposes under a name by which later moves find the id. */
function proposing(name: string, asked: Asked): Move {
  return {
    title: `propose ${name}`,
    requests: 1,
    proposes: name,
    play: async ({ t, proposals }) => {
      const exchange = await t.send(`propose ${name}`, asked);
      proposals.set(name, proposalOf(t, asked.args ?? {}, exchange));
    },
  };
}

interface Presenting {
  readonly title: string;
  readonly name: string;
  /** What it could cost at most: a refusal of what may run counts too. */
  readonly images: number;
  readonly times?: number;
  readonly ask: (proposal: Proposal, play: Play) => Asked | undefined;
}

/** Presents the id of a proposal, by the key that proposed unless it is said otherwise. */
function presenting({ title, name, images, times = 1, ask }: Presenting, by: Role): Move {
  return {
    title: `${title} ${name}`,
    requests: times,
    images,
    about: name,
    play: async (play) => {
      const proposal = play.proposals.get(name) ?? play.t.cannot(`${name} was not proposed`);
      const asked = ask(proposal, play);
      if (asked === undefined) return;
      for (let number = 1; number <= times; number += 1) await play.t.send(`${title} ${name}`, { as: by, ...asked });
    },
  };
}

const confirmed = (it: Proposal) => confirming(it);

/** Every way to present an id. What may run counts as an image. */
const presentations: readonly ((scope: Scope) => Omit<Presenting, 'name'> | undefined)[] = [
  () => ({ title: 'confirm', images: 1, ask: confirmed }),
  ...[2, 3].map((times) => () => ({ title: 'confirm again and again', images: 1, times, ask: confirmed })),
  ({ random }) => {
    const more = random.between(1, 2);
    const ask = (it: Proposal) => confirming(it, { count: Number(it.args.count) + more });
    return { title: `confirm with a count larger by ${more}`, images: 1 + more, ask };
  },
  ({ random, known }) => {
    const shape = random.pick(known.shapes.slice(0, 4));
    return { title: `confirm with the shape ${shape}`, images: 1, ask: (it) => confirming(it, { shape }) };
  },
  () => ({
    title: 'confirm with another brief',
    images: 1,
    ask: (it) => confirming(it, { brief: `${it.args.brief}.` }),
  }),
  ({ known }) => ({
    title: 'confirm with a board of another workspace',
    images: 1,
    ask: (it) => (known.otherBoard === undefined ? undefined : confirming(it, { board: known.otherBoard })),
  }),
  ({ random }) => {
    const left = random.pick(['board', 'brief', 'count', 'shape']);
    return { title: `present without ${left}`, images: 0, ask: (it) => confirming(it, { [left]: undefined }) };
  },
  ({ known }) => ({
    title: 'present in another workspace',
    images: 0,
    ask: (it) => {
      const { workspace, board, otherWorkspace, otherBoard } = known;
      const isHere = it.args.workspace === workspace;
      const away = isHere ? { workspace: otherWorkspace, board: otherBoard } : { workspace, board };
      return away.workspace === undefined || away.board === undefined ? undefined : confirming(it, away);
    },
  }),
  ({ roles, known }) => {
    const { otherAccountWorkspace: workspace, otherAccountBoard: board } = known;
    if (!roles.includes('otherAccount') || workspace === undefined || board === undefined) return undefined;
    return {
      title: 'present as another account',
      images: 0,
      ask: (it) => ({ ...confirming(it, { workspace, board }), as: 'otherAccount' as const }),
    };
  },
  ({ random }) => {
    const workspace = `tck-${random.letters(9)}`;
    return {
      title: 'present in a workspace that does not exist',
      images: 0,
      ask: (it) => ({ ...confirming(it, { workspace }), invented: ['workspace'] }),
    };
  },
  () => ({ title: 'present an id like that of', images: 0, ask: (it, { t }) => neverIssued(t, it) }),
  () => ({
    title: 'present an id in other case than that of',
    images: 0,
    ask: (it) => {
      const id = otherCase(it.id);
      return id === it.id ? undefined : confirming(it, { confirmation_id: id });
    },
  }),
  ({ roles }) => {
    // Whether another key of the account may confirm is not said: it may run.
    const other = (['defaulted', 'ambiguous', 'throttled'] as const).find((role) => roles.includes(role));
    return other && { title: `present as ${other}`, images: 1, ask: (it) => ({ ...confirming(it), as: other }) };
  },
  () => ({ title: 'propose again what was', images: 0, ask: ({ args }) => ({ tool, args }) }),
];

/** Presents an id several times at one moment. */
function racing(name: string, by: Role): Move {
  return {
    title: `confirm ${name} at once`,
    requests: mostRunners,
    images: mostRunners,
    about: name,
    play: ({ t, proposals }) => {
      const proposal = proposals.get(name) ?? t.cannot(`${name} was not proposed`);
      return t.sendTogether(`confirm ${name} at once`, { ...confirming(proposal), as: by }, mostRunners);
    },
  };
}

/**
 * Proposes, lets time pass and confirms: what lives shorter than elsewhere shows only so. The used id, and one that was
 * never issued, must be answered alike, to every key.
 */
function using(asked: Asked, minutes: number): Move {
  const title = `confirm after ${minutes} minutes, and present again`;
  return {
    title,
    requests: 5,
    images: Number(asked.args?.count ?? 1),
    play: async ({ t }) => {
      const as = asked.as ?? 'primary';
      const exchange = await t.send('propose what waits', asked);
      const proposal = proposalOf(t, asked.args ?? {}, exchange);
      await t.passSince(exchange, minutes, title);
      await t.send('present an id that was never issued', { ...neverIssued(t, proposal), as });
      for (let times = 1; times <= 3; times += 1) await t.send(title, { ...confirming(proposal), as });
    },
    simpler: () => (minutes > 0 ? [using(asked, 0)] : []),
  };
}

/** Words in the place of an id, none of which confirms anything. */
function wordsAsIds({ args, as = 'primary' }: Asked): Asked[] {
  return [...words, 'last', 'any', 'confirm'].map((confirmation_id) => ({
    ...{ tool, as, args: { ...args, confirmation_id } },
    invented: ['confirmation_id'],
  }));
}

/** Roles that may propose in a place that is known, by whom the same id is presented. */
const proposers: readonly Role[] = ['primary', 'primary', 'defaulted', 'sole', 'otherAccount', 'ambiguous'];

const mayPropose = ({ as, board }: Place) => board !== undefined && proposers.includes(as);

const isPossible = ({ known, allows }: Scope) => known.proposal !== undefined && allows('proposals');

/** A proposal with something by which somebody may hope to need one call only. */
function hopeful(scope: Scope): Asked {
  const { random } = scope;
  const { args = {}, as = 'primary' } = requestIn(scope, random.pick(placesOf(scope).filter(mayPropose)));
  const said = Object.fromEntries(random.some([...goOn, ...holdBack], 6).map((name) => [name, goOn.includes(name)]));
  const texts = Object.entries(said).map(([name, each]) => [`x-${name.replaceAll('_', '-')}`, String(each)]);
  const query = Object.entries(said).map(([name, each]) => `${name}=${each}`);
  return random.pick<Asked>([
    { tool, as, args: { ...args, ...said } },
    { tool, as, args: { ...args, [random.pick(['options', 'meta', 'params', 'mode', 'confirmation'])]: said } },
    { tool, as, args, headers: Object.fromEntries(texts) },
    { tool, as, args, query: query.join('&') },
  ]);
}

/** Proposals and what is done with their ids. */
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
      const way = random.pick(presentations)(scope);
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
      const { count, brief } = scope.known.proposal ?? {};
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
    // What one response says of another's request shows where they are under way together.
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
