import { describe, expect, test } from 'vitest';
import { limits } from '../../../fixtures/contract/limits.ts';
import { judgementOf, type Said, verdictOf } from '../../../test/history.ts';

const request = { workspace: 'north', board: 'b-1', brief: 'a grey square', count: 1, shape: '1:1' };
const tool = 'images.generate';

const proposed = (id: string, change: object = {}, more: Partial<Said> = {}): Said => {
  const args = { ...request, ...change };
  const body = { ok: true, status: 'confirmation_required', confirmation_id: id, workspace: args.workspace };
  return { tool, args, body, ...more };
};
const confirmed = (id: string, body: object, change: object = {}, more: Partial<Said> = {}): Said => ({
  tool,
  args: { ...request, ...change, confirmation_id: id },
  body,
  ...more,
});
const run = (id: string, more: object = {}) => ({
  ok: true,
  status: 'dispatched',
  run_id: id,
  confirmation_id: null,
  request_summary: null,
  count: 1,
  aspect_ratio: '1:1',
  board_id: 'b-1',
  ...more,
});
const { about, surelyAlive, surelyDead } = limits.confirmation;
const invalid = { ok: false, code: 'confirmation_invalid', message: `Propose again: it lives about ${about} minutes.` };
const refused = (code: string) => ({ ok: false, code, message: 'No.' });

/** A dispatched confirmation, which is the control for many requirements. */
const ran = [proposed('c-0'), confirmed('c-0', run('r-0'))];

describe('a fresh id with its request', () => {
  const id = 'confirmations.dispatched';

  test('says nothing where the id is unknown, where it cannot be paid, and where the rate limit was met', () => {
    expect(verdictOf(id, confirmed('c-1', invalid))).toBe('not tested');
    expect(verdictOf(id, proposed('c-1'), confirmed('c-1', refused('insufficient_credits')))).toBe('not tested');
    expect(verdictOf(id, proposed('c-1'), confirmed('c-1', {}, {}, { status: 429 }))).toBe('not tested');
  });

  test('says nothing in a cut history, where the id may have been used', () => {
    const cut = judgementOf(id, [proposed('c-1'), confirmed('c-1', invalid)], { complete: false });
    expect(cut).toMatchObject({ findings: [], tested: 0 });
  });

  test('counts only when it is met four times, where somebody else may move the clock', () => {
    const times = (count: number) =>
      Array.from({ length: count }, (_, index) => `c-${index}`).flatMap((other) => [
        proposed(other),
        confirmed(other, invalid),
      ]);
    expect(judgementOf(id, times(3), { clockShared: true }).findings).toEqual([]);
    expect(judgementOf(id, times(4), { clockShared: true }).findings).toHaveLength(4);
  });
});

test('a refused change tells something only where a proposal with it is accepted, and the id is good otherwise', () => {
  const id = 'confirmations.changed-count';
  const change = { count: 3 };
  const story = [proposed('c-1'), confirmed('c-1', invalid, change), ...ran];
  expect(verdictOf(id, ...story)).toBe('not tested');
  const isKnownAlive = [proposed('c-2'), proposed('c-9', change), ...story.slice(0, 2), confirmed('c-2', run('r-2'))];
  expect(verdictOf(id, proposed('c-9', change), ...story)).toBe('not tested');
  expect(verdictOf(id, ...isKnownAlive)).toBe('failed');
});

test('a used id is invalid, at once and later', () => {
  const again = (body: object, more: Partial<Said> = {}) => [...ran, confirmed('c-0', body, {}, more)];
  const later = { at: 2, moved: 1200 };
  expect(verdictOf('confirmations.used-invalid', ...again(run('r-1'), later))).toBe('not tested');
  expect(verdictOf('confirmations.used-stays-invalid', ...again(run('r-1'), later))).toBe('failed');
});

test('a used id with a shape that may not be proposed is refused for either', () => {
  const id = 'confirmations.used-stays-invalid';
  const shaped = (body: object) => confirmed('c-0', body, { shape: '9:1' });
  expect(verdictOf(id, ...ran, shaped(refused('invalid_arguments')))).toBe('passed');
  expect(verdictOf(id, ...ran, shaped(run('r-1')))).toBe('failed');
  expect(verdictOf(id, ...ran, proposed('c-1', { shape: '9:1' }), shaped(refused('invalid_arguments')))).toBe('failed');
});

test('a used id with another brief may be refused with a code of its own, but must not run', () => {
  const id = 'confirmations.used-stays-invalid';
  const rewritten = (body: object) => confirmed('c-0', body, { brief: 'Another picture' });
  const history = [...ran, proposed('c-1', { brief: 'A third picture' })];
  expect(verdictOf(id, ...history, rewritten(refused('brief_changed')))).toBe('passed');
  expect(verdictOf(id, ...history, rewritten(refused('invalid_arguments')))).toBe('failed');
  expect(verdictOf(id, ...history, rewritten(run('r-1')))).toBe('failed');
});

test('an id that was refused elsewhere stays good', () => {
  const id = 'confirmations.refusals-leave-open';
  const wrong = confirmed('c-1', refused('invalid_arguments'), { brief: undefined });
  expect(verdictOf(id, ...ran, proposed('c-1'), wrong, confirmed('c-1', run('r-1')))).toBe('passed');
  expect(verdictOf(id, ...ran, proposed('c-1'), wrong, confirmed('c-1', invalid))).toBe('failed');
  expect(verdictOf(id, proposed('c-1'), wrong, confirmed('c-1', invalid))).toBe('not tested');
});

test('an id stays good while another is proposed and confirmed', () => {
  const id = 'confirmations.others-leave-open';
  const story = [proposed('c-1', { brief: 'waits' }), ...ran];
  expect(verdictOf(id, ...story, confirmed('c-1', run('r-1'), { brief: 'waits' }))).toBe('passed');
  expect(verdictOf(id, ...story, confirmed('c-1', invalid, { brief: 'waits' }))).toBe('failed');
  // A service may require even counts, also of a confirmation.
  const even = [proposed('c-2', { brief: 'counts' }), confirmed('c-2', run('r-2'), { brief: 'counts', count: 3 })];
  const odd = confirmed('c-1', refused('invalid_arguments'), { brief: 'waits', count: 2 });
  expect(verdictOf(id, ...story, ...even, odd)).toBe('not tested');
});

test('a confirmation is alive early, and dead late', () => {
  const after = (minutes: number, body: object) => [
    ...ran,
    proposed('c-1', { brief: 'ages' }),
    confirmed('c-1', body, { brief: 'ages' }, { at: 4, moved: minutes * 60 }),
  ];
  expect(verdictOf('expiry.alive-early', ...after(surelyAlive, run('r-1')))).toBe('passed');
  expect(verdictOf('expiry.alive-early', ...after(surelyAlive, invalid))).toBe('failed');
  expect(verdictOf('expiry.alive-early', ...after(about + 1, invalid))).toBe('not tested');
  expect(verdictOf('expiry.dead-late', ...after(surelyDead, invalid))).toBe('passed');
  expect(verdictOf('expiry.dead-late', ...after(surelyDead, run('r-1')))).toBe('failed');
  expect(verdictOf('expiry.dead-late', ...after(surelyDead - 2, run('r-1')))).toBe('not tested');
});

test('an id that was never issued is invalid, or does not fit where it has another form', () => {
  const id = 'confirmations.never-issued-invalid';
  const made = { invented: ['confirmation_id'] };
  const unfit = { ...refused('invalid_arguments'), issues: [{ path: 'confirmation_id', message: 'odd' }] };
  expect(verdictOf(id, proposed('c-1'), confirmed('c-9', invalid, {}, made))).toBe('passed');
  expect(verdictOf(id, proposed('c-1'), confirmed('c-9', unfit, {}, made))).toBe('failed');
  expect(verdictOf(id, proposed('c-1'), confirmed('something else', unfit, {}, made))).toBe('passed');
  // A letter that occurs in no ID may be outside their alphabet.
  expect(verdictOf(id, proposed('c-1'), confirmed('g-1', unfit, {}, made))).toBe('passed');
  expect(verdictOf(id, proposed('c-1'), confirmed('c-9', invalid))).toBe('not tested');
});

test('where a 500 may hide a dispatch, a race tests nothing', () => {
  const racing = (...statuses: number[]) =>
    statuses.map((status, index) => confirmed('c-1', invalid, {}, { status, at: 5 + index / 100 }));
  expect(verdictOf('race.one-dispatches', proposed('c-1'), ...racing(500, 500))).toBe('not tested');
  expect(verdictOf('race.one-dispatches', proposed('c-1'), ...racing(500, 200))).toBe('not tested');
});
