import { accountTools, isWorkspaceScoped, plainTools, toolsWithoutBody } from '../../fixtures/contract/tools.ts';
import { itemsIn } from '../situations/items.ts';
import { resemblingId } from '../topics/requests/made-up-ids.ts';
import type { StoryRequest } from '../topics/steps.ts';
import type { Kind, Move, Scope } from './move.ts';
import { type Place, placesOf } from './places.ts';
import { sending, sendingAll } from './sending.ts';
import { text, unruly } from './values.ts';

/** Numbers of repetitions. A side effect may show only at the second, tenth or thirtieth request. */
const repetitions = [1, 1, 1, 1, 1, 1, 2, 2, 3, 10, 30];

/** Returns a request in a place for a tool that only reads. */
export function reading({ random }: Scope, { as, args }: Place): StoryRequest {
  const query = () => random.pick(['', 'What do we say about our prices?', text(random, 80)]);
  return random
    .weighted([
      { weight: 5, make: (): StoryRequest => ({ tool: random.pick(plainTools), args, as }) },
      { weight: 2, make: (): StoryRequest => ({ tool: 'library.search', args: { ...args, query: query() }, as }) },
      {
        weight: 2,
        make: (): StoryRequest => ({ tool: 'knowledge.search', args: { ...args, query: `About ${query()}` }, as }),
      },
      { weight: 1, make: (): StoryRequest => ({ tool: 'credits.balance', args: {}, as }) },
      { weight: 1, make: (): StoryRequest => ({ tool: random.pick(toolsWithoutBody), as }) },
    ])
    .make();
}

/** Searches, then fetches some of the results in the same place and, if given, in another place. */
function fetching(query: string, place: Place, which: readonly number[], elsewhere: Place | undefined): Move {
  const places = elsewhere === undefined ? [place] : [place, elsewhere];
  return {
    title: 'search and fetch',
    requests: 1 + which.length * places.length,
    play: async ({ t }) => {
      const items = itemsIn(
        await t.send('search', { tool: 'library.search', args: { ...place.args, query }, as: place.as }),
      );
      for (const at of which) {
        const item = items.at(at);
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
  };
}

/** Fetches an item that does not exist. Its kind comes from an existing item. */
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

/** Sends several requests at once, between two identical requests for comparison. */
function asking(title: string, around: StoryRequest, requests: readonly StoryRequest[]): Move {
  return {
    title,
    requests: requests.length + 2,
    play: async ({ t }) => {
      await t.send(title, around);
      await t.sendInParallel(title, requests);
      await t.send(title, around);
    },
  };
}

/** Requests that only read, in every place, one after another or at once. */
export const readingMoves: readonly Kind[] = [
  {
    weight: 6,
    make: (scope) => {
      const asked = reading(scope, scope.random.pick(placesOf(scope)));
      // Do not repeat requests of `throttled`, whose rate limit must not be exhausted by accident.
      return sending('read', asked, asked.as === 'throttled' ? 1 : scope.random.pick(repetitions));
    },
  },
  {
    // The workspace of one request must not affect the next request.
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
    // Identical concurrent requests show best whether a response contains data of another request.
    weight: 2,
    make: (scope) => {
      const { random } = scope;
      const tool = random.pick([...plainTools, ...accountTools]);
      const isOfAccount = !isWorkspaceScoped(tool);
      const differing = isOfAccount
        ? [...new Map(placesOf(scope).map((place) => [place.as, place])).values()]
        : placesOf(scope);
      const places = random.some(differing, random.between(2, 6));
      const requests = places.map(({ as, args }): StoryRequest => ({ tool, args: isOfAccount ? {} : args, as }));
      const before: StoryRequest = { tool, args: isOfAccount ? {} : (requests[0]?.args ?? {}) };
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
    // Valid texts that often break decoders and lookups.
    weight: 2,
    make: (scope) => {
      const { random, deployment } = scope;
      const args = deployment.workspace === undefined ? {} : { workspace: deployment.workspace };
      const asked = random.pick([
        { tool: 'library.search', args: { ...args, query: unruly(random) } },
        { tool: 'knowledge.search', args: { ...args, query: unruly(random) } },
        { tool: 'library.get', args: { ...args, kind: unruly(random), id: unruly(random) } },
      ]);
      return sending('read with an odd text', asked);
    },
  },
];
