import { formats } from '../../fixtures/contract/enums.ts';
import { limits } from '../../fixtures/contract/limits.ts';
import type { StoryRequest } from '../topics/steps.ts';
import type { Kind, Move, Scope } from './move.ts';
import { type Place, placesOf } from './places.ts';
import { reading } from './reading.ts';
import { asciiText, text } from './values.ts';

const dayMs = 24 * 3600 * 1000;

/**
 * Returns a future day on or after the known open day, sometimes the last day of a month. The server may be closed on
 * it.
 */
function dayFor({ random, deployment }: Scope): string {
  const open = Date.parse(`${deployment.contentRequest?.day}T00:00:00Z`);
  const later = random.pick([0, 0, 1, 2, 3, 4, 5, 6, 7, 30, 60]);
  const day = new Date(open + later * dayMs);
  const isEnd = random.oneIn(4);
  const end = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0));
  return (isEnd ? end : day).toISOString().slice(0, 10);
}

/** Returns a title of any allowed length, or undefined. Titles start with the run ID. */
function titleFor({ random, deployment }: Scope): string | undefined {
  const { most } = limits.title;
  const start = `tck ${deployment.runId} `;
  const longest = most - start.length;
  const filled = (length: number) => start.padEnd(length, random.pick(['x', 'word ', 'A-1.'])).slice(0, length - 1);
  return random.pick([
    () => undefined,
    () => `${start}${random.letters(6)}`,
    () => `${start}${asciiText(random, longest - 1)}.`,
    () => `${start}${random.ascii(60, longest - 1)}.`,
    () => `${start}${random.ascii(60, 100)}.\n${random.ascii(1, longest - 110)}.`,
    () => `${start}${text(random, 60)}`,
    () => `${filled(random.pick([most - 2, most - 1, most, most - 50]))}.`,
  ])();
}

/** Creates a content request, then reads in another place. The first workspace must not affect the later requests. */
function creating(asked: StoryRequest, then: readonly StoryRequest[]): Move {
  return {
    title: 'create a content request',
    requests: 1 + then.length,
    creates: 1,
    play: async ({ t }) => {
      await t.send('create a content request', asked);
      for (const request of then) await t.send('read after that', request);
    },
  };
}

function creationIn(scope: Scope, { as, args: place }: Place): StoryRequest {
  const { workspace: _, ...accepted } = scope.deployment.contentRequest ?? {};
  const title = titleFor(scope);
  // Change at most one other argument, so that a problem with the title stays visible.
  const change = scope.random.pick([{}, {}, {}, { day: dayFor(scope) }, { format: scope.random.pick(formats) }]);
  return { tool: 'content.create_request', args: { ...accepted, title, ...change, ...place }, as };
}

/** Creates content requests with every value that a server may accept, with every key. */
export const contentMoves: readonly Kind[] = [
  {
    weight: 2,
    make: (scope) => {
      const { random, deployment, allows } = scope;
      if (deployment.contentRequest === undefined || !allows('writes')) return undefined;
      const [any, other] = random.some(placesOf(scope), 2);
      const usual = placesOf(scope).find(({ as }) => as === 'primary');
      const place = random.oneIn(2) ? usual : any;
      if (place === undefined) return undefined;
      const then = other === undefined ? [] : [reading(scope, other), reading(scope, { ...place, args: {} })];
      return creating(creationIn(scope, place), random.oneIn(2) ? then : []);
    },
  },
];
