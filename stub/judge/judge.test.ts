import { expect, test } from 'vitest';
import { type ClientRuleId, clientRuleIds } from '../../fixtures/client-rules.ts';
import type { ToolName } from '../../fixtures/contract/tools.ts';
import { judgeClient } from '../../suites/clients/judge.ts';
import type { ClientRun } from '../../suites/exchange/history.ts';
import { afterIdleRun } from '../../test/judge/case.ts';
import { clientCases } from '../../test/judge/cases.ts';
import { atHand, type Hand } from '../../test/stub/hand.ts';
import { createStub } from '../index.ts';

/** Returns the status of a rule, and the event numbers of each finding. The history includes an idle plain run. */
function verdictOf({ stub }: Hand, rule: ClientRuleId) {
  const judged = judgeClient(afterIdleRun(stub.history())).requirements.find(({ id }) => id === rule);
  const events = judged?.findings.map(({ exchanges }) => exchanges.map(({ number }) => number)) ?? [];
  return events.length === 0 ? judged?.status : [judged?.status, ...events];
}

test.each(clientCases)('%s: %s', async (_what, rule, act, verdict) => {
  const hand = atHand();
  await act(hand);
  expect(verdictOf(hand, rule)).toEqual(verdict);
});

test('every rule has been broken above, but for those that take a person or a command', () => {
  const broken = new Set(clientCases.flatMap(([, rule, , verdict]) => (Array.isArray(verdict) ? [rule] : [])));
  expect(clientRuleIds.filter((id) => !broken.has(id))).toEqual([
    'client-keys.not-elsewhere',
    'client-keys.not-in-output',
    'client-outcomes.failure-told',
    'client-outcomes.no-crash',
    'client-outcomes.reason-shown',
    'client-outcomes.ends',
    'client-outcomes.unknown-fields',
    'client-outcomes.other-servers',
    'client-workspaces.chosen-by-a-person',
    'client-workspaces.choices-shown',
    'client-workspaces.named',
    'client-workspaces.choices-offered',
    'client-confirmations.summary-shown',
  ]);
});

test('a key in the right header and yet not as it should be is told for what it is', async () => {
  const { send, stub } = atHand();
  const key = stub.keys.primary;
  const odd = [key.slice(0, 30), `"${key}"`, Buffer.from(key).toString('base64')].map((each) => `Bearer ${each}`);
  const sent = [`Bearer ${key}`, `bearer  ${key}`, key, `Token ${key}`, ...odd];
  for (const authorization of sent) await send('credits.balance', {}, { headers: { authorization } });
  const rule = stub.judgement().requirements.find(({ id }) => id === 'client-keys.only-in-authorization');
  const told = 'credits.balance with a key in the header authorization,';
  const wrong = ['not as "Bearer <key>"', 'not as "Bearer <key>"', 'only a part of the key'];
  const all = [...wrong, 'with other text around the key', 'in base64'].map((each) => `${told} but ${each}`);
  expect(rule?.findings.map(({ actual }) => actual)).toEqual(all);
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
  expect(hand.verdict('client-workspaces.choices-shown')).toBe('not-tested');
  await ambiguous(hand, (workspaces) => workspaces.find((slug) => slug !== 'north'));
  const other = atHand();
  other.stub.person.picks('nowhere');
  await ambiguous(other, ([first]) => first);
  expect(other.verdict('client-workspaces.chosen-by-a-person')).toEqual(['failed', [2, 3]]);
});

test('where no person is seen, an early choice or the end of the list is a warning; using both fails', async () => {
  const stub = createStub();
  const slow = atHand(stub);
  await ambiguous(slow, (workspaces) => {
    stub.advance(10);
    return workspaces[1];
  });
  expect(slow.verdict('client-workspaces.choices-shown')).toBe('passed');

  for (const end of [0, -1]) {
    const hasty = atHand();
    const chosen: (string | undefined)[] = [];
    while (new Set(chosen).size < 2) {
      hasty.stub.switch('ambiguous', { capability: true });
      const workspaces = await ambiguous(hasty, (slugs) => slugs.at(end));
      if (chosen.length === 0) {
        expect(hasty.verdict('client-workspaces.choices-shown')).toEqual(['warned', [2, 3]]);
        expect(hasty.verdict('client-workspaces.chosen-by-a-person')).toBe('not-tested');
      }
      chosen.push(workspaces.at(end));
    }
    expect(hasty.verdict('client-workspaces.chosen-by-a-person')).toMatchObject(['failed', expect.any(Array)]);
  }
});

test('a client waits by the real clock where that of the world stands still', async () => {
  let seconds = 1_900_000_000;
  const hand = atHand(createStub({ clock: { now: () => seconds * 1000 } }));
  hand.stub.clock.freeze();
  hand.stub.faults.add({ retryAfterSeconds: 9 }, { retryAfterSeconds: 9 });
  for (const passed of [9, 8]) {
    await hand.send('schedule.read', {});
    seconds += passed;
  }
  expect(hand.verdict('client-limits.retry-after')).toBe('passed');
  await hand.send('schedule.read', {});
  expect(hand.verdict('client-limits.retry-after')).toEqual(['failed', [5, 6]]);
});

/**
 * Returns the verdict on a client that sends requests at these times in milliseconds. The first one gets a 429. Each
 * request uses a new connection.
 */
function limitedAt(...moments: number[]) {
  let ms = 1_900_000_000_000;
  const hand = atHand(createStub({ clock: { now: () => ms } }));
  hand.stub.faults.add({ retryAfterSeconds: 9, latencyMs: 250 });
  const headers = { authorization: `Bearer ${hand.stub.keys.primary}` };
  for (const moment of moments) {
    ms = 1_900_000_000_000 + moment;
    hand.stub.handle({ method: 'POST', path: '/api/v1/tools/credits.balance', headers, body: null, connection: {} });
  }
  return hand.verdict('client-limits.retry-after');
}

test('what was on its way with others when a 429 came, came in ignorance of it', () => {
  expect(limitedAt(0, 20, 240, 260, 490)).toBe('passed');
  expect(limitedAt(0, 20, 520)).toEqual(['failed', [2, 4]]);
  // A client with sequential requests has received the 429.
  expect(limitedAt(0, 260)).toEqual(['failed', [2, 3]]);
});

test('a workspace that was not among the choices, and one that a client was told of before', async () => {
  const other = atHand();
  await ambiguous(other, () => 'main');
  expect(other.verdict('client-workspaces.chosen-by-a-person')).toEqual(['failed', [1, 2]]);
  const hand = atHand();
  await hand.send('schedule.read', { workspace: 'south' }, { role: 'ambiguous' });
  await ambiguous(hand, () => 'south');
  expect(hand.verdict('client-workspaces.choices-shown')).toBe('not-tested');
});

type Act = (hand: Hand) => unknown;

/** Returns the status of a rule after a plain run and another run. */
async function after(rule: ClientRuleId, plainRun: Act, other: Act, ending: Partial<ClientRun> = {}) {
  const runs = [plainRun, other].map(async (act, index) => {
    const hand = atHand(createStub({ seed: index + 1 }));
    await act(hand);
    const kind: ClientRun['kind'] = index === 0 ? 'plain' : 'other';
    const { knowledge, ...history } = hand.stub.history();
    const run = { scenario: kind, kind, exitCode: 0, ...(index === 0 ? {} : ending) };
    return { ...history, knowledge: { ...knowledge, run } };
  });
  const { requirements } = judgeClient(await Promise.all(runs));
  return requirements.find(({ id }) => id === rule)?.status;
}

const refuse = (hand: Hand, tool: ToolName) => hand.stub.faults.add({ tool, code: 'frozen', times: 9 });

test('what a client does where nothing goes wrong is no mistake where something does', async () => {
  const words = (hand: Hand) => hand.send('knowledge.search', { query: 'None' });
  const refusedWords = async (hand: Hand) => {
    refuse(hand, 'schedule.read');
    await hand.send('schedule.read', {});
    await words(hand);
  };
  expect(await after('client-outcomes.ok-decides', words, refusedWords)).toBe('not-tested');
  expect(await after('client-outcomes.ok-decides', () => undefined, refusedWords)).toBe('failed');

  const polls = (times: number) => async (hand: Hand) => {
    for (let time = 0; time < times; time++) await hand.send('content.status', {});
  };
  const refusedPolls = (times: number) => (hand: Hand) => {
    refuse(hand, 'content.status');
    return polls(times)(hand);
  };
  const rule = 'client-retries.only-what-may-help';
  // Without a plain run, polling is indistinguishable from retrying.
  const hand = atHand();
  await refusedPolls(3)(hand);
  expect(hand.stub.judgement().requirements.find(({ id }) => id === rule)).toMatchObject({
    status: 'not-tested',
    reason: 'no run without refusals shows how often the client repeats a request (tck judge has such a run)',
    findings: [],
  });
  expect(await after(rule, polls(3), refusedPolls(3))).toBe('passed');
  expect(await after(rule, polls(3), refusedPolls(4))).toBe('failed');
});

test('a crash after a response that was cut is no mistake, even if another one arrived meanwhile', async () => {
  const both = async (hand: Hand) => {
    await Promise.allSettled([hand.send('library.search', { query: '' })]);
    await hand.send('schedule.read', {});
  };
  const afterFault = (fault: object) => {
    const faulty = (hand: Hand) => {
      hand.stub.faults.add({ tool: 'library.search', ...fault });
      return both(hand);
    };
    const crash = { exitCode: 1, output: 'Traceback (most recent call last):\nhttp.client.IncompleteRead: 40 bytes' };
    return after('client-outcomes.no-crash', both, faulty, crash);
  };
  expect(await afterFault({ cutAtBytes: 40 })).not.toBe('warned');
  expect(await afterFault({ code: 'frozen' })).toBe('warned');
});

test('a client that stumbles over a missing value, or hangs, passes no rule by it', async () => {
  const found = async (hand: Hand) => {
    const { items } = await hand.send('library.search', { query: '' });
    await hand.send('library.get', items[0]);
  };
  const refused = async (hand: Hand) => {
    refuse(hand, 'library.search');
    await hand.send('library.search', { query: '' });
  };
  const endsWith = (rule: ClientRuleId, ending: Partial<ClientRun>) => after(rule, found, refused, ending);
  const output = "Cannot read properties of undefined (reading '0')";
  expect(await endsWith('client-outcomes.ok-decides', { exitCode: 1, output: 'frozen' })).toBe('passed');
  expect(await endsWith('client-outcomes.ok-decides', { exitCode: 1, output })).toBe('not-tested');
  expect(await endsWith('client-outcomes.no-crash', { exitCode: 1, output: 'frozen' })).toBe('passed');
  expect(await endsWith('client-outcomes.no-crash', { exitCode: null, output: '' })).toBe('not-tested');
});

test('an id that a client kept for another of its runs is as a proposal gave it', async () => {
  const stub = createStub({ seed: 2 });
  const id = await atHand(stub).propose();
  const confirm = (hand: Hand) => hand.confirm(id);
  expect(await after('client-confirmations.id-as-given', confirm, (hand) => hand.propose())).toBe('passed');
  const mangled = (hand: Hand) => hand.confirm(id.toUpperCase());
  expect(await after('client-confirmations.id-as-given', mangled, (hand) => hand.propose())).toBe('failed');
});

/** Returns the status and findings of the unknown-fields rule for a client that makes these runs. */
async function met(...runs: [kind: 'plain' | 'unknown-fields', exitCode: number, ...tools: string[]][]) {
  const sessions = runs.map(async ([kind, exitCode, ...tools], index) => {
    const { send, stub } = atHand();
    for (const tool of tools) await send(tool, {});
    const history = stub.history();
    const run = { scenario: `run ${index}`, kind, exitCode };
    return { ...history, knowledge: { ...history.knowledge, run } };
  });
  const { requirements } = judgeClient(await Promise.all(sessions));
  const rule = requirements.find(({ id }) => id === 'client-outcomes.unknown-fields');
  return [rule?.status, ...(rule?.findings ?? []).map(({ actual }) => actual)];
}

test('unknown fields: a client goes on and ends as it does without them', async () => {
  const [balance, schedule] = ['credits.balance', 'schedule.read'];
  const usual = ['plain', 0, balance, schedule] as const;
  expect(await met([...usual], ['unknown-fields', 0, balance, schedule])).toEqual(['passed']);
  expect(await met([...usual], ['unknown-fields', 1, balance])).toEqual(['failed', 'exit code 1']);
  const early = ['failed', 'an exit before these requests'];
  expect(await met([...usual], [...usual], ['unknown-fields', 0, balance])).toEqual(early);
  // The client cached the balance in the first run.
  expect(await met([...usual], ['plain', 0, schedule], ['unknown-fields', 0, schedule])).toEqual(['passed']);
  expect(await met(['plain', 1, balance], ['unknown-fields', 1, balance])).toEqual(['not-tested']);
});

test('what is forgotten is not held against a client', async () => {
  const stub = createStub({ rateLimit: 100_000 });
  const hand = atHand(stub);
  const id = await hand.propose();
  for (let call = 0; call < 30_000; call++) stub.handle({ method: 'POST', path: '/', headers: {}, body: null });
  await hand.confirm(id);
  expect(stub.journal().dropped).toBeGreaterThan(0);
  expect(stub.judgement().verdict).not.toBe('non-conformant');
});
