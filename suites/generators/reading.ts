import { plainTools } from '../../fixtures/contract/tools.ts';
import { resemblingId } from '../flows/made-up-ids.ts';
import type { Asked } from '../flows/steps.ts';
import { itemsIn } from '../rules/seen/items.ts';
import type { Kind, Move, Scope } from './move.ts';
import { type Place, placesOf } from './places.ts';
import { sending, sendingAll } from './sending.ts';
import { text, unruly } from './values.ts';

/** How often a request is sent in a row: what it changes may show at the second, the tenth or the thirtieth only. */
const repetitions = [1, 1, 1, 1, 1, 1, 2, 2, 3, 10, 30];

/** A request of a tool that reads, in a place. */
export function reading({ random }: Scope, { as, args }: Place): Asked {
  const query = () => random.pick(['', 'What do we say about our prices?', text(random, 80)]);
  return random
    .weighted([
      { weight: 5, make: (): Asked => ({ tool: random.pick(plainTools), args, as }) },
      { weight: 2, make: (): Asked => ({ tool: 'library.search', args: { ...args, query: query() }, as }) },
      {
        weight: 2,
        make: (): Asked => ({ tool: 'knowledge.search', args: { ...args, query: `About ${query()}` }, as }),
      },
      { weight: 1, make: (): Asked => ({ tool: 'credits.balance', args: {}, as }) },
    ])
    .make();
}

/** Searches, and fetches some of what is found there and, where one is given, in another place. */
function fetching(query: string, place: Place, which: readonly number[], elsewhere: Place | undefined): Move {
  const places = elsewhere === undefined ? [place] : [place, elsewhere];
  return {
    title: 'search and fetch',
    requests: 1 + which.length * places.length,
    play: async ({ t }) => {
      const found = itemsIn(
        await t.send('search', { tool: 'library.search', args: { ...place.args, query }, as: place.as }),
      );
      for (const at of which) {
        const item = found.at(at);
        if (item === undefined) continue;
        for (const { args, as } of places) {
          await t.send('fetch what was found', {
            tool: 'library.get',
            args: { ...args, kind: item.kind, id: item.id },
            as,
          });
        }
      }
    },
    simpler: () => (which.length > 1 ? which.map((at) => fetching(query, place, [at], elsewhere)) : []),
  };
}

/** An item that does not exist, of a kind of which one was found. */
function missing(place: Place, random: string): Move {
  return {
    title: 'fetch what does not exist',
    requests: 3,
    play: async ({ t }) => {
      const { args, as } = place;
      const [item] = itemsIn(await t.send('search', { tool: 'library.search', args: { ...args, query: '' }, as }));
      if (item === undefined) return;
      const asked = { tool: 'library.get', args: { ...args, kind: item.kind, id: item.id }, as };
      await t.send('fetch what was found', asked);
      const id = resemblingId(item.id, random);
      await t.send('fetch what does not exist', { ...asked, args: { ...asked.args, id }, invented: ['id'] });
    },
  };
}

/** Several requests at once, with the same one before and after them, to which their responses are compared. */
function asking(title: string, around: Asked, requests: readonly Asked[]): Move {
  return {
    title,
    requests: requests.length + 2,
    play: async ({ t }) => {
      await t.send(title, around);
      await t.sendAll(title, requests);
      await t.send(title, around);
    },
    simpler: () =>
      requests.length > 2 ? requests.map((_, left) => asking(title, around, requests.toSpliced(left, 1))) : [],
  };
}

/** What reads, in every place, one after the other and at once. */
export const readingMoves: readonly Kind[] = [
  {
    weight: 6,
    make: (scope) => {
      const asked = reading(scope, scope.random.pick(placesOf(scope)));
      // The key that may be exhausted is not exhausted in passing.
      return sending('read', asked, asked.as === 'throttled' ? 1 : scope.random.pick(repetitions));
    },
  },
  {
    // What was chosen for one request must not decide the next.
    weight: 3,
    make: (scope) => {
      const tool = scope.random.pick(plainTools);
      const places = scope.random.some(placesOf(scope), 3);
      const requests = [...places, ...places.slice(0, 1)].map(({ as, args }) => ({ tool, args, as }));
      return sendingAll('read in turn', requests);
    },
  },
  {
    weight: 2,
    make: (scope) => {
      const places = scope.random.some(placesOf(scope), scope.random.between(2, 6));
      return sendingAll(
        'read at once',
        places.map((place) => reading(scope, place)),
        true,
      );
    },
  },
  {
    // What one response says of another's request shows most where both ask for the same.
    weight: 2,
    make: (scope) => {
      const { random } = scope;
      const tool = random.pick([...plainTools, 'credits.balance'] as const);
      const isBalance = tool === 'credits.balance';
      // A balance is the same wherever a key works.
      const differing = isBalance
        ? [...new Map(placesOf(scope).map((place) => [place.as, place])).values()]
        : placesOf(scope);
      const places = random.some(differing, random.between(2, 6));
      const requests = places.map(({ as, args }): Asked => ({ tool, args: isBalance ? {} : args, as }));
      const before: Asked = { tool, args: isBalance ? {} : (requests[0]?.args ?? {}) };
      return asking('ask for the same at once', before, requests);
    },
  },
  {
    weight: 2,
    make: (scope) => {
      const { random } = scope;
      const [place, other] = random.some(placesOf(scope), 2);
      if (place === undefined) return undefined;
      const which = random.some([0, 1, 2, 3, 5, 8, -1, -2], random.between(1, 3));
      return fetching(random.oneIn(2) ? '' : text(random, 20), place, which, random.oneIn(3) ? other : undefined);
    },
  },
  {
    weight: 1,
    make: (scope) => missing(scope.random.pick(placesOf(scope)), scope.random.letters(16)),
  },
  {
    // Texts that fit, and that decoders and look-ups stumble over.
    weight: 2,
    make: (scope) => {
      const { random, known } = scope;
      const args = known.workspace === undefined ? {} : { workspace: known.workspace };
      const asked = random.pick([
        { tool: 'library.search', args: { ...args, query: unruly(random) } },
        { tool: 'knowledge.search', args: { ...args, query: unruly(random) } },
        { tool: 'library.get', args: { ...args, kind: unruly(random), id: unruly(random) } },
      ]);
      return sending('read with an odd text', asked);
    },
  },
];
