import { expect, test } from 'vitest';
import { judgementOf, type Said, verdictOf } from '../../../test/history.ts';

const read = (balance: number, at: number): Said => ({ tool: 'credits.balance', body: { ok: true, balance }, at });
const proposal: Said = {
  tool: 'images.generate',
  args: { workspace: 'north', count: 1 },
  body: { ok: true, workspace: 'north', status: 'confirmation_required', confirmation_id: 'c-1' },
  at: 3,
};
/** A refused request during the first reading of the balance. */
const withoutKey: Said = {
  tool: 'images.generate',
  sender: { label: 'no credential', kind: 'absent', role: null },
  status: 401,
  body: { error: { code: 'unauthorized', message: 'No.' } },
  at: 0.2,
  took: 0.6,
};

test('a request that cannot spend, under way while a balance is read, leaves what proposals cost to be judged', () => {
  const id = 'image-proposals.spends-nothing';
  expect(verdictOf(id, read(10, 0), withoutKey, proposal, read(10, 5))).toBe('passed');
  const confirmed: Said = { ...proposal, args: { ...proposal.args, confirmation_id: 'c-0' }, at: 0.2, took: 0.6 };
  expect(verdictOf(id, read(10, 0), confirmed, proposal, read(10, 5))).toBe('not tested');
});

test('another reading during a proposal, and a request without a key after it, leave the proposal to be judged', () => {
  const during = [{ ...proposal, took: 1 }, read(10, 3.2), { ...withoutKey, at: 4.5, took: 0.1 }];
  expect(verdictOf('image-proposals.spends-nothing', read(10, 0), ...during, read(10, 5))).toBe('passed');
});

/** Exchanges with a balance that falls after a proposal, and with another reading `quiet` seconds later. */
const falling = (value: number, at: number, quiet: number): Said[] => [
  read(value, at),
  { ...proposal, at: at + 1 },
  read(value - 1, at + 2),
  read(value - 1, at + 2 + quiet),
];

const fallsThrice = (quiet: number) => [10, 9, 8].flatMap((value, index) => falling(value, index * 100, quiet));

test('a balance that falls with proposals is judged only if it stays the same for three times as long', () => {
  const id = 'image-proposals.spends-nothing';
  expect(verdictOf(id, ...fallsThrice(8))).toBe('failed');
  expect(verdictOf(id, ...fallsThrice(7))).toBe('not tested');
});

test('a balance that also falls without a proposal proves nothing, and the judgement says so', () => {
  const drifting = [...fallsThrice(8), read(6, 400), read(5, 401)];
  const untested = { tested: 0, findings: [], prevented: expect.stringContaining('another client') };
  expect(judgementOf('image-proposals.spends-nothing', drifting)).toMatchObject(untested);
  const alsoFree = [...drifting, { ...proposal, at: 402 }, read(5, 403)];
  expect(judgementOf('image-proposals.spends-nothing', alsoFree)).toMatchObject(untested);
});

test('a proposal whose response arrives after a reading of the balance explains the fall', () => {
  const proposing: Said = { ...proposal, at: 400.6, took: 3 };
  const overlapping = [...fallsThrice(8), read(7, 400), proposing, read(6, 401)];
  const judgement = judgementOf('image-proposals.spends-nothing', overlapping);
  expect(judgement).toMatchObject({ findings: { length: 3 } });
  expect(judgement.prevented).toBeUndefined();
});

test.each([
  ['by one amount with each reading, after a pause, too', [10, 9, 8, 7, 6, 5], 60, 'failed'],
  ['by one amount in equal times', [10, 9, 8, 7, 6, 5], 1, 'not tested'],
  ['more in a longer time', [10, 9, 8, 7, 6, 3], 60, 'not tested'],
  ['not at all', [10, 10], 1, 'passed'],
])('a balance that falls %s', (_, values, pause, verdict) => {
  const readings = values.map((value, index) => read(value, index === values.length - 1 ? index - 1 + pause : index));
  expect(verdictOf('credits.reading-costs-nothing', ...readings)).toBe(verdict);
});

test('a late response does not make the time between two readings long', () => {
  const readings = [10, 9, 8, 7, 6].map((value, at) => read(value, at));
  const late = { ...read(5, 5), took: 60 };
  expect(verdictOf('credits.reading-costs-nothing', ...readings, late)).toBe('not tested');
});
