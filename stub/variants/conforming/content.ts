import { limits } from '../../../fixtures/contract/limits.ts';
import { refusal } from '../../server/responses.ts';
import { scoped } from '../../server/tools/scoped.ts';
import { issuing } from '../changes/confirmations.ts';
import { aroundTool, body, changing, dispatch, each, field, fields, list, result } from '../changes/responses.ts';
import { refusingAs } from '../changes/steps.ts';
import { type Deviation, together, type Variant } from '../defect.ts';

const created = result('content.create_request');
const pieces = result('schedule.read', 'content.status');

/** Changes the time of every scheduled piece. */
export const scheduled = (change: (time: string) => string | null): Deviation => {
  const changed = (value: unknown) => (typeof value === 'string' ? change(value) : value);
  return together(
    changing(created, field('scheduled_for', changed)),
    changing(
      pieces,
      each('pieces', (piece) => ({ ...piece, scheduled_for: changed(piece.scheduled_for) })),
    ),
  );
};

const otherEntries: Deviation = together(
  changing(
    result('schedule.read'),
    each('rows', Object.values),
    each('pieces', ({ piece_id }) => piece_id),
  ),
  changing(
    result('connections.status'),
    ...['connected', 'needs_attention', 'available'].map((group) => each(group, ({ provider }) => provider)),
  ),
);

const pageLength = 3;

/** Declines every nth content request. */
const declining = (every: number): Deviation =>
  aroundTool('content.create_request', (create) => {
    let requests = 0;
    return (call) => {
      requests += 1;
      if (requests % every !== 0) return create(call);
      return refusal('tool', { code: 'try_again_later', message: 'The planner is busy. Try again in a moment.' });
    };
  });

/** Variants of pieces and of read-only tools. */
export const contentVariants = {
  nulls: {
    what: 'sends scheduled_for and week_block_id as null',
    room: 'Piece: both may be null',
    deviation: together(
      changing(created, fields({ scheduled_for: null, week_block_id: null })),
      changing(
        pieces,
        each('pieces', (piece) => ({ ...piece, scheduled_for: null, week_block_id: null, title: null })),
      ),
    ),
  },
  'plus-zero': {
    what: 'writes UTC as +00:00, without a fraction of the second',
    room: 'Piece: ISO 8601 UTC',
    deviation: scheduled((time) => time.replace(/(\.\d+)?Z$/, '+00:00')),
  },
  'weeks-from-sunday': {
    what: 'begins weeks on Sunday',
    room: 'Schedule read result: which day comes first is not said',
    decides: 'first day of the week',
    deviation: (behavior) => ({ ...behavior, firstWeekday: 0 }),
  },
  'other-entries': {
    what: 'sends rows, pieces and providers as strings and lists instead of objects',
    room: 'Schedule and connections: what an element looks like is not shown',
    deviation: otherEntries,
  },
  'small-pages': {
    what: 'lists three items and sets truncated',
    room: 'library.search: how many items come at once is not said',
    decides: 'library',
    deviation: changing(
      result('library.search'),
      list('items', (items) => items.slice(0, pageLength)),
      body((given) => ({ ...given, truncated: Number(given.total) > pageLength })),
    ),
  },
  'empty-library': {
    what: 'has empty libraries',
    room: 'library.search: items may be empty',
    decides: 'library',
    random: false,
    deviation: together(
      aroundTool(
        'library.search',
        () =>
          ({ place }) =>
            scoped(place, { ok: true, total: 0, truncated: false, items: [] }),
      ),
      aroundTool(
        'library.get',
        () =>
          ({ behavior }) =>
            refusal('tool', { code: behavior.codes.itemNotFound, message: 'The library of this workspace is empty.' }),
      ),
    ),
  },
  'busy-planner': {
    what: 'declines every 19th content request',
    room: 'What the service does, rule 5: a tool may decline by its own rule',
    deviation: declining(19),
  },
  'no-hits': {
    what: 'finds nothing in the knowledge base',
    room: 'knowledge.search: hits may be empty',
    random: false,
    deviation: changing(result('knowledge.search'), fields({ hits: [] })),
  },
} satisfies Readonly<Record<string, Variant>>;

const { about, surelyAlive } = limits.confirmation;

export const lifetime =
  (minutes: number): Deviation =>
  (behavior) => ({ ...behavior, confirmations: { ...behavior.confirmations, lifetimeSeconds: minutes * 60 } });

/** Variants of image generation. */
export const imageVariants = {
  'one-image-at-a-time': {
    what: 'refuses more than one image in a request',
    room: 'images.generate: bounds of count are not shown',
    decides: 'count',
    deviation: refusingAs('expected 1', 'count', (value) => Number(value) > 1, 'images.generate'),
  },
  'confirmation-ids-of-any-letters': {
    what: 'uses quotes, spaces and letters of other scripts in a confirmation_id',
    room: 'Confirmation: an id is a string',
    decides: 'confirmation ids',
    deviation: issuing((_, id) => `№ ${id} "ß" \\`),
  },
  'bare-dispatch': {
    what: 'leaves working_in out of the dispatched reply',
    room: 'images.generate: working_in is on the proposing call',
    deviation: changing(dispatch, fields({ working_in: undefined })),
  },
  'short-lives': {
    what: `lets confirmations expire after ${surelyAlive + 2} minutes`,
    room: `Limits: about ${about} minutes`,
    decides: 'lifetime',
    deviation: lifetime(surelyAlive + 2),
  },
} satisfies Readonly<Record<string, Variant>>;
