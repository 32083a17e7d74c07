import { describe, expect, test } from 'vitest';
import { limits } from '../../fixtures/contract/limits.ts';
import type { Role } from '../../fixtures/roles.ts';
import type { StubRequest, StubResponse } from '../../stub/server/handle.ts';
import { handledTarget, json, overLimit, primaryKey, sessionAt } from '../../test/handled-target.ts';
import { answered } from '../../test/history.ts';
import { skippingTimer } from '../../test/skipping-timer.ts';
import type { Request } from '../exchange/exchange.ts';
import { NotTested } from './budget.ts';
import type { Credential } from './call.ts';
import { ConfirmationIds, type Shown } from './confirmation-ids.ts';
import { planReservation } from './spending.ts';

const args = { workspace: 'north', board: 'b', brief: 'a square', count: 2, shape: '1:1' };

const dispatched = json({ ok: true, status: 'dispatched', run_id: 'run_1', count: 2, workspace: 'north' });
const invalid = json({ ok: false, code: 'confirmation_invalid', message: 'No.' });
const busy = overLimit('1');
const lost: StubResponse = { ...dispatched, delivery: { cutAtBytes: -1 } };

/** Session with a server that proposes, and responds to IDs as `confirm` returns. A proposal costs `cost` credits. */
function spendingAt(
  confirm: (id: unknown) => StubResponse,
  { maxImages = 12, clock = false, allow = true, cost = 0 } = {},
) {
  const presented: unknown[] = [];
  let balance = 1000;
  const handle = ({ path, body }: StubRequest): StubResponse => {
    if (path.endsWith('credits.balance')) return json({ ok: true, balance });
    const { confirmation_id: id, count } = JSON.parse(Buffer.from(body ?? []).toString() || '{}');
    if (typeof id === 'string') {
      presented.push(id);
      return confirm(id);
    }
    balance -= cost;
    const issued = `cnf_0123456789_${presented.length}`;
    return json({ ok: true, status: 'confirmation_required', confirmation_id: issued, run_id: null, count });
  };
  const target = handledTarget(handle, {
    allow: allow ? ['proposals', 'spending'] : ['proposals'],
    maxImages,
    ...(clock ? { clock: { advance: async () => undefined } } : {}),
  });
  const session = sessionAt(target, { timer: skippingTimer(() => undefined) });
  const as = (role: Role): Credential => ({ label: role, role, header: `Bearer ${role}`, good: true });
  const send = (change: object = {}, role: Role = 'primary') =>
    session.send({ tool: 'images.generate', credential: as(role), args: { ...args, ...change } });
  const propose = async (change: object = {}) =>
    JSON.parse((await send(change)).response.text).confirmation_id as string;
  const { spending, budget } = session;
  const spent = () => [spending.requested, spending.ledger.imagesConfirmed, spending.images.atWorst];
  const readBalance = () => session.send({ tool: 'credits.balance', credential: as('primary'), args: {} });
  return { session, send, propose, spent, presented, as, readBalance, stops: () => budget.stops.join() };
}

/** A presentation of an ID: the proposal, what the presentation changes, and who presents it. */
interface Presented {
  readonly proposed?: object;
  readonly changed?: object;
  readonly as?: Role;
}

const nothing = () => undefined;
const refused = (code: string) => json({ ok: false, code, message: 'No.' });
const dispatchOf = (count: number) => json({ ok: true, status: 'dispatched', run_id: 'run_1', count });
const openRefused = 'the server refused an open confirmation ID';
const wrongAccepted = 'the server accepted a confirmation ID that it must refuse';

test.each<[string, StubResponse, Presented, spent: number[], stopped?: string | undefined, error?: string]>([
  ['dispatched', dispatched, {}, [2, 2, 2]],
  ['dispatched, of fewer images', dispatchOf(1), {}, [2, 1, 2]],
  ['dispatched, of more images than were asked for', dispatchOf(211_582), {}, [2, 2, 2]],
  ['confirmation_invalid', invalid, {}, [2, 0, 2], `${openRefused} (confirmation_invalid)`],
  ['a code of its own', refused('quiet_hours'), {}, [2, 0, 2], `${openRefused} (quiet_hours)`],
  ['that credits do not suffice', refused('insufficient_credits'), {}, [2, 0, 2]],
  ['429', busy, {}, [2, 0, 2], undefined, 'Disturbed'],
  ['500', json({}, 500), {}, [2, 0, 2]],
  ['nothing', lost, {}, [2, 0, 2], undefined, 'Unanswered'],
  ['half of it', { ...dispatched, delivery: { cutAtBytes: 5 } }, {}, [2, 0, 2], undefined, 'Unanswered'],
  ['no JSON', { ...dispatched, body: '<html>' }, {}, [2, 0, 2]],
  ['a proposal', json({ ok: true, status: 'confirmation_required', confirmation_id: 'another' }), {}, [2, 0, 2]],
  ['a contradiction', json({ ok: false, code: 'no', status: 'dispatched' }), {}, [2, 0, 2], `${openRefused} (no)`],
  ['dispatched, of more images', dispatched, { proposed: { count: 1 }, changed: { count: 3 } }, [1, 2, 3]],
  ['dispatched, of fewer than proposed', dispatched, { proposed: { count: 3 }, changed: { count: 1 } }, [3, 2, 3]],
  ['a refusal, with another brief', invalid, { changed: { brief: 'another' } }, [2, 0, 2]],
  ['a refusal, by a pinned key elsewhere', invalid, { changed: { workspace: 'south' }, as: 'pinned' }, [2, 0, 2]],
  ['a refusal, in another workspace', invalid, { changed: { workspace: 'south' } }, [0, 0, 0]],
  ['a refusal, by another account', invalid, { as: 'otherAccount' }, [0, 0, 0]],
  ['a refusal, without its brief', invalid, { changed: { brief: undefined } }, [0, 0, 0]],
  ['dispatched, in another workspace', dispatched, { changed: { workspace: 'south' } }, [0, 0, 2], wrongAccepted],
])('a presentation answered with %s', async (_, response, { proposed, changed, as }, expected, stopped, error) => {
  const { send, propose, spent, stops } = spendingAt(() => response);
  const sent = send({ confirmation_id: await propose(proposed), ...proposed, ...changed }, as);
  expect(await sent.then(nothing, ({ name }) => name)).toBe(error);
  expect(spent()).toEqual(expected);
  expect(stops()).toBe(stopped === undefined ? '' : `stopped confirming images: ${stopped}`);
});

describe('an ID counts', () => {
  test('once: presented again it must be refused', async () => {
    const { send, propose, spent } = spendingAt(() => invalid, { clock: true });
    const id = await propose();
    for (let times = 0; times < 4; times += 1) await send({ confirmation_id: id });
    expect(spent()).toEqual([2, 0, 2]);
  });

  test('once if two keys present it at the same time', async () => {
    const answers = [dispatched, invalid];
    const { send, propose, spent } = spendingAt(() => answers.shift() ?? invalid);
    const id = await propose();
    await Promise.all([send({ confirmation_id: id }), send({ confirmation_id: id }, 'sole')]);
    expect(spent()).toEqual([2, 2, 2]);
  });

  test('once for each time that it was issued', async () => {
    const { send, spent } = spendingAt(() => dispatched);
    // The server derives the ID from the number of presentations. There was none yet, so both proposals get the same
    // ID.
    await send();
    const id = JSON.parse((await send()).response.text).confirmation_id;
    await send({ confirmation_id: id });
    await send({ confirmation_id: id });
    expect(spent()[2]).toBe(4);
  });
});

describe('what must be refused', () => {
  test.each([
    [limits.confirmation.surelyDead - 1, 2],
    [limits.confirmation.surelyDead, 0],
  ])('after %i minutes, an ID counts for %i images', async (minutes, images) => {
    const { session, send, propose, spent } = spendingAt(() => invalid, { clock: true });
    const id = await propose();
    await session.time.advance(minutes * 60);
    await send({ confirmation_id: id });
    expect(spent()[2]).toBe(images);
  });

  test('is set aside all the same, so that the ceiling holds where it is dispatched', async () => {
    const { send, presented, spent } = spendingAt(() => dispatched, { maxImages: 3 });
    const unknown = Array.from({ length: 6 }, (_, index) => send({ confirmation_id: `never-issued-${index}` }));
    await Promise.allSettled(unknown);
    expect(presented).toHaveLength(1);
    expect(spent()).toEqual([0, 0, 2]);
  });

  test('may be a good id that stands elsewhere in the request', async () => {
    const { session, propose, presented } = spendingAt(() => invalid, { maxImages: 1 });
    const id = await propose({ count: 2 });
    const places = [{ headers: { 'x-confirmation-id': id } }, { query: `confirmation_id=${id}` }];
    for (const place of places) {
      const call = { tool: 'images.generate', credential: primaryKey, args: { ...args, count: 1 }, ...place };
      await expect(session.send(call)).rejects.toThrow('maxImages is 1');
    }
    expect(presented).toEqual([]);
  });

  test('has room set aside even if it proposes in an unusual way', async () => {
    const { send, presented } = spendingAt(() => invalid, { maxImages: 1 });
    await expect(send({ confirmation_id: '' })).rejects.toThrow(NotTested);
    expect(presented).toEqual([]);
  });

  const cyrillic = 'подтверждение-1';
  const inBytes = (id: string) => Buffer.from(id).toString('latin1');
  const long = `a${'\u{1d400}'.repeat(2000)}`;
  const separated = `${'-'.repeat(2000)}${cyrillic}`;
  test.each<[string, string, Partial<Request>, Shown['way'], number]>([
    ['in a header', cyrillic, { headers: [['x-id', inBytes(cyrillic)]] }, 'wrong', 2],
    ['of many characters', long, { headers: [['x-id', inBytes(long)]] }, 'wrong', 2],
    ['of many characters, truncated', long, { args: { confirmation_id: long.slice(0, 99) } }, 'wrong', 2],
    ['behind many separators', separated, { args: { confirmation_id: cyrillic } }, 'wrong', 2],
    ['in a query', cyrillic, { url: `/images.generate?id=${encodeURIComponent(cyrillic)}` }, 'wrong', 2],
    ['in the other case', cyrillic, { args: { confirmation_id: 'ПОДТВЕРЖДЕНИЕ 1' } }, 'wrong', 2],
    ['extended', cyrillic, { args: { confirmation_id: `${cyrillic}-again` } }, 'wrong', 2],
    ['whose digits are elsewhere', '12345678', { body: '{"brief":"12 34 56 78 squares"}' }, 'proposal', 1],
  ])('may be an ID %s', (_, id, change, way, worst) => {
    const ids = new ConfirmationIds();
    const body = { ok: true, status: 'confirmation_required', confirmation_id: id, count: 2 };
    ids.see(answered({ tool: 'images.generate', args: { count: 2 }, body }), 0);
    const { request } = answered({ tool: 'images.generate', args: { count: 1 } });
    expect(ids.shown({ ...request, ...change }, primaryKey, 0)).toMatchObject({ way, worst });
  });

  test('of any length is kept once: requests are searched only for its start', () => {
    const ids = new ConfirmationIds();
    const args = { confirmation_id: '\u20ac'.repeat(1_000_000) };
    ids.see(answered({ tool: 'images.generate', body: { ok: true, ...args } }), 0);
    const { issued } = ids.shown(answered({ tool: 'images.generate', args }).request, primaryKey, 0);
    expect(JSON.stringify(issued?.forms).length).toBeLessThan(20_000);
  });

  test('is recognised however its address is written', async () => {
    const { session, spent } = spendingAt(() => dispatched);
    const args = { confirmation_id: 'never-issued-0' };
    await session.send({ tool: 'x/../images%2Egenerate', credential: primaryKey, args });
    expect(spent()[2]).toBe(1);
    expect(() => session.budget.require('proposals')).toThrow(NotTested);
  });
});

describe('spending stops', () => {
  test('confirming after an open ID is refused, and requests that cannot spend go on', async () => {
    const { send, propose, spent, stops } = spendingAt(() => invalid);
    await send({ confirmation_id: await propose() });
    await expect(send({ confirmation_id: await propose() })).rejects.toThrow(stops());
    await send({ confirmation_id: 'never-issued-0' });
    expect(spent()).toEqual([2, 0, 2]);
  });

  test('only where that is met six times in a row where somebody else may have moved the clock', async () => {
    const { session, send, propose } = spendingAt(() => invalid, { clock: true });
    for (let times = 1; times <= 6; times += 1) {
      expect(session.budget.stops).toEqual([]);
      await send({ confirmation_id: await propose() });
    }
    expect(session.budget.stops).toHaveLength(1);
  });

  test('where an id that must be refused is dispatched, before another proposal is sent', async () => {
    const { session, send } = spendingAt(() => dispatched);
    await send({ confirmation_id: 'never-issued-0' });
    await expect(send()).rejects.toThrow(`stopped confirming images: ${wrongAccepted}`);
    expect(session.spending.ledger.imagesConfirmed).toBe(0);
    expect(session.spending.ledger.leftBehind.runs).toHaveLength(1);
  });

  test('before an id is presented, where the balance fell three times while nothing was confirmed', async () => {
    const { propose, readBalance, send, presented } = spendingAt(() => dispatched, { cost: 1 });
    await readBalance();
    let id: string | undefined;
    for (let times = 1; times <= 3; times += 1) {
      id = await propose();
      await readBalance();
    }
    const fell = 'stopped confirming images: the balance fell from 998 to 997';
    await expect(send({ confirmation_id: id })).rejects.toThrow(fell);
    await expect(propose()).rejects.toThrow('stopped confirming images');
    expect(presented).toEqual([]);
  });

  test('where a request without a good key is dispatched; nothing of it is counted', async () => {
    const { session, spent } = spendingAt(() => dispatched);
    const credential: Credential = { label: 'unknown key', good: false };
    await session.send({ tool: 'images.generate', credential, args: { confirmation_id: 'x' } });
    expect(spent()).toEqual([0, 0, 0]);
    expect(session.spending.ledger.leftBehind.runs).toEqual([]);
    expect(() => session.budget.require('proposals')).toThrow(NotTested);
  });
});

const twice = 'the server ran one confirmation ID more than once';

test.each<[string, StubResponse[], { clock?: boolean; maxImages?: number }, presented: number, number[], string?]>([
  ['one is dispatched and the others are refused', [invalid, dispatched], {}, 4, [1, 1, 1]],
  ['none is dispatched', [], { clock: true }, 4, [1, 0, 4]],
  ['one is dispatched, and one is over the rate limit', [dispatched, busy], {}, 4, [1, 1, 2]],
  ['one is dispatched, and one gets no response', [dispatched, lost], {}, 4, [1, 1, 2]],
  ['two are dispatched', [dispatched, dispatched], {}, 4, [1, 2, 2], twice],
  ['three images are left', [], { clock: true, maxImages: 3 }, 3, [1, 0, 3]],
  ['one image is left, which is no race', [], { maxImages: 1 }, 0, [0, 0, 0]],
])('of several presentations at once, %s', async (_, answers, options, times, expected, stopped) => {
  const { session, propose, as, presented, spent, stops } = spendingAt(() => answers.shift() ?? invalid, options);
  const confirmation = { ...args, count: 1, confirmation_id: await propose({ count: 1 }) };
  const call = { tool: 'images.generate', credential: as('primary'), args: confirmation };
  await session.sendAtOnce(call, 8).catch(() => undefined);
  expect(presented).toHaveLength(times);
  expect(spent()).toEqual(expected);
  expect(stops()).toBe(stopped === undefined ? '' : `stopped confirming images: ${stopped}`);
});

test('nothing is confirmed without permission', async () => {
  const { send, propose, presented } = spendingAt(() => dispatched, { allow: false });
  await expect(send({ confirmation_id: await propose() })).rejects.toThrow("'spending' is not allowed");
  expect(presented).toEqual([]);
});

test('a 429 is waited out and the request sent once more where it proposes, never where it confirms', async () => {
  const { send, presented } = spendingAt(() => busy);
  await expect(send({ confirmation_id: 'never-issued-0' })).rejects.toThrow('still 429');
  expect(presented).toHaveLength(2);
});

type ReservationRequest = Parameters<typeof planReservation>[0];

const proposal: ReservationRequest = { cost: 2, times: 1, needsRoom: false };
const confirmation: ReservationRequest = { ...proposal, needsRoom: true };
const race: ReservationRequest = { ...confirmation, times: 8 };
const counted: ReservationRequest = { ...race, cost: 0 };

test.each<
  [string, ReservationRequest, left: number, free: number, [runners: number, images: number] | 'wait' | 'too many']
>([
  ['a proposal', proposal, 12, 12, [1, 2]],
  ['a proposal reserves at most what is left', proposal, 1, 1, [1, 1]],
  ['a proposal needs no room', proposal, 0, 0, [1, 0]],
  ['a proposal waits for open reservations', proposal, 12, 1, 'wait'],
  ['a confirmation', confirmation, 2, 2, [1, 2]],
  ['a confirmation waits for open reservations', confirmation, 12, 1, 'wait'],
  ['a confirmation needs room for all its images', confirmation, 1, 1, 'too many'],
  ['four of a race are the most', race, 100, 100, [4, 8]],
  ['half of a race is enough', race, 100, 5, [2, 4]],
  ['less than half of a race waits', race, 100, 3, 'wait'],
  ['one is no race', race, 3, 3, 'too many'],
  ['images that already count need no room', counted, 0, 0, [4, 0]],
])('%s', (_, request, left, free, expected) => {
  const plan = () => planReservation(request, { left, free, most: 12 });
  if (expected === 'too many') expect(plan).toThrow('maxImages is 12, and this request could exceed it');
  else expect(plan()).toEqual(expected === 'wait' ? expected : { runners: expected[0], images: expected[1] });
});
