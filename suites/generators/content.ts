import { formats } from '../../fixtures/contract/enums.ts';
import { limits } from '../../fixtures/contract/limits.ts';
import type { Args, Asked } from '../flows/steps.ts';
import type { Kind, Move, Scope } from './move.ts';
import { type Place, placesOf } from './places.ts';
import { reading } from './reading.ts';
import { asciiText, text } from './values.ts';

const dayMs = 24 * 3600 * 1000;

/** A coming day: near or far, at the end of a month, of any weekday. No particular one is promised to be open. */
function dayFor({ random, known }: Scope): string {
  const open = Date.parse(`${known.contentRequest?.day}T00:00:00Z`);
  const later = random.pick([0, 0, 1, 2, 3, 4, 5, 6, 7, 30, 60]);
  const day = new Date(open + later * dayMs);
  const isEnd = random.oneIn(4);
  const end = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0));
  return (isEnd ? end : day).toISOString().slice(0, 10);
}

/** A title of any allowed length, recognizable where there is room for it; undefined for none. */
function titleFor({ random, known }: Scope): string | undefined {
  const { most } = limits.title;
  const start = `tck ${known.runId} `;
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

/** Creates, and then reads in another place: what was chosen for one must not decide the other. */
function creating(asked: Asked, then: readonly Asked[]): Move {
  return {
    title: 'create a content request',
    requests: 1 + then.length,
    creates: 1,
    play: async ({ t }) => {
      await t.send('create a content request', asked);
      for (const each of then) await t.send('read after that', each);
    },
    simpler: () => [
      ...(then.length > 0 ? [creating(asked, [])] : []),
      ...shorter(asked.args ?? {}).map((args) => creating({ ...asked, args }, then)),
    ],
  };
}

/** Half of the words behind the mark by which a title is recognized. */
function shorter(args: Args): Args[] {
  const [, start = '', rest = ''] = /^(tck \w+ )?(.*)$/s.exec(String(args.title ?? '')) ?? [];
  if (rest.length < 2) return [];
  const middle = Math.ceil(rest.length / 2);
  return [rest.slice(0, middle), rest.slice(middle)].map((half) => ({ ...args, title: `${start}${half}` }));
}

function creationIn(scope: Scope, { as, args: place }: Place): Asked {
  const { workspace: _, ...accepted } = scope.known.contentRequest ?? {};
  const title = titleFor(scope);
  // One thing at a time: what is wrong with a title shows where the rest was accepted before.
  const change = scope.random.pick([{}, {}, {}, { day: dayFor(scope) }, { format: scope.random.pick(formats) }]);
  return { tool: 'content.create_request', args: { ...accepted, title, ...change, ...place }, as };
}

/** What creates something, with every value that may be allowed, by every key. */
export const contentMoves: readonly Kind[] = [
  {
    weight: 2,
    make: (scope) => {
      const { random, known, allows } = scope;
      if (known.contentRequest === undefined || !allows('writes')) return undefined;
      const [any, other] = random.some(placesOf(scope), 2);
      const usual = placesOf(scope).find(({ as }) => as === 'primary');
      const place = random.oneIn(2) ? usual : any;
      if (place === undefined) return undefined;
      const then = other === undefined ? [] : [reading(scope, other), reading(scope, { ...place, args: {} })];
      return creating(creationIn(scope, place), random.oneIn(2) ? then : []);
    },
  },
];
