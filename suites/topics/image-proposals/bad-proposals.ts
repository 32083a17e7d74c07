import { missingRefused, refusesField, wrongTypeRefused } from '../../expectations/refuses-field.ts';
import type { Rule } from '../../expectations/rule.ts';
import { proposing } from '../requests/proposals.ts';
import type { Args } from '../steps.ts';
import { story } from '../story.ts';
import { isFirstCall, needs, tool } from './first-call.ts';

/** Arguments of the first call. Another requirement covers missing arguments of the second call. */
const args = { topic: 'image-proposals', tools: [tool], source: 'images.generate, request' } as const;

function onFirstCall(rule: Rule): Rule {
  return { ...rule, applies: (exchange, seen) => isFirstCall(exchange) && rule.applies(exchange, seen) };
}

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
  requirements: [
    onFirstCall(missingRefused(args, 'board')),
    onFirstCall(missingRefused(args, 'brief')),
    onFirstCall(missingRefused(args, 'count')),
    onFirstCall(missingRefused(args, 'shape')),
    onFirstCall(
      refusesField({
        ...args,
        id: 'image-proposals.count-fraction-refused',
        what: 'a fractional `count`',
        field: 'count',
        ways: ['fraction'],
        hint: 'Accept only whole numbers; do not round.',
      }),
    ),
    onFirstCall(wrongTypeRefused(args, 'count', 'number')),
    onFirstCall(wrongTypeRefused(args, 'board')),
    onFirstCall(wrongTypeRefused(args, 'brief')),
    onFirstCall(wrongTypeRefused(args, 'shape')),
    onFirstCall(
      refusesField({
        ...args,
        id: 'image-proposals.workspace-empty-refused',
        what: 'an empty `workspace`',
        source: 'images.generate, request; Limits',
        field: 'workspace',
        ways: ['too-short'],
        hint: 'Refuse an empty slug.',
      }),
    ),
    onFirstCall(wrongTypeRefused(args, 'workspace')),
  ],
});
