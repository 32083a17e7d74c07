import { z } from 'zod';
import { responseHeaders } from '../../fixtures/contract/codes.ts';
import type { contentDialects as data } from '../../fixtures/dialects/content.ts';
import { seededRandom } from '../../fixtures/world/seeded.ts';
import { refusal } from '../answers.ts';
import {
  answering,
  aroundTool,
  body,
  type Change,
  code,
  type Deviation,
  each,
  field,
  fields,
  headers,
  list,
  result,
  together,
  type When,
} from '../defects/patches.ts';
import { around } from '../defects/steps.ts';
import { dayOf, isRealDay } from '../state/calendar.ts';
import type { Rung } from '../steps/resolve-workspace.ts';
import { scoped } from '../tools/scoped.ts';
import { refusingField } from './fields.ts';

const created = result('content.create_request');
const pieces = result('schedule.read', 'content.status');
const unreachable: When = (answer, { rules }) => answer.body.code === rules.codes.workspaceUnreachable;

const pastDays = around('checkArguments', (check) => (call) => {
  const answer = check(call);
  if (answer !== undefined || call.tool !== 'content.create_request') return answer;
  if (String(call.args.day) >= dayOf(call.state.clock.now())) return undefined;
  return refusal('tool', { code: 'day_is_over', message: 'That day is over. Choose today or a later one.' });
});

/** Settles the way in which a named workspace is looked at; the others stay. */
const named =
  (change: (rung: Rung) => Rung): Deviation =>
  (rules) => ({
    ...rules,
    rungs: rules.rungs.map(([source, rung]) => [source, source === 'call-override' ? change(rung) : rung] as const),
  });

/** No workspace has this slug, so that it is refused like any that is out of reach. */
const nowhere = '';

const pinStays = named((rung) => (key, asked) => (key.pin === null ? rung(key, asked) : undefined));
const pinRefuses = named(
  (rung) => (key, asked) => (key.pin !== null && asked !== undefined && asked !== key.pin ? nowhere : rung(key, asked)),
);

const asInvalidArguments: Change = (answer, call) => ({
  ...answer,
  headers: headers({ [responseHeaders.toolError]: 'true' })(answer, call).headers,
  body: {
    ...answer.body,
    code: call.rules.codes.invalidArguments,
    issues: [{ path: 'workspace', message: 'no workspace that this key reaches' }],
  },
});

const lists = ['workspaces', 'issues', 'items', 'hits', 'rows', 'pieces', 'connected', 'needs_attention', 'available'];

function backwards(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(backwards);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, backwards(member)] as const);
  return Object.fromEntries(members.reverse());
}

const changingOrders: Deviation = (rules) => {
  const random = seededRandom(3);
  const shuffled = (members: unknown[]) =>
    members
      .map((member) => ({ member, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ member }) => member);
  return answering(
    () => true,
    ...lists.map((name) => list(name, shuffled)),
    // Members change their places only.
    body((given) => backwards(given) as typeof given),
  )(rules);
};

const shortWorkingIn = (more: readonly string[]): Change =>
  field('working_in', (value) =>
    typeof value !== 'object' || value === null
      ? value
      : Object.fromEntries(Object.entries(value).filter(([name]) => ['label', 'note', ...more].includes(name))),
  );

const minimalWorkingIn: Deviation = answering(
  (answer, call) => result()(answer, call) && !created(answer, call),
  (answer, call) => shortWorkingIn(answer.body.status === 'confirmation_required' ? ['source'] : [])(answer, call),
);

/** Changes the time of every piece, where it has one. */
const scheduled = (change: (time: string) => string | null): Deviation => {
  const changed = (value: unknown) => (typeof value === 'string' ? change(value) : value);
  return together(
    answering(created, field('scheduled_for', changed)),
    answering(
      pieces,
      each('pieces', (piece) => ({ ...piece, scheduled_for: changed(piece.scheduled_for) })),
    ),
  );
};

const hourMs = 3_600_000;

const otherEntries: Deviation = together(
  answering(
    result('schedule.read'),
    each('rows', Object.values),
    each('pieces', ({ piece_id }) => piece_id),
  ),
  answering(
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

/** Conforming ways to be different about workspaces, pieces and whatever is read. */
export const contentDialects: Readonly<Record<keyof typeof data, Deviation>> = {
  'impossible-days-refused': refusingField(
    'content.create_request',
    'day',
    (value) => !isRealDay(String(value)),
    'there is no such day',
  ),
  'past-days-refused': pastDays,
  'titles-in-utf-16': refusingField(
    'content.create_request',
    'title',
    (value) => String(value ?? '').length > 200,
    'expected at most 200 characters',
  ),
  'pin-stays': pinStays,
  'pin-refuses': pinRefuses,
  'unreachable-as-invalid-arguments': answering(unreachable, asInvalidArguments),
  'unreachable-without-choices': answering(unreachable, fields({ workspaces: undefined })),
  'two-choices': answering(
    code('workspace_ambiguous'),
    list('workspaces', (slugs) => slugs.slice(0, 2)),
  ),
  'changing-orders': changingOrders,
  'minimal-working-in': minimalWorkingIn,
  'numeric-ids': (rules) => ({
    ...rules,
    writeId: (_, digits, nth) => String(nth === undefined ? BigInt(`0x${digits}`) : 1_000_000 + nth),
  }),
  nulls: together(
    answering(created, fields({ scheduled_for: null, week_block_id: null })),
    answering(
      pieces,
      each('pieces', (piece) => ({ ...piece, scheduled_for: null, week_block_id: null, title: null })),
    ),
  ),
  'far-time-zone': scheduled((time) => new Date(Date.parse(time) - 11 * hourMs).toISOString()),
  'plus-zero': scheduled((time) => time.replace(/(\.\d+)?Z$/, '+00:00')),
  'weeks-from-sunday': (rules) => ({ ...rules, firstWeekday: 0 }),
  'weeks-from-saturday': (rules) => ({ ...rules, firstWeekday: 6 }),
  'five-day-weeks': answering(
    result('schedule.read'),
    list('days', (days) => days.slice(0, 5)),
  ),
  'other-entries': otherEntries,
  'status-needs-a-period': (rules) => ({
    ...rules,
    argumentSchemas: {
      ...rules.argumentSchemas,
      'content.status': z.looseObject({ workspace: z.string().min(1).optional(), period: z.string() }),
    },
  }),
  'small-pages': answering(
    result('library.search'),
    list('items', (items) => items.slice(0, pageLength)),
    body((given) => ({ ...given, truncated: Number(given.total) > pageLength })),
  ),
  'empty-library': together(
    aroundTool(
      'library.search',
      () =>
        ({ place }) =>
          scoped(place, { ok: true, total: 0, truncated: false, items: [] }),
    ),
    aroundTool(
      'library.get',
      () =>
        ({ rules }) =>
          refusal('tool', { code: rules.codes.itemNotFound, message: 'The library of this workspace is empty.' }),
    ),
  ),
  'unknown-item-is-nothing': aroundTool('library.get', (get) => (call) => {
    const answer = get(call);
    return answer.body.ok === false ? scoped(call.place, { ok: true, item: null }) : answer;
  }),
  'no-hits': answering(result('knowledge.search'), fields({ hits: [] })),
  'fractional-balance': answering(
    result('credits.balance'),
    field('balance', (value) => Number(value) + 0.25),
  ),
  'busy-account': busyAccount,
};
