import { expect, test } from 'vitest';
import { limits } from '../../fixtures/contract/limits.ts';
import { type Calling, calling } from './calling.ts';
import type { OtherServerOptions } from './options.ts';

const proposed = async (it: Calling) => {
  const [home] = it.server.workspaces;
  const request = {
    workspace: home?.slug ?? '',
    board: home?.board ?? '',
    brief: 'a gull',
    count: 2,
    shape: it.server.shape,
  };
  const { body } = await it.call('primary', 'images.generate', request);
  expect(body).toMatchObject({ ok: true, status: 'confirmation_required', run_id: null, count: 2 });
  return { request, confirmation: { ...request, confirmation_id: String(body.confirmation_id) } };
};

test('a confirmation is good once, and charges the account', async () => {
  await using it = await calling();
  const before = await it.call('throttled', 'credits.balance');
  const { confirmation } = await proposed(it);
  const race = Array.from({ length: 8 }, () => it.call('primary', 'images.generate', confirmation));
  const answers = await Promise.all(race);
  expect(answers.filter(({ body }) => body.status === 'dispatched')).toHaveLength(1);
  expect(answers.filter(({ body }) => body.code === 'confirmation_invalid')).toHaveLength(7);
  expect(answers.every(({ body }) => body.ok === true || body.request_id !== undefined)).toBe(true);
  expect(it.server.counters.imagesConfirmed).toBe(2);
  const after = await it.call('primary', 'credits.balance');
  expect(Number(before.body.balance) - Number(after.body.balance)).toBe(3);
});

test('what was shown runs when the count changes', async () => {
  await using it = await calling();
  const { confirmation } = await proposed(it);
  const { body, headers } = await it.call('primary', 'images.generate', { ...confirmation, count: 99 });
  expect(body).toMatchObject({
    ok: true,
    status: 'dispatched',
    count: 2,
    confirmation_id: null,
    request_summary: null,
  });
  expect(headers.get('x-service-tool-error')).toBeNull();
});

test('elsewhere, expired and never issued are one answer', async () => {
  await using it = await calling({ extraFields: false, shuffledMembers: false });
  const { confirmation } = await proposed(it);
  const [, next] = it.server.workspaces;
  const there = { ...confirmation, workspace: next?.slug ?? '', board: next?.board ?? '' };
  const place = { workspace: it.server.otherAccount.workspace, board: it.server.otherAccount.board };
  const elsewhere = await it.call('primary', 'images.generate', there);
  const foreign = await it.call('otherAccount', 'images.generate', { ...confirmation, ...place });
  expect([elsewhere.body.code, foreign.body.code]).toEqual(['confirmation_invalid', 'confirmation_invalid']);
  const never = await it.call('primary', 'images.generate', { ...confirmation, confirmation_id: '0' });
  it.server.advance((limits.confirmation.about + 1) * 60);
  const expired = await it.call('primary', 'images.generate', confirmation);
  expect(expired.text).toBe(never.text);
  expect(expired.body.code).toBe('confirmation_invalid');
});

test('options of call 2', async () => {
  const changed = async (options: Partial<OtherServerOptions>, change: Record<string, string | number>) => {
    await using it = await calling(options);
    const { confirmation } = await proposed(it);
    const { body } = await it.call('primary', 'images.generate', { ...confirmation, ...change });
    return body.status ?? body.code;
  };
  const keep = { board: 'original', brief: 'original', count: 'original', shape: 'original' } as const;
  expect(await changed({}, { board: '0' })).toBe('board_not_found');
  expect(await changed({ changedOnConfirm: keep }, { board: '0', brief: 'b', count: 3 })).toBe('dispatched');
  expect(await changed({}, { brief: 'two gulls' })).toBe('request_changed');
  expect(await changed({ changedOnConfirm: { ...keep, count: 'refuse' } }, { count: 3 })).toBe('dispatched');
  expect(await changed({ changedOnConfirm: { ...keep, count: 'refuse' } }, { count: 5 })).toBe('not_offered');
  expect(await changed({}, { confirmation_id: '' })).toBe('confirmation_invalid');
  expect(await changed({ emptyConfirmation: 'proposal' }, { confirmation_id: '' })).toBe('confirmation_required');
});
