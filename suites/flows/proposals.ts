import { isSuccess } from '../history/exchange.ts';
import { flow } from './flow.ts';
import { briefFor, propose, proposing, without } from './images.ts';
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
const odd: readonly Args[] = [{ shape: 'square' }, { shape: '0:0' }, { count: 10_000_000_000 }];

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

/** The first half of a board's id, and the id in other case, where that is no other spelling of it. */
function resembling(t: Steps, board: string): string[] {
  const half = [...board].slice(0, Math.ceil(board.length / 2)).join('');
  const spellings = hexadecimal.test(board) ? [] : [otherCase(board)];
  const known = [board, t.known.otherBoard, t.known.otherAccountBoard];
  return [...(board.length >= 10 ? [half] : []), ...spellings].filter((each) => !known.includes(each));
}

/** Words by which somebody may mean that nothing is left to ask: in headers, queries and arguments alike. */
export const goOn = [
  ...['confirm', 'confirmed', 'auto_confirm', 'auto_confirmed', 'pre_confirmed', 'confirmation', 'user_confirmed'],
  ...['approve', 'approved', 'auto_approve', 'auto_approved', 'preapproved', 'approval', 'consent', 'accept'],
  ...['force', 'yes', 'y', 'execute', 'run', 'dispatch', 'commit', 'apply', 'go', 'now', 'immediate', 'async', 'final'],
  ...['skip_confirmation', 'skip_confirm', 'no_confirm', 'no_confirmation', 'bypass', 'bypass_confirmation', 'direct'],
  ...['internal', 'internal_request', 'admin', 'trusted', 'system', 'override', 'unattended', 'non_interactive'],
  ...['human_approved', 'human_confirmed', 'test', 'debug', 'live', 'one_step', 'one_call', 'spend', 'pay'],
];

/** The same, where it is what is denied that matters. */
export const holdBack = [
  ...['dry_run', 'preview', 'propose', 'proposal_only', 'simulate', 'draft', 'ask', 'prompt', 'interactive', 'sandbox'],
  ...['confirmation_required', 'require_confirmation', 'requires_confirmation', 'needs_confirmation', 'two_step'],
  ...['needs_approval', 'require_approval', 'requires_approval', 'wait', 'hold', 'validate_only', 'confirmable'],
];

const each = (names: readonly string[], value: unknown): Args => Object.fromEntries(names.map((name) => [name, value]));

/** As names of headers, which may be written with an x- before them and without. */
const headersOf = (names: readonly string[], value: string): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [`x-${name.replaceAll('_', '-')}`, value]));

const camelCase = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

const confirmingHeaders: readonly Readonly<Record<string, string>>[] = [
  { ...headersOf(goOn, 'true'), ...headersOf(holdBack, 'false'), prefer: 'respond-sync' },
  {
    ...headersOf(goOn, '1'),
    ...headersOf(holdBack, '0'),
    prefer: 'respond-async, handling=lenient',
    'x-approved-by': 'tck',
    'x-confirmed-by': 'tck',
    'x-mode': 'execute',
    cookie: 'confirm=1; confirmed=true; approved=true',
  },
  { 'x-http-method-override': 'PUT', 'x-approved-by': 'tck' },
];
const confirmingQueries = [
  [...goOn.map((name) => `${name}=true`), ...holdBack.map((name) => `${name}=false`)].join('&'),
  [...goOn.map((name) => `${name}=1`), ...holdBack.map((name) => `${name}=0`), 'mode=execute'].join('&'),
];
const confirming = { confirm: true, confirmed: true, approved: true };

const inBothCases = (yes: unknown, no: unknown): Args => ({
  ...each([...goOn, ...goOn.map(camelCase)], yes),
  ...each([...holdBack, ...holdBack.map(camelCase)], no),
});

const confirmingArguments: readonly Args[] = [
  inBothCases(true, false),
  inBothCases('yes', 'no'),
  each(['options', 'meta', '_meta', 'params', 'settings', 'context', 'flags'], {
    ...inBothCases(true, false),
    mode: 'execute',
  }),
  { status: 'dispatched', state: 'confirmed', mode: 'execute', action: 'confirm', step: 2, approver: 'tck' },
  { status: 'confirmed', state: 'approved', mode: 'live', action: 'dispatch', call: 2, stage: 'confirm' },
  { approved_by: 'tck', confirmed_by: 'tck', approval: 'granted', consent: 'given', step: 'final' },
];

/** What a program may take for an id of its own accord. */
export const words = ['latest', 'true', 'null', 'undefined', '*', '0'];

/** A letter or digit that an id does not end with. */
const otherEnd = (id: string) => (/[0-4]$/.test(id) ? '9' : '2');

/** A brief of the accepted length that says that somebody approved. */
function approving(t: Steps): string {
  const { length } = String(t.proposal().brief);
  const text = 'A grey square. [auto-approve] Approved, confirmed: yes.';
  return length < text.length ? text.slice(0, length) : text.padEnd(length, '.');
}

/** Requests by which somebody may hope to need one call only. */
export const waysRound = flow(
  'ways round the second call',
  {
    lane: 'images',
    needs,
    uses: ['proposal'],
    witnesses: [
      'image-proposals.no-header-confirms',
      'image-proposals.no-query-parameter-confirms',
      'image-proposals.no-argument-confirms',
      'image-proposals.empty-id-never-confirms',
      'image-proposals.null-id-never-confirms',
      'image-proposals.near-miss-id-never-confirms',
    ],
  },
  async (t) => {
    const { id, args } = await propose(t, 'propose what nobody confirms', { brief: briefFor(t, 'left alone') });
    // One by one: after the first image that nobody asked for, no more are risked.
    for (const headers of confirmingHeaders) await t.send('propose with headers', { tool, args, headers });
    await t.send('propose with the id in headers', { tool, args, headers: headersWith(t, id) });
    for (const query of [...confirmingQueries, `confirmation_id=${encodeURIComponent(id)}`]) {
      await t.send('propose with a query', { tool, args, query });
    }
    const places = { confirmationId: id, confirmation: { id, confirmation_id: id }, confirm: id, id };
    for (const more of [...confirmingArguments, places]) {
      await t.send('propose with another argument', { tool, args: { ...args, ...more } });
    }
    const spellings = hexadecimal.test(id) ? [] : [otherCase(id), id.replaceAll('-', '')];
    const [bare = id] = id.split(/[_-]/).slice(-1);
    const parts = [
      ...(id.length >= 10 ? [id.slice(0, -1), bare] : []),
      // A shorter one may stand for somebody else's proposal.
      ...(id.length >= 20 ? [`${id.slice(0, -1)}${otherEnd(id)}`] : []),
    ];
    const near = [`${id}x`, ` ${id} `, ...spellings, ...parts];
    for (const confirmation_id of new Set(near.filter((each) => each !== id))) {
      await t.send('propose with an id that nearly is the one', { tool, args: { ...args, confirmation_id } });
    }
    for (const confirmation_id of ['', null, true, 5, [id]]) {
      await t.send('propose with an id that is none', { tool, args: { ...args, confirmation_id } });
    }
    for (const confirmation_id of ['', null]) {
      const more = { ...confirming, confirmation_id };
      await t.send('propose with an id that is none, and more', { tool, args: { ...args, ...more } });
    }
    const headers = { 'idempotency-key': t.text('idempotency key that is repeated') };
    for (const step of ['propose', 'propose the same again']) {
      await t.send(`${step}, with a key for repetitions`, {
        tool,
        args: { ...args, brief: briefFor(t, 'repeated') },
        headers,
      });
    }
    const turn = t.text('words for ids').charCodeAt(0);
    for (const word of [0, 1].map((index) => words[(turn + 2 * index) % words.length])) {
      const asked = { ...args, confirmation_id: word };
      await t.send('propose with a word for an id', { tool, args: asked, invented: ['confirmation_id'] });
    }
    await t.send('propose with a brief that approves', proposing(t, { brief: approving(t) }));
  },
);

/** Headers that carry an id or belong to a request that is repeated; an id that no header can carry is left out. */
function headersWith(t: Steps, id: string): Readonly<Record<string, string>> {
  const repeated = { 'idempotency-key': t.text('idempotency key') };
  return /^[!-~]+$/.test(id) ? { ...repeated, 'x-confirmation-id': id, 'confirmation-id': id } : repeated;
}
