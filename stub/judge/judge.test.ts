import { expect, test } from 'vitest';
import { type ClientRuleId, clientRuleIds } from '../../fixtures/client-rules.ts';
import type { Role } from '../../fixtures/roles.ts';
import { createStub, type Stub } from '../index.ts';

/** A client by hand: what a test says is what is sent. */
function atHand(stub: Stub = createStub()) {
  const send = async (
    tool: string,
    args: unknown,
    how: { role?: Role; headers?: object; path?: string; method?: string } = {},
  ) => {
    const { role = 'primary', headers = {}, path = '', method = 'POST' } = how;
    const answer = await stub
      .fetch(`${stub.baseUrl}/api/v1/tools/${tool}${path}`, {
        method,
        headers: { authorization: `Bearer ${stub.keys[role]}`, 'content-type': 'application/json', ...headers },
        ...(args === undefined ? {} : { body: typeof args === 'string' ? args : JSON.stringify(args) }),
      })
      .catch(() => undefined);
    return answer?.json();
  };
  const request = { board: stub.workspaces[0]?.board, brief: 'a cup', count: 1, shape: '1:1' };
  return {
    stub,
    send,
    request,
    propose: async (more: object = {}) =>
      (await send('images.generate', { ...request, ...more })).confirmation_id as string,
    confirm: (id: unknown, more: object = {}) => send('images.generate', { ...request, ...more, confirmation_id: id }),
    /** How a rule stands, with the numbers of the events behind its findings. */
    verdict(id: ClientRuleId) {
      const rule = stub.judgement().rules.find((judged) => judged.id === id);
      const events = rule?.findings.map(({ evidence }) => evidence.events) ?? [];
      return events.length === 0 ? rule?.status : [rule?.status, ...events];
    },
  };
}

type Hand = ReturnType<typeof atHand>;
type Case = [what: string, rule: ClientRuleId, act: (hand: Hand) => Promise<unknown>, verdict: unknown];

const create = { format: 'posts', day: '2030-01-02' };

const cases: readonly Case[] = [
  ['a key where it belongs', 'client-keys.only-in-authorization', ({ send }) => send('credits.balance', {}), 'passed'],
  [
    'a key in the query',
    'client-keys.only-in-authorization',
    ({ send, stub }) => send('credits.balance', {}, { path: `?key=${stub.keys.primary}` }),
    ['failed', [1]],
  ],
  [
    'a key in another header',
    'client-keys.only-in-authorization',
    ({ send, stub }) => send('credits.balance', {}, { headers: { 'x-api-key': stub.keys.primary } }),
    ['failed', [1]],
  ],
  [
    'a key under another scheme',
    'client-keys.only-in-authorization',
    ({ send, stub }) => send('credits.balance', {}, { headers: { authorization: `Token ${stub.keys.primary}` } }),
    ['failed', [1]],
  ],
  [
    'a key in the body',
    'client-keys.only-in-authorization',
    ({ send, stub }) => send('credits.balance', { key: stub.keys.primary }),
    ['failed', [1]],
  ],
  ['a tool that is one', 'client-requests.known-tools', ({ send }) => send('schedule.read', undefined), 'passed'],
  ['a tool that is none', 'client-requests.known-tools', ({ send }) => send('schedule.write', {}), ['failed', [1]]],
  [
    'a call by GET',
    'client-requests.known-tools',
    ({ send }) => send('schedule.read', undefined, { method: 'GET' }),
    ['failed', [1]],
  ],
  ['no body', 'client-requests.json-object', ({ send }) => send('schedule.read', undefined), 'not-exercised'],
  ['an object', 'client-requests.json-object', ({ send }) => send('schedule.read', {}), 'passed'],
  ['an object in a list', 'client-requests.json-object', ({ send }) => send('schedule.read', [{}]), ['failed', [1]]],
  ['half an object', 'client-requests.json-object', ({ send }) => send('schedule.read', '{"a":'), ['failed', [1]]],
  ['JSON that says so', 'client-requests.content-type', ({ send }) => send('schedule.read', {}), 'passed'],
  [
    'JSON as text',
    'client-requests.content-type',
    ({ send }) => send('schedule.read', {}, { headers: { 'content-type': 'text/plain' } }),
    ['warned', [1]],
  ],
  ['good arguments', 'client-requests.valid-arguments', ({ send }) => send('content.create_request', create), 'passed'],
  [
    'an unknown format',
    'client-requests.valid-arguments',
    ({ send }) => send('content.create_request', { ...create, format: 'reels' }),
    ['failed', [1]],
  ],
  [
    'bounds that the document does not show',
    'client-requests.valid-arguments',
    ({ send, request }) => send('images.generate', { ...request, count: 10_000 }),
    'passed',
  ],
  [
    'an id that was given',
    'client-outcomes.ok-decides',
    async ({ propose, confirm }) => confirm(await propose()),
    'passed',
  ],
  [
    'an id out of a refusal',
    'client-outcomes.ok-decides',
    async ({ propose, confirm }) => confirm(String(await propose({ board: 'brd_none' })), { board: 'brd_none' }),
    ['failed', [1, 2]],
  ],
  ['a refusal and no more', 'client-outcomes.ok-decides', ({ propose }) => propose({ board: 'brd_none' }), 'passed'],
  [
    'a confirmation that was approved',
    'client-confirmations.approved',
    async ({ propose, confirm, stub }) => {
      const id = await propose();
      stub.person.approve(id);
      await confirm(id);
    },
    'passed',
  ],
  [
    'one that was not, and one that was denied after all',
    'client-confirmations.approved',
    async ({ propose, confirm, stub }) => {
      const [one, two] = [await propose(), await propose()];
      stub.person.approve(two);
      stub.person.deny(two);
      await confirm(one);
      await confirm(two);
    },
    ['failed', [1, 5], [2, 6]],
  ],
  [
    'a confirmation where nobody is seen, after a while',
    'client-confirmations.time-to-read',
    async ({ propose, confirm, stub }) => {
      const id = await propose();
      stub.advance(5);
      await confirm(id);
    },
    'passed',
  ],
  [
    'a confirmation at once',
    'client-confirmations.time-to-read',
    async ({ propose, confirm }) => confirm(await propose()),
    ['warned', [1, 2]],
  ],
  [
    'the request that was proposed, its members in another order',
    'client-confirmations.same-request',
    async ({ propose, send, request: { board, ...rest } }) =>
      send('images.generate', { confirmation_id: await propose(), ...rest, board }),
    'passed',
  ],
  [
    'a larger one',
    'client-confirmations.same-request',
    async ({ propose, confirm }) => confirm(await propose(), { count: 3 }),
    ['failed', [1, 2]],
  ],
  [
    'an id that is sent twice',
    'client-confirmations.once',
    async ({ propose, confirm }) => {
      const id = await propose();
      await Promise.all([confirm(id), confirm(id)]);
    },
    ['failed', [2, 3]],
  ],
  [
    'an id that is sent again after its answer was lost',
    'client-confirmations.once',
    async ({ propose, confirm, stub }) => {
      const id = await propose();
      stub.faults.add({ drop: 'before' });
      await confirm(id);
      await confirm(id);
    },
    'passed',
  ],
  [
    'a fresh proposal after confirmation_invalid',
    'client-confirmations.fresh-proposal',
    async ({ propose, confirm, stub }) => {
      const id = await propose();
      stub.advance(3600);
      await confirm(id);
      await confirm(await propose());
    },
    'passed',
  ],
  [
    'the same id again',
    'client-confirmations.fresh-proposal',
    async ({ propose, confirm, stub }) => {
      const id = await propose();
      stub.expireProposals();
      await confirm(id);
      await confirm(id);
    },
    ['failed', [3, 4]],
  ],
  [
    'an old proposal',
    'client-confirmations.in-time',
    async ({ propose, confirm, stub }) => {
      const id = await propose();
      stub.advance(1800);
      await confirm(id);
    },
    ['warned', [1, 3]],
  ],
  [
    'a call after the wait',
    'client-limits.retry-after',
    async ({ send, stub }) => {
      stub.faults.add({ retryAfterSeconds: 9 });
      await send('schedule.read', {});
      stub.advance(9);
      await send('schedule.read', {});
    },
    'passed',
  ],
  [
    'a call within the wait, of another tool',
    'client-limits.retry-after',
    async ({ send, stub }) => {
      stub.faults.add({ retryAfterSeconds: 9 });
      await send('schedule.read', {});
      stub.advance(8.9);
      await send('credits.balance', {});
    },
    ['failed', [2, 4]],
  ],
  [
    'a wait that is counted from the receipt of an answer that came late',
    'client-limits.retry-after',
    async ({ send, stub }) => {
      stub.clock.freeze();
      stub.faults.add({ retryAfterSeconds: 1, latencyMs: 20 });
      await send('schedule.read', {});
      stub.advance(0.99);
      await send('schedule.read', {});
    },
    ['failed', [3, 5]],
  ],
  [
    'calls that were under way together',
    'client-limits.retry-after',
    async ({ send, stub }) => {
      stub.faults.add({ retryAfterSeconds: 9 });
      await Promise.all(Array.from({ length: 8 }, () => send('schedule.read', {})));
    },
    'passed',
  ],
  [
    'another key of the account for the same call',
    'client-limits.no-other-key',
    async ({ send, stub }) => {
      stub.faults.add({ retryAfterSeconds: 9 });
      await send('credits.balance', {});
      await send('credits.balance', {}, { role: 'sole' });
    },
    ['warned', [2, 3]],
  ],
  [
    'another key for its own work',
    'client-limits.no-other-key',
    async ({ send, stub }) => {
      stub.faults.add({ retryAfterSeconds: 9 });
      await send('credits.balance', {});
      await send('schedule.read', {}, { role: 'sole' });
    },
    'passed',
  ],
  [
    'a refused call again',
    'client-retries.only-what-may-help',
    async ({ propose }) => {
      await propose({ board: 'brd_none' });
      await propose({ board: 'brd_none' });
    },
    ['failed', [1, 2]],
  ],
  [
    'a refused call again, after something was changed from outside',
    'client-retries.only-what-may-help',
    async ({ send, stub }) => {
      stub.switch('primary', { key: 'revoked' });
      await send('credits.balance', {});
      stub.switch('primary', { key: 'live' });
      await send('credits.balance', {});
    },
    'passed',
  ],
  [
    'the same refused call twice at once',
    'client-retries.only-what-may-help',
    ({ propose }) => Promise.all([propose({ board: 'brd_none' }), propose({ board: 'brd_none' })]),
    'passed',
  ],
  [
    'a lost request for content again',
    'client-retries.no-blind-repeat',
    async ({ send, stub }) => {
      stub.faults.add({ drop: 'after' });
      await send('content.create_request', create);
      await send('content.create_request', create);
    },
    ['warned', [2, 3]],
  ],
  [
    'a lost reading call again',
    'client-retries.no-blind-repeat',
    async ({ send, stub }) => {
      stub.faults.add({ drop: 'after' });
      await send('schedule.read', {});
      await send('schedule.read', {});
    },
    'not-exercised',
  ],
  [
    'a lost confirmation, proposed and confirmed anew',
    'client-retries.no-blind-repeat',
    async ({ propose, confirm, stub }) => {
      stub.faults.add({ confirming: true, drop: 'after' });
      await confirm(await propose());
      await confirm(await propose());
    },
    ['warned', [3, 5]],
  ],
];

test.each(cases)('%s: %s', async (_what, rule, act, verdict) => {
  const hand = atHand();
  await act(hand);
  expect(hand.verdict(rule)).toEqual(verdict);
});

test('every rule has been broken above, but for those that take a person or a command', () => {
  const broken = new Set(cases.flatMap(([, rule, , verdict]) => (Array.isArray(verdict) ? [rule] : [])));
  expect(clientRuleIds.filter((id) => !broken.has(id))).toEqual([
    'client-outcomes.unknown-fields',
    'client-workspaces.chosen-by-a-person',
    'client-workspaces.choices-shown',
  ]);
});

async function ambiguous(hand: Hand, choose: (workspaces: string[]) => string | undefined) {
  const { workspaces } = await hand.send('schedule.read', {}, { role: 'ambiguous' });
  await hand.send('schedule.read', { workspace: choose(workspaces) }, { role: 'ambiguous' });
  return workspaces as string[];
}

test('a workspace that a person picked, and one that nobody did', async () => {
  const hand = atHand();
  await ambiguous(hand, (workspaces) => {
    hand.stub.person.picks(workspaces[1] ?? '');
    return workspaces[1];
  });
  expect(hand.verdict('client-workspaces.chosen-by-a-person')).toBe('passed');
  expect(hand.verdict('client-workspaces.choices-shown')).toBe('not-exercised');
  await ambiguous(hand, (workspaces) => workspaces.find((slug) => slug !== 'north'));
  const other = atHand();
  other.stub.person.picks('nowhere');
  await ambiguous(other, ([first]) => first);
  expect(other.verdict('client-workspaces.chosen-by-a-person')).toEqual(['failed', [2, 3]]);
});

test('where nobody is seen, the first of the list, or a choice at once, is a warning; ending in two workspaces so is a failure', async () => {
  const stub = createStub();
  const slow = atHand(stub);
  await ambiguous(slow, (workspaces) => {
    stub.advance(10);
    return workspaces[1];
  });
  expect(slow.verdict('client-workspaces.choices-shown')).toBe('passed');

  const hasty = atHand();
  const chosen: (string | undefined)[] = [];
  while (new Set(chosen).size < 2) {
    hasty.stub.switch('ambiguous', {});
    const [first] = await ambiguous(hasty, ([slug]) => slug);
    if (chosen.length === 0) {
      expect(hasty.verdict('client-workspaces.choices-shown')).toEqual(['warned', [2, 3]]);
      expect(hasty.verdict('client-workspaces.chosen-by-a-person')).toBe('not-exercised');
    }
    chosen.push(first);
  }
  expect(hasty.verdict('client-workspaces.chosen-by-a-person')).toMatchObject(['failed', expect.any(Array)]);
});

test('a workspace that a client was told of before is not a choice', async () => {
  const hand = atHand();
  await hand.send('schedule.read', { workspace: 'south' }, { role: 'ambiguous' });
  await ambiguous(hand, () => 'south');
  expect(hand.verdict('client-workspaces.choices-shown')).toBe('not-exercised');
});

test('what is forgotten is not held against a client', async () => {
  const stub = createStub({ rateCap: 100_000 });
  const hand = atHand(stub);
  const id = await hand.propose();
  for (let call = 0; call < 30_000; call++) {
    stub.handle({ method: 'POST', path: '/', headers: {}, body: null });
  }
  await hand.confirm(id);
  expect(stub.judgement().dropped).toBeGreaterThan(0);
  expect(stub.judgement().good).not.toBe('no');
});
