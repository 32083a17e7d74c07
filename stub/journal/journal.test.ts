import { expect, test } from 'vitest';
import { leaksOf } from '../../test/leaks.ts';
import { clientOf } from '../../test/stub/client.ts';
import { standingClock, wednesdayNoon } from '../../test/stub/standing-clock.ts';
import { createStub, type Stub } from '../index.ts';
import { type JournalEvent, keptOfRequest } from './event.ts';

test('every call is written down with its answer, in the order in which they came', () => {
  const world = createStub({ clock: standingClock });
  const call = clientOf(world);
  const { text } = call('library.search', { query: 'a' });
  world.person.picks('north');
  world.advance(60);
  call('nothing', undefined, { authorization: null });
  const { events, dropped } = world.journal();
  expect(dropped).toBe(0);
  const path = '/api/v1/tools/library.search';
  expect(events).toMatchObject([
    {
      ...{ kind: 'exchange', seq: 1, at: wednesdayNoon, role: 'primary', account: 'first', tool: 'library.search' },
      request: { method: 'POST', path, headers: [['authorization', 'Bearer <primary>']], body: '{"query":"a"}' },
      answer: { status: 200, body: text },
      delivery: 'whole',
      fault: null,
    },
    { kind: 'person', seq: 2, act: 'picked', subject: 'north' },
    { kind: 'control', seq: 3, what: 'The clock was advanced by 60 seconds.' },
    { kind: 'exchange', seq: 4, at: wednesdayNoon + 60_000, role: null, tool: 'nothing', answer: { status: 401 } },
  ]);
  expect(world.journal(2).events.map(({ seq }) => seq)).toEqual([3, 4]);
});

test('it is written before the answer is sent', () => {
  const world = createStub();
  const seen: JournalEvent[] = [];
  world.watch((event) => seen.push(event));
  clientOf({
    ...world,
    handle: (request) => {
      const answer = world.handle(request);
      expect(seen).toHaveLength(1);
      return answer;
    },
  })('credits.balance');
});

test('it is bounded, and says what it forgot', () => {
  const world = createStub({ rateLimit: 100_000 });
  const call = clientOf(world);
  for (let count = 0; count < 5000; count++) call('library.search', { query: 'é'.repeat(count % 3000) });
  const { events, dropped } = world.journal();
  expect([events.length, dropped]).toEqual([2000, 3000]);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => dropped + 1 + index));
});

test('of what is too long the beginning is kept, and how long it was', () => {
  const world = createStub();
  const body = JSON.stringify({ query: 'é'.repeat(10_000) });
  const headers = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`x-${index}`, 'ü'.repeat(900)]));
  world.handle({ method: 'POST', path: `/${'ä'.repeat(15_000)}`, headers, body: Buffer.from(body) });
  world.handle({ method: 'POST', path: '/x', headers: { '': '' }, body: Buffer.alloc(0) });
  const [long, empty] = world.journal().events;
  expect(long).toMatchObject({
    request: { bodyBytes: Buffer.byteLength(body), path: expect.stringMatching(/^.ä+…$/) },
  });
  expect(long?.kind === 'exchange' && body.startsWith(long.request.body?.slice(0, -1) ?? 'nothing')).toBe(true);
  expect(empty).toMatchObject({ seq: 2, request: { body: '', bodyBytes: 0, path: '/x' } });
});

/** What the journal shows of requests with these paths, headers and bodies. */
function shownOf(world: Stub, ...requests: [path: string, headers?: Record<string, string>, body?: string][]) {
  for (const [path, headers = {}, body = ''] of requests)
    world.handle({ method: 'POST', path, headers, body: Buffer.from(body) });
  return JSON.stringify(world.journal());
}

test('keys, and what may be one, stand nowhere', () => {
  const world = createStub();
  const { primary } = world.keys;
  const text = shownOf(
    world,
    [`/x?key=${primary}&api_key=other-secret&page=2`, { authorization: `Basic ${primary}` }, `{"k":"${primary}"}`],
    ['/x', { authorization: 'Bearer stranger-key', 'x-api-key': 'other-secret', cookie: 'a=secret' }],
    ['/x', { authorization: 'naked-secret', 'user-agent': primary }],
  );
  for (const secret of [primary, 'other-secret', 'stranger-key', 'a=secret', 'naked-secret'])
    expect(text).not.toContain(secret);
  expect(text).toContain('key=<primary>&api_key=<hidden, 12 characters>&page=2');
  expect(text).toContain('Basic <primary>');
  expect(text).toContain('Bearer <hidden, 12 characters>');
});

test('keys stand nowhere in other digits or escapes, nor where the limit cuts them; other escapes stay', () => {
  const world = createStub();
  const { primary, sole } = world.keys;
  const base64 = [`u:${primary}`, `us:${primary}`, primary].map((text) => Buffer.from(text).toString('base64'));
  const hexadecimal = Buffer.from(primary).toString('hex');
  const escaped = [...primary].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
  const told: JournalEvent[] = [];
  world.watch((event) => told.push(event));
  world.faults.add({ status: 500, message: `not ${primary}` });
  world.person.picks(sole);
  const text = shownOf(
    world,
    [
      `/${primary}/${base64[0]}`,
      { 'x-hex': hexadecimal, authorization: `Basic ${base64[1]}` },
      JSON.stringify({ deep: [`x${sole}y`, ...base64, hexadecimal.toUpperCase()] }),
    ],
    // If the limit falls within a key, the start of the key is not kept either.
    ['/', {}, `${' '.repeat(keptOfRequest - 30)}${primary}`],
    [`/x?k=${escaped}`],
    ['/%61%20b?q=%63'],
  );
  for (const secret of [primary, sole]) expect(leaksOf(secret)({ text, told: JSON.stringify(told) })).toEqual([]);
  expect(text).not.toContain(primary.slice(0, 12));
  for (const shown of ['/<primary>/', '<primary, characters 1 to 30>', 'x<sole>y', '<primary, hex>'])
    expect(text).toContain(shown);
  expect(text).toMatch(/Basic \w*<primary, base64(, \d)?>/);
  for (const path of ['/x?k=<primary, percent>', '/%61%20b?q=%63']) expect(text).toContain(`"path":"${path}"`);
});

test('a key of another world, and what stands where secrets stand, is hidden', () => {
  const { primary } = createStub({ seed: 2 }).keys;
  const body = JSON.stringify({ query: `a ${primary}`, api_key: 'other "secret"', nested: { authToken: 'third' } });
  const text = shownOf(createStub(), ['/', { 'x-auth': 'fourth', 'x-author': 'someone' }, body]);
  const { body: shown, headers } = JSON.parse(text).events[0].request;
  expect(JSON.parse(shown)).toEqual({
    query: 'a <hidden, 47 characters>',
    api_key: '<hidden, 16 characters>',
    nested: { authToken: '<hidden, 5 characters>' },
  });
  expect(Object.fromEntries(headers)).toEqual({ 'x-auth': '<hidden, 6 characters>', 'x-author': 'someone' });
});

test.each([
  '?api%5Fkey=s3cret',
  '?access%2Dtoken=s3cret',
  '?my:token=s3cret',
  "?token='s3cret'",
  '?token=a;s3cret',
  '?a=b;token=s3cret',
])('the value in %s is hidden', (query) => {
  expect(shownOf(createStub(), [`/${query}`])).not.toContain('s3cret');
});

test.each(['x'.repeat(100), 'a "token'])('a member with %j in its name is hidden', (name) => {
  const text = shownOf(createStub(), ['/', {}, JSON.stringify({ [`${name} token "a`]: 's3cret', page: 'shown' })]);
  expect([text.includes('s3cret'), text.includes('shown')]).toEqual([false, true]);
});

test("a call is its key's wherever it went, and calls of one connection have one number", () => {
  const world = createStub();
  const headers = { authorization: `Bearer ${world.keys.sole}` };
  const [one, two] = [{}, {}];
  world.handle({ method: 'POST', path: '/tools/credits.balance', headers, body: null, connection: one });
  world.handle({ method: 'GET', path: '/api/v1/tools/credits.balance', headers, body: null, connection: two });
  world.handle({ method: 'POST', path: '/', headers: {}, body: null, connection: one });
  const seen = world.journal().events.map((event) => event.kind === 'exchange' && [event.role, event.connection]);
  expect(seen).toEqual([
    ['sole', 1],
    ['sole', 2],
    [null, 1],
  ]);
});
