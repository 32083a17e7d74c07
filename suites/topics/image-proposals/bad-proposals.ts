import { argumentIds } from '../../model/rows/arguments.ts';
import { proposing } from '../requests/proposals.ts';
import type { Args } from '../steps.ts';
import { story } from '../story.ts';
import { needs, tool } from './first-call.ts';

/** Fields with values that violate the schema; undefined omits the field. */
const bad: readonly Args[] = [
  { board: undefined },
  { board: null },
  { brief: undefined },
  { brief: null },
  { count: undefined },
  { shape: undefined },
  { shape: null },
  { count: 1.5 },
  { count: 1.001 },
  { count: 1.999999 },
  { count: '1' },
  { count: true },
  { count: null },
  { board: 5 },
  { brief: 5 },
  { shape: 1 },
  { workspace: '' },
  { workspace: 0 },
];

/** Values that break careless arithmetic, parsing or counting. The server may refuse them or propose. */
const odd: readonly Args[] = [
  ...[{ shape: 'square' }, { shape: '0:0' }, { count: 1e20 }],
  ...[1_100, 5_000].map((length) => ({ brief: 'A grey square. '.repeat(length / 15) })),
  { brief: 'A grey square \u{1F98A}\non a white wall' },
];

/** Values that a server may silently truncate or replace. A proposal must repeat the requested value. */
const replaceable: readonly Args[] = [
  ...[-1, 0, 2 ** 8 + 1, 2 ** 16 + 1, 2 ** 31, 2 ** 32 + 1].map((count) => ({ count })),
  { shape: 'tck' },
];

export const badProposals = story('invalid proposals', {
  needs,
  steps: async (t) => {
    // Lenient servers often accept a list with one valid element.
    const lists = ['board', 'brief', 'count', 'shape'].map((name) => ({ [name]: [t.proposal()[name]] }));
    const list = { workspace: [t.proposal().workspace ?? 'a'] };
    await t.sendInParallel(
      'propose with a bad field',
      [...bad, ...lists, list].map((change) => proposing(t, change)),
    );
    await t.sendInParallel(
      'propose with an odd value',
      odd.map((change) => ({ ...proposing(t, change), odd: true })),
    );
    await t.sendInParallel(
      'propose with a value that may be replaced',
      replaceable.map((change) => proposing(t, change)),
    );
  },
  alsoTests: argumentIds(tool),
});
