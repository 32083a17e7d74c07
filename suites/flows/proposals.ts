import { isSuccess } from '../history/exchange.ts';
import { flow } from './flow.ts';
import { briefFor, proposing, without } from './images.ts';
import { hexadecimal, otherCase, resemblingId } from './made-up-ids.ts';
import type { Args, Asked, Steps } from './steps.ts';

const needs = { effects: ['proposals'], settings: ['board'] } as const;
const tool = 'images.generate';

/** Proposals with other values that may be accepted, and in every place where a key may propose. */
export const proposals = flow(
  'proposals',
  {
    lane: 'writing',
    needs,
    uses: ['proposal'],
    witnesses: [
      'image-proposals.proposed',
      'image-proposals.confirmation-id',
      'image-proposals.confirmation-id-new',
      'image-proposals.request-summary',
      'image-proposals.run-id-null',
      'image-proposals.count-as-asked',
      'image-proposals.aspect-ratio-as-asked',
      'image-proposals.board-as-asked',
      'image-proposals.working-in-source',
      'image-proposals.works-in-named-workspace',
      'image-proposals.works-without-argument',
    ],
  },
  async (t) => {
    const { count, shape } = t.proposal();
    const other = t.known.shapes.find((each) => each !== shape);
    const { otherWorkspace: workspace, otherBoard: board } = t.known;
    const there = workspace === undefined || board === undefined ? undefined : { workspace, board };
    // At one moment, so that what one response says of another's request shows.
    await t.sendAll('propose here and there', [
      proposing(t),
      proposing(t, { brief: longBrief }),
      ...(there === undefined ? [] : [proposing(t, { ...there, brief: briefFor(t, "another's wall") })]),
      proposing(t, { count: Number(count) + 1 }),
      ...(other === undefined ? [] : [proposing(t, { shape: other })]),
    ]);
    const roles = (['pinned', 'defaulted', 'sole'] as const).filter((role) => t.has(role));
    if (roles.length === 0)
      t.cannot('no key that resolves to a workspace without the argument', { kind: 'role', role: 'sole' });
    for (const as of roles) {
      const own = await t.send(`read where ${as} works by itself`, { tool: 'schedule.read', args: {}, as });
      const its = boardOf(t, isSuccess(own) ? (own.response.json as Args).workspace : undefined);
      const args = { ...without(t.proposal(), 'workspace'), ...(its === undefined ? {} : { board: its }) };
      await t.send(`propose as ${as}, without naming the workspace`, { tool, args, as });
    }
  },
);

/** A brief as long as people write them: it may be too long. */
const longBrief = 'A grey square on a white wall, in the light of the morning. '.repeat(5);

/** A board that is known in a workspace. */
function boardOf({ known }: Steps, workspace: unknown): string | undefined {
  if (workspace === known.workspace) return known.board;
  return workspace === known.otherWorkspace ? known.otherBoard : undefined;
}

/** Fields with values that the schema does not admit; undefined leaves a field out. */
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

/** What breaks a server that divides, parses or counts carelessly: whether it is refused or proposed is not said. */
const odd: readonly Args[] = [
  ...[{ shape: 'square' }, { shape: '0:0' }, { count: 1e20 }],
  ...[1_100, 5_000].map((length) => ({ brief: 'A grey square. '.repeat(length / 15) })),
  { brief: 'A grey square \u{1F98A}\non a white wall' },
];

/** What a server may narrow or replace without a word: a proposal repeats it as it was asked. */
const replaceable: readonly Args[] = [{ count: 2 ** 31 }, { count: 2 ** 32 + 1 }, { shape: 'tck' }];

/** The accepted request with one thing wrong. */
export const badProposals = flow(
  'bad proposals',
  {
    lane: 'writing',
    needs,
    uses: ['proposal'],
    witnesses: [
      'image-proposals.board-missing-refused',
      'image-proposals.brief-missing-refused',
      'image-proposals.count-missing-refused',
      'image-proposals.shape-missing-refused',
      'image-proposals.count-fraction-refused',
      'image-proposals.count-wrong-type-refused',
      'image-proposals.board-wrong-type-refused',
      'image-proposals.brief-wrong-type-refused',
      'image-proposals.shape-wrong-type-refused',
      'image-proposals.board-unknown-refused',
      'image-proposals.board-elsewhere-refused',
      'image-proposals.workspace-empty-refused',
      'image-proposals.workspace-wrong-type-refused',
      'image-proposals.workspace-unknown-refused',
      'image-proposals.workspace-unreachable-refused',
    ],
  },
  async (t) => {
    const board = String(t.proposal().board);
    // A list of one that would be accepted is more tempting than any other.
    const lists = ['board', 'brief', 'count', 'shape'].map((name) => ({ [name]: [t.proposal()[name]] }));
    const list = { workspace: [t.proposal().workspace ?? 'a'] };
    await t.sendAll(
      'propose with a bad field',
      [...bad, ...lists, list].map((change) => proposing(t, change)),
    );
    const boards = [resemblingId(board, t.text('unknown board')), 'constructor', '', ...resembling(t, board)];
    await t.sendAll(
      'propose with an odd value',
      odd.map((change) => ({ ...proposing(t, change), odd: true })),
    );
    await t.sendAll(
      'propose with a value that may be replaced',
      replaceable.map((change) => proposing(t, change)),
    );
    await t.sendAll(
      'propose on a board that does not exist',
      boards.map((each): Asked => ({ ...proposing(t, { board: each }), invented: ['board'] })),
    );
    const workspace = `tck-${t.text('unknown workspace')}`;
    const fallible = (['defaulted', 'sole'] as const).filter((role) => t.has(role)).slice(0, 1);
    for (const as of ['primary', ...fallible] as const) {
      const asked = { ...proposing(t, { workspace }), as, invented: ['workspace'] };
      await t.send(`propose in a workspace that does not exist, as ${as}`, asked);
    }
    await t.part(async () => {
      await t.send('propose on a board of the other workspace', proposing(t, { board: t.setting('otherBoard') }));
    });
    await t.part(async () => {
      const theirs = t.setting('otherAccountWorkspace');
      const their = { workspace: theirs, board: t.known.otherAccountBoard ?? board };
      await t.send('propose in a workspace of another account', { ...proposing(t, their) });
    });
  },
);

/** The id of a board with a letter more, one less and its first half, and in other case if that is not the same id. */
function resembling(t: Steps, board: string): string[] {
  const half = [...board].slice(0, Math.ceil(board.length / 2)).join('');
  const spellings = hexadecimal.test(board) ? [] : [otherCase(board)];
  const known = [board, t.known.otherBoard, t.known.otherAccountBoard];
  const shorter = board.length >= 8 ? [board.slice(0, -1)] : [];
  return [`${board}x`, ...shorter, ...(board.length >= 10 ? [half] : []), ...spellings].filter(
    (each) => !known.includes(each),
  );
}
