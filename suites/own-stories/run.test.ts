import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStub, type Stub } from '../../stub/index.ts';
import { overHttp } from '../../test/stub-target.ts';
import { catalogueWith } from '../catalogue.ts';
import { audit as auditTarget } from '../engine/audit.ts';
import { mostCalls } from '../engine/options.ts';
import { type AuditOptions, audit } from '../index.ts';
import {
  isPlainRequest,
  must,
  type OwnJudging,
  type OwnStoryParts,
  rule,
  type Story,
  should,
  story,
  succeeds,
} from '../stories.ts';

let stub: Stub;
let baseUrl: string;

beforeAll(async () => {
  stub = createStub();
  ({ baseUrl } = await stub.listen({ port: 0 }));
});
afterAll(() => stub.close());

const source = 'ACME guide, 1';

/** A story that reads the schedule once, and a rule about it. */
const reading = (id: `acme.${string}`, judging: Partial<OwnJudging> = {}, parts: OwnStoryParts = {}): Story =>
  story(`story of ${id}`, {
    requirements: [
      rule(must(id, 'The server MUST respond.', source), {
        applies: (exchange, seen) => isPlainRequest(exchange, 'schedule.read', seen),
        expect: (exchange) => succeeds(exchange, 'Respond.'),
        ...judging,
      }),
    ],
    steps: async (t) => void (await t.send('read', { tool: 'schedule.read', args: t.here() })),
    ...parts,
  });

async function run(stories: readonly Story[], options: AuditOptions = { only: ['acme'] }) {
  const result = await audit(overHttp(stub, baseUrl), { stories, observe: false, ...options });
  const own = result.requirements.filter(({ topic }) => topic === 'acme');
  return { result, own, statuses: Object.fromEntries(own.map(({ id, status }) => [id, status])) };
}

const finding = (exchange: Parameters<OwnJudging['expect']>[0]) => ({
  expected: 'something else',
  actual: 'this',
  hint: 'Change it.',
  exchanges: [exchange],
});

test('own requirements pass, fail and warn beside those of the kit', async () => {
  const advice = story('advice', {
    requirements: [
      rule(should('acme.advice', 'The server SHOULD do it.', source, 'cosmetic'), {
        applies: ({ request }) => request.tool === 'schedule.read',
        expect: finding,
      }),
    ],
  });
  const stories = [reading('acme.good'), reading('acme.bad', { expect: finding }), advice];
  const { result, own, statuses } = await run(stories, { only: ['acme', 'schedule'] });
  expect(statuses).toEqual({ 'acme.good': 'passed', 'acme.bad': 'failed', 'acme.advice': 'warned' });
  expect(own.find(({ id }) => id === 'acme.bad')).toMatchObject({
    topic: 'acme',
    level: 'must',
    severity: 'contract',
    source,
    findings: [{ expected: 'something else', hint: 'Change it.' }],
  });
  expect(result.requirements.filter(({ topic, status }) => topic === 'schedule' && status === 'passed')).not.toEqual(
    [],
  );
  expect(result.verdict).toBe('non-conformant');
});

test('a rule judges the requests of all stories, also without steps of its own', async () => {
  const everywhere = story('everywhere', {
    requirements: [
      rule(must('acme.everywhere', 'Every response MUST be good.', source), {
        everyResponse: true,
        applies: () => true,
        expect: () => undefined,
      }),
    ],
  });
  expect((await run([everywhere], { only: ['acme', 'schedule'] })).statuses).toEqual({ 'acme.everywhere': 'passed' });
});

test.each([
  ['a rule that throws', { expect: () => expect.fail('oops') }],
  ['a condition that throws', { applies: () => expect.fail('oops') }],
  ['a twin that throws', { twin: () => expect.fail('oops') }],
])('%s leaves its requirement errored', async (_, judging: Partial<OwnJudging>) => {
  const { own, result } = await run([reading('acme.broken', judging), reading('acme.other')]);
  expect(own).toMatchObject([
    { id: 'acme.broken', status: 'errored', reason: expect.stringContaining('the rule acme.broken threw: ') },
    { id: 'acme.other', status: 'passed' },
  ]);
  expect(result.verdict).toBe('inconclusive');
});

test('a step that throws leaves its requirement errored, although a response tested it', async () => {
  const steps: Story['steps'] = async (t) => {
    await t.send('read', { tool: 'schedule.read', args: t.here() });
    throw new RangeError('oops');
  };
  const { own } = await run([reading('acme.broken', {}, { steps })]);
  expect(own).toMatchObject([
    {
      status: 'errored',
      reason: expect.stringMatching(/^stories: the steps of 'story of acme.broken' threw: RangeErr/),
    },
  ]);
});

test('steps that never finish end with the run', async () => {
  const stop = new AbortController();
  const { own, result } = await run(
    [reading('acme.endless', { applies: () => false }, { steps: () => new Promise(() => {}) })],
    {
      only: ['acme'],
      signal: stop.signal,
      onEvent: ({ kind }) => {
        if (kind === 'story-started') stop.abort();
      },
    },
  );
  expect(own).toMatchObject([{ status: 'not-tested', missing: [{ kind: 'interruption' }] }]);
  expect(result.interrupted).toBe(true);
});

// Plain JavaScript allows all of them.
test.each([
  ['a promise', async () => undefined, 'expect: expected a finding or undefined, got a promise'],
  ['true', () => true, 'got a value of type boolean'],
  ['a finding without exchanges', () => ({ expected: 'a', actual: 'b', hint: 'c' }), 'got an object without expected'],
])('a rule that returns %s is errored', async (_, expected, why) => {
  const broken = { expect: expected } as unknown as Partial<OwnJudging>;
  const { own } = await run([reading('acme.broken', broken)]);
  expect(own).toMatchObject([{ status: 'errored', reason: expect.stringContaining(why) }]);
});

test('a twin that is a promise leaves its requirement errored', async () => {
  const broken = { twin: async () => ({ succeeded: true }) } as unknown as Partial<OwnJudging>;
  const { own } = await run([reading('acme.broken', { ...broken, expect: finding })]);
  expect(own).toMatchObject([{ status: 'errored', reason: expect.stringContaining('twin: expected an object with') }]);
});

test('a story without what it needs says what to add', async () => {
  const target = overHttp(stub, baseUrl, { allow: [] });
  const needs = { effects: ['writes'] } as const;
  const catalogue = catalogueWith([
    reading('acme.writes', { applies: ({ request }) => request.tool === 'content.create_request' }, { needs }),
  ]);
  const { requirements } = await auditTarget(target, { catalogue, seed: 1, only: ['acme'] });
  expect(requirements.find(({ id }) => id === 'acme.writes')).toMatchObject({
    status: 'not-tested',
    missing: [{ kind: 'effect', effect: 'writes' }],
  });
});

test('a run without own stories has the same requirements and limits as before', async () => {
  const target = overHttp(stub, baseUrl);
  const sum = (stories: readonly Story[]) =>
    mostCalls(target, { catalogue: catalogueWith(stories) }).get('primary') ?? 0;
  expect(catalogueWith([])).toBe(catalogueWith([]));
  expect(sum([])).toBe(mostCalls(target, {}).get('primary'));
  expect(sum([reading('acme.one', {}, { mostRequests: 7 }), reading('acme.two')]) - sum([])).toBe(57);
});

const twice = reading('acme.twice');
test.each([
  [
    'the same ID twice',
    [twice, { ...reading('acme.twice'), name: 'other' }],
    "'acme.twice' is defined twice, first in",
  ],
  [
    'the name of a story twice',
    [twice, { ...reading('acme.other'), name: twice.name }],
    'another story of stories has',
  ],
  ['the name of a story of the kit', [{ ...twice, name: 'plain requests' }], 'another story of the kit has this name'],
  [
    'a topic of the kit',
    [story('x', { requirements: [ruleOf('schedule.fast')] })],
    "the kit uses the prefix 'schedule'",
  ],
  ['a topic of clients', [story('x', { requirements: [ruleOf('client-keys.x')] })], "uses the prefix 'client-keys'"],
  ['the word all', [story('x', { requirements: [ruleOf('all.x')] })], "the kit uses the prefix 'all'"],
  ['no prefix', [story('x', { requirements: [ruleOf('fast' as 'fast.x')] })], "'fast' is not an ID. Expected a prefix"],
  ['capitals', [story('x', { requirements: [ruleOf('Acme.Fast')] })], "'Acme.Fast' is not an ID"],
  ['no statement', [story('x', { requirements: [ruleOf('acme.x', ' ')] })], "'acme.x': statement: expected a text"],
  ['no requirement', [story('x', {})], 'expected at least one rule in `requirements`'],
  ['a colon in the name', [{ ...twice, name: 'a: b' }], 'expected a name without colons'],
  ['an unknown requirement', [story('x', { alsoTests: ['acme.nothing'] })], "there is no requirement 'acme.nothing'"],
  [
    'a bare requirement',
    [story('x', { requirements: [must('acme.bare', 'The server MUST.', source) as never] })],
    'requirements[0] is not a rule. Wrap it',
  ],
])('a story with %s is refused', (_, stories, why) => {
  expect(() => catalogueWith(stories)).toThrow(why);
});

function ruleOf(id: `${string}.${string}`, statement = 'The server MUST.') {
  return rule(must(id, statement, source), { applies: () => true, expect: () => undefined });
}

test.each([
  [{ effects: ['proposals'] }, undefined],
  [{ effects: ['throttling'] }, 'last'],
] as const)('a story that needs %j has the turn %s', (needs, turn) => {
  expect(story('x', { needs }).turn).toBe(turn);
});
