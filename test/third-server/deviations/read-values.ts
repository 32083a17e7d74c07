import { boundary, invalidArguments } from '../answers.ts';
import type { Deviation } from '../deviation.ts';
import type { Fields } from '../model.ts';
import { around } from '../steps.ts';
import { onSuccess } from './repetition.ts';
import { mends } from './values.ts';

const proposed =
  (more: Fields): Deviation['probe'] =>
  async (p) =>
    (await p.propose('primary', more)).ok;

const echoedOtherwise =
  (query: string): Deviation['probe'] =>
  async (p) =>
    (await p.call('primary', 'knowledge.search', { workspace: 'dock', query })).body.query !== query;

const valid = 'arguments.valid-never-refused';

/** Deviations of values of images, items, queries and workspaces. */
export const byOtherValue: Deviation[] = [
  {
    id: 'count-nearly-whole-taken',
    sentence: 'A count that is nearly whole is rounded.',
    breaks: ['image-proposals.count-fraction-refused'],
    steps: mends((args) => {
      const count = args.count;
      if (typeof count === 'number' && Math.abs(count - Math.round(count)) < 0.01) args.count = Math.round(count);
    }),
    probe: proposed({ count: 2.001 }),
  },
  {
    id: 'count-true-is-one',
    sentence: 'The count `true` is one image.',
    breaks: ['image-proposals.count-wrong-type-refused'],
    steps: mends((args) => {
      if (args.count === true) args.count = 1;
    }),
    probe: proposed({ count: true }),
  },
  {
    id: 'board-in-list-taken',
    sentence: 'A list with one board is taken for the board.',
    breaks: ['image-proposals.board-wrong-type-refused'],
    steps: mends((args) => {
      const [only] = Array.isArray(args.board) ? args.board : [];
      if (only !== undefined) args.board = only;
    }),
    probe: proposed({ board: ['brd-11'] }),
  },
  {
    id: 'last-item-cannot-be-got',
    sentence: 'The last item of a page cannot be fetched.',
    breaks: ['library.found-can-be-got'],
    steps: (s) => {
      let last: unknown;
      onSuccess(s, 'library.search', (body) => {
        last = (body.items as Fields[]).at(-1)?.id;
      });
      around(s, 'check', (next) => (c) => {
        if (c.tool === 'library.get' && c.args.id === last) c.args.id = 'out of range';
        return next(c);
      });
    },
    probe: async (p) => {
      const { body } = await p.call('primary', 'library.search', { workspace: 'dock', query: '' });
      const { kind, id } = (body.items as { kind: string; id: string }[]).at(-1) ?? { kind: '', id: '' };
      return !(await p.call('primary', 'library.get', { workspace: 'dock', kind, id })).ok;
    },
  },
  {
    id: 'item-id-in-small-letters',
    sentence: '`library.get` puts ids into small letters, although some hold capitals.',
    breaks: ['library.found-can-be-got'],
    steps: mends((args, tool) => {
      if (tool === 'library.get' && typeof args.id === 'string') args.id = args.id.toLowerCase();
    }),
    probe: async (p) =>
      !(await p.call('primary', 'library.get', { workspace: 'dock', kind: 'note', id: 'dock/Take 4' })).ok,
  },
  {
    id: 'question-trimmed',
    sentence: 'The echo of a question lacks the white space around it.',
    breaks: ['knowledge.query-echoed'],
    steps: (s) =>
      onSuccess(s, 'knowledge.search', (body) => {
        body.query = String(body.query).trim();
      }),
    probe: echoedOtherwise(' tone? '),
  },
  {
    id: 'question-normalised',
    sentence: 'The echo of a question is in composed form.',
    breaks: ['knowledge.query-echoed'],
    steps: (s) =>
      onSuccess(s, 'knowledge.search', (body) => {
        body.query = String(body.query).normalize('NFC');
      }),
    probe: echoedOtherwise('cafe\u0301'),
  },
  {
    id: 'question-cut',
    sentence: 'The echo of a question ends after 512 characters.',
    breaks: ['knowledge.query-echoed'],
    steps: (s) =>
      onSuccess(s, 'knowledge.search', (body) => {
        body.query = String(body.query).slice(0, 512);
      }),
    probe: echoedOtherwise('why '.repeat(200)),
  },
  {
    id: 'weak-hit-without-number',
    sentence: 'The relevance of the weakest hit is a text.',
    breaks: ['knowledge.hit-fields'],
    steps: (s) =>
      onSuccess(s, 'knowledge.search', (body) => {
        const last = (body.hits as Fields[]).at(-1);
        if (last !== undefined) last.relevance = 'low';
      }),
    probe: async (p) => (await p.call('primary', 'knowledge.search', { workspace: 'dock' })).text.includes('"low"'),
  },
  {
    id: 'search-fails-on-pattern',
    sentence: 'A search for an open bracket is a 500.',
    breaks: ['envelopes.no-server-error', 'arguments.anything-answered', valid],
    steps: (s) =>
      around(s, 'run', (next) => async (c) => {
        const bad = c.tool === 'library.search' && /[([]$|^[*+?]|\\$/.test(String(c.args.query ?? ''));
        return bad ? boundary(500, 'tenant_api.internal', 'Something went wrong.') : next(c);
      }),
    probe: async (p) =>
      (await p.call('primary', 'library.search', { workspace: 'dock', query: 'logo (' })).status === 500,
  },
  {
    id: 'workspace-trimmed',
    sentence: 'White space around a workspace is dropped.',
    breaks: [
      'workspaces.unknown-refused',
      'workspaces.argument-honoured',
      'content-requests.workspace-unknown-refused',
      'image-proposals.workspace-unknown-refused',
    ],
    steps: mends((args) => {
      const trimmed = String(args.workspace ?? '').trim();
      if (trimmed !== '') args.workspace = trimmed;
    }),
    probe: async (p) => (await p.call('primary', 'schedule.read', { workspace: ' dock' })).ok,
  },
  {
    id: 'get-by-numeric-id',
    sentence: '`library.get` takes a number for an id.',
    breaks: ['library.id-wrong-type-refused'],
    steps: mends((args, tool) => {
      if (tool === 'library.get' && typeof args.id === 'number') args.id = String(args.id);
    }),
    probe: async (p) => (await p.call('primary', 'library.get', { workspace: 'dock', kind: 'clip', id: 4000 })).ok,
  },
  {
    id: 'long-brief-invalid',
    sentence: 'A brief with a line break is refused as invalid by confirmations, though it was proposed.',
    breaks: ['confirmations.dispatched', valid, 'expiry.alive-early'],
    steps: (s) =>
      around(s, 'handle', (next) => async (c) => {
        const text = `${c.raw}`;
        const bad = c.segment === 'images.generate' && text.includes('\\n') && text.includes('confirmation_id":"conf');
        return bad ? invalidArguments([{ path: 'brief', message: 'is one line' }]) : next(c);
      }),
    probe: async (p) => {
      const brief = 'A kite.\nA red one.';
      return !(await p.confirm('primary', await p.proposed('primary', { brief }), { brief })).ok;
    },
  },
];
