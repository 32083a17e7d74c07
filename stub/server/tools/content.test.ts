import { expect, test } from 'vitest';
import { formats } from '../../../fixtures/contract/enums.ts';
import { clientOf, type Reply } from '../../../test/stub/client.ts';
import { standingClock } from '../../../test/stub/standing-clock.ts';
import { createStub } from '../../index.ts';

const calendar = () => {
  const stub = createStub({ clock: standingClock });
  return { stub, call: clientOf(stub) };
};

test('the schedule is of the week of the clock, from Monday', () => {
  const { stub, call } = calendar();
  const week = call('schedule.read').body;
  expect(week.week_start).toBe('2026-03-02');
  expect(week.days).toEqual([2, 3, 4, 5, 6, 7, 8].map((day) => `2026-03-0${day}`));
  expect(week.meta_line).toMatch(/^\d+ pieces this week/);
  stub.advance(7 * 86_400);
  expect(call('schedule.read').body.week_start).toBe('2026-03-09');
});

test('a leap day exists', () => {
  const { body } = calendar().call('content.create_request', { format: 'posts', day: '2028-02-29' });
  expect(body.scheduled_for).toMatch(/^2028-02-29T/);
});

test.each(formats)('a request for %s is in the schedule, in its cell, and in the counts', (format) => {
  const { stub, call } = calendar();
  const before = call('content.status').body.counts.requested;
  const { body } = call('content.create_request', { format, day: '2026-03-06', title: 'Spring' });
  expect(body).toMatchObject({ ok: true, format, workspace: 'north', filled_planned_slot: expect.any(Boolean) });
  expect(body.scheduled_for).toMatch(/^2026-03-06T\d\d:\d\d:00\.000Z$/);
  const week = call('schedule.read').body;
  const requested = { piece_id: body.piece_id, title: 'Spring', state: 'requested' };
  expect(week.pieces).toContainEqual(expect.objectContaining(requested));
  const cells = week.rows.find((row: { format: string }) => row.format === format).cells;
  expect(cells[4].piece_ids).toContain(body.piece_id);
  const status = call('content.status').body;
  expect(status.counts.requested).toBe(before + 1);
  expect(status.pieces).toContainEqual(expect.objectContaining({ piece_id: body.piece_id }));
  expect(stub.stats.contentRequestsCreated).toBe(1);
});

test('a request for a later week is in the counts, and in the schedule when its week has come', () => {
  const { stub, call } = calendar();
  const { piece_id } = call('content.create_request', { format: 'posts', day: '2026-03-12' }).body;
  const ids = (reply: Reply) => reply.body.pieces.map((piece: { piece_id: string }) => piece.piece_id);
  expect(ids(call('schedule.read'))).not.toContain(piece_id);
  expect(ids(call('content.status'))).toContain(piece_id);
  stub.advance(7 * 86_400);
  expect(ids(call('schedule.read'))).toContain(piece_id);
});

test('a piece is published in the second for which it is scheduled', () => {
  const piece = { piece_id: 'pc_1', title: 'Opening', format: 'posts' as const, scheduled_for: '2026-03-04T12:00:30Z' };
  const stub = createStub({ clock: standingClock, data: { workspaces: { north: { schedule: [piece] } } } });
  const call = clientOf(stub);
  const states = () =>
    ['content.status', 'schedule.read'].map(
      (tool) => call(tool).body.pieces.find((shown: { piece_id: string }) => shown.piece_id === 'pc_1')?.state,
    );
  expect(states()).not.toContain('published');
  stub.advance(29);
  expect(states()).not.toContain('published');
  stub.advance(1);
  expect(states()).toEqual(['published', 'published']);
});

test('free planned slots are filled first, each once; then comes the usual time', () => {
  const { call } = calendar();
  const request = { format: 'posts', day: '2026-03-05' };
  const asked = Array.from({ length: 6 }, () => call('content.create_request', request).body);
  const filled = asked.filter((piece) => piece.filled_planned_slot);
  expect(new Set(filled.map((piece) => piece.scheduled_for)).size).toBe(filled.length);
  expect(asked.slice(0, filled.length)).toEqual(filled);
  const late = new Set(asked.slice(filled.length).map((piece) => piece.scheduled_for));
  expect(late.size).toBe(1);
  expect(new Set(asked.map((piece) => piece.piece_id)).size).toBe(6);
});

test.each(['2026-02-29', '2026-02-30', '0000-00-00', '9999-99-99'])(
  '%s matches and does not exist: accepted, and never scheduled',
  (day) => {
    const { body } = calendar().call('content.create_request', { format: 'posts', day });
    expect(body).toMatchObject({ ok: true, scheduled_for: null, week_block_id: null, filled_planned_slot: false });
  },
);

test('week blocks are open for some weeks ahead, or not at all, and never for a week that is over', () => {
  const { call } = calendar();
  const blocks = (workspace: string) =>
    ['2026-02-25', '2026-03-05', '2026-03-06', '2026-06-05'].map(
      (day) => call('content.create_request', { format: 'posts', day, workspace }).body.week_block_id,
    );
  const all = ['north', 'south', 'east'].map(blocks);
  for (const [past, thisWeek, sameWeek, distant] of all) {
    expect(past).toBeNull();
    expect(sameWeek).toBe(thisWeek);
    expect(distant).toBeNull();
  }
});
