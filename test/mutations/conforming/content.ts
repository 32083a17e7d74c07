import { z } from 'zod';
import { scoped } from '../../../stub/server/tools/scoped.ts';
import { refusingAs } from '../../../stub/variants/changes/arguments.ts';
import { aroundTool, changing, field, list, result } from '../../../stub/variants/changes/responses.ts';
import { scheduled } from '../../../stub/variants/conforming/content.ts';
import type { Variant } from '../../../stub/variants/defect.ts';

const hourMs = 3_600_000;

const busyAccount = aroundTool('credits.balance', (read) => {
  let reads = 0;
  return (call) => {
    reads += 1;
    if (reads % 5 === 0) call.account.credits -= 3;
    return read(call);
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
  'far-time-zone': {
    what: 'schedules pieces eleven hours earlier, many of them on the day before',
    room: 'Workspace: the cadence decides the time of day',
    deviation: scheduled((time) => new Date(Date.parse(time) - 11 * hourMs).toISOString()),
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
