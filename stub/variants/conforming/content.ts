import { z } from 'zod';
import { refusal } from '../../server/responses.ts';
import { scoped } from '../../server/tools/scoped.ts';
import { refusingAs } from '../changes/arguments.ts';
import { aroundTool, body, changing, each, field, fields, list, result } from '../changes/responses.ts';
import { type Deviation, together } from '../deviation.ts';
import type { Variant } from './variant.ts';

const created = result('content.create_request');
const pieces = result('schedule.read', 'content.status');

/** Changes the time of every scheduled piece. */
const scheduled = (change: (time: string) => string | null): Deviation => {
  const changed = (value: unknown) => (typeof value === 'string' ? change(value) : value);
  return together(
    changing(created, field('scheduled_for', changed)),
    changing(
      pieces,
      each('pieces', (piece) => ({ ...piece, scheduled_for: changed(piece.scheduled_for) })),
    ),
  );
};

const hourMs = 3_600_000;

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

const busyAccount = aroundTool('credits.balance', (read) => {
  let reads = 0;
  return (call) => {
    reads += 1;
    if (reads % 5 === 0) call.account.credits -= 3;
    return read(call);
  };
});

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

/** Maximum length of a query in characters. */
const shortQuery = 40;

/** Variants of pieces and of read-only tools. */
export const contentVariants = {
  'numeric-ids': {
    what: 'uses strings of digits as ids, consecutive ones where it issues them',
    room: 'Resources: ids are strings',
    deviation: (behavior) => ({
      ...behavior,
      writeId: (_, digits, nth) => String(nth === undefined ? BigInt(`0x${digits}`) : 1_000_000 + nth),
    }),
  },
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
  'far-time-zone': {
    what: 'schedules pieces eleven hours earlier, many of them on the day before',
    room: 'Workspace: the cadence decides the time of day',
    deviation: scheduled((time) => new Date(Date.parse(time) - 11 * hourMs).toISOString()),
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
  'weeks-from-saturday': {
    what: 'begins weeks on Saturday',
    room: 'Schedule read result: which day comes first is not said',
    decides: 'first day of the week',
    deviation: (behavior) => ({ ...behavior, firstWeekday: 6 }),
  },
  'five-day-weeks': {
    what: 'shows the first five days of the week',
    room: 'Schedule read result: seven entries in the sample',
    against: ['schedule.seven-days'],
    deviation: changing(
      result('schedule.read'),
      list('days', (days) => days.slice(0, 5)),
    ),
  },
  'other-entries': {
    what: 'sends rows, pieces and providers as strings and lists instead of objects',
    room: 'Schedule and connections: what an element looks like is not shown',
    deviation: otherEntries,
  },
  'status-needs-a-period': {
    what: 'requires an argument in content.status',
    room: 'content.status: its arguments are not shown',
    random: false,
    deviation: (behavior) => ({
      ...behavior,
      argumentSchemas: {
        ...behavior.argumentSchemas,
        'content.status': z.looseObject({ workspace: z.string().min(1).optional(), period: z.string() }),
      },
    }),
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
  'unknown-item-is-nothing': {
    what: 'returns ok true and item null for an unknown item',
    room: 'library.get: response fields are not shown',
    against: ['library.unknown-id-refused'],
    deviation: aroundTool('library.get', (get) => (call) => {
      const response = get(call);
      return response.body.ok === false ? scoped(call.place, { ok: true, item: null }) : response;
    }),
  },
  'short-queries': {
    what: `refuses queries of more than ${shortQuery} characters`,
    room: 'library.search, knowledge.search: the length of a query is not limited',
    deviation: refusingAs(
      `expected at most ${shortQuery} characters`,
      'query',
      (query) => String(query).length > shortQuery,
      'library.search',
      'knowledge.search',
    ),
  },
  'blank-titles-refused': {
    what: 'refuses titles of white space',
    room: 'Piece: a title of white space is not mentioned',
    deviation: refusingAs(
      'expected a title',
      'title',
      (title) => typeof title === 'string' && title.trim() === '',
      'content.create_request',
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
  'fractional-balance': {
    what: 'returns a balance with a fraction',
    room: 'Credit balance: a number, an integer in the sample',
    deviation: changing(
      result('credits.balance'),
      field('balance', (value) => Number(value) + 0.25),
    ),
  },
  'busy-account': {
    what: 'spends credits of the account now and then',
    room: 'Credit balance: it belongs to the account',
    deviation: busyAccount,
  },
} satisfies Readonly<Record<string, Variant>>;
