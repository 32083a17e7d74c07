import { expect, test } from 'vitest';
import { aFailure, aFinding, anExchange, aRequirement, aRun } from '../../reports/testing/results.ts';
import type { ReportedExchange, RequirementResult } from '../result.ts';
import { causesOf } from './causes.ts';

/** Returns an exchange of a tool, by default `images.generate`. */
function response(id: number, body: unknown, over: { tool?: string; status?: number; request?: unknown } = {}) {
  const { tool = 'images.generate', status = 200, request = {} } = over;
  return anExchange(id, {
    tool,
    request: { method: 'POST', url: `http://127.0.0.1/${tool}`, headers: [], body: JSON.stringify(request) },
    response: { status, headers: [], body: JSON.stringify(body) },
  });
}

function causes(requirements: RequirementResult[], exchanges: ReportedExchange[]) {
  return causesOf(aRun(requirements, { exchanges }));
}

const boardNotFound = 'HTTP 200 with ok false, code "board_not_found"';
const serious = { severity: 'data-isolation' } as const;

test('an envelope without ok explains what else was expected of the response, and is no leak', () => {
  const refusals = [1, 2].map((id) => response(id, { code: 'board_not_found', message: 'No such board.' }));
  const [cause, ...others] = causes(
    [
      aFailure('envelopes.ok-boolean', { expected: 'ok to be true or false', actual: 'ok (missing)', exchanges: [1] }),
      aFailure(
        'image-proposals.board-elsewhere-refused',
        { expected: boardNotFound, actual: 'HTTP 200 with ok (missing)', hint: 'Look up the board.', exchanges: [2] },
        serious,
      ),
    ],
    refusals,
  );
  expect(others).toEqual([]);
  expect(cause).toMatchObject({
    title: '`board_not_found` responses have no `ok`',
    severity: 'contract',
    requirement: { id: 'envelopes.ok-boolean' },
  });
  expect(cause?.requirements).toHaveLength(2);
});

test('data of another workspace is a matter of isolation', () => {
  const proposal = response(1, { ok: true, status: 'confirmation_required' });
  const actual = 'HTTP 200 with ok true, status "confirmation_required"';
  const failure = aFailure('image-proposals.board-elsewhere-refused', { expected: boardNotFound, actual }, serious);
  expect(causes([failure], [proposal])).toMatchObject([
    {
      title: '`images.generate` succeeds where the response must be `board_not_found`',
      severity: 'data-isolation',
    },
  ]);
});

test('a workspace with the wrong form leaks nothing', () => {
  const result = response(1, { ok: true, workspace: { slug: 'north' } });
  const actual = 'workspace {"slug":"north"}';
  const failure = aFailure('workspaces.argument-honoured', { expected: 'workspace "north"', actual }, serious);
  expect(causes([failure], [result])[0]?.severity).toBe('contract');
});

test('money is spent by a dispatch, not by a count in quotes', () => {
  const dispatched = response(1, { ok: true, status: 'dispatched', count: '2' });
  const severe = { severity: 'spends-money' } as const;
  const quoted = aFailure('confirmations.changed-count', { expected: 'count 2', actual: 'count "2"' }, severe);
  const changed = aFailure('confirmations.changed-count', { expected: 'count 1', actual: 'count 2' }, severe);
  expect(causes([quoted], [dispatched])[0]?.severity).toBe('contract');
  expect(causes([changed], [dispatched])[0]?.severity).toBe('spends-money');
});

test('two members of one response may be wrong for two reasons', () => {
  const hits = response(1, { ok: true, hits: null, query: null }, { tool: 'knowledge.search' });
  const found = causes(
    [
      aFailure('knowledge.hits', { expected: 'hits to be an array', actual: 'hits null', hint: 'Send an array.' }),
      aFailure('knowledge.query-echoed', { expected: 'query "a"', actual: 'query null', hint: 'Return the query.' }),
    ],
    [hits],
  );
  expect(found).toHaveLength(2);
});

test('one member of one tool is wrong for one reason', () => {
  const found = causes(
    [
      aFailure('image-proposals.count-as-asked', { expected: 'count 1', actual: 'count "1"', hint: 'Repeat it.' }),
      aFailure('confirmations.changed-count', { expected: 'count 2', actual: 'count "2"', hint: 'Store it.' }),
    ],
    [response(1, { ok: true })],
  );
  expect(found).toMatchObject([{ requirement: { id: 'image-proposals.count-as-asked' } }]);
});

test('two arguments that are not checked are two causes, one in two tools is one', () => {
  const accepted = (id: string, exchange: number) =>
    aFailure(id, {
      expected: 'HTTP 200 with ok false, code "invalid_arguments"',
      actual: 'HTTP 200 with ok true',
      hint: 'Check the type of the argument before its value.',
      exchanges: [exchange],
    });
  const found = causes(
    [
      accepted('workspaces.wrong-type-refused', 1),
      accepted('knowledge.query-wrong-type-refused', 2),
      accepted('library.query-wrong-type-refused', 3),
    ],
    [
      response(1, { ok: true }, { tool: 'schedule.read', request: { workspace: 7 } }),
      response(2, { ok: true }, { tool: 'knowledge.search', request: { query: 7 } }),
      response(3, { ok: true }, { tool: 'library.search', request: { query: 7 } }),
    ],
  );
  expect(found.map(({ title }) => title)).toEqual([
    '`library.search` and `knowledge.search` accept a wrong type of `query`',
    '`schedule.read` accepts a wrong type of `workspace`',
  ]);
});

test('a missing header is one cause on every status, and hides no other', () => {
  const missing = { expected: 'x-service-api: beta', actual: 'no header x-service-api' };
  const found = causes(
    [
      aFailure('headers.beta-on-401', { ...missing, hint: 'Set it on 401.', exchanges: [1] }),
      aFailure('headers.beta-on-404', { ...missing, hint: 'Set it on 404.', exchanges: [2] }),
      aFailure('unknown-tools.unknown-404', { actual: 'HTTP 401', expected: 'HTTP 404', exchanges: [1] }),
    ],
    [response(1, {}, { status: 401 }), response(2, {}, { status: 404 })],
  );
  expect(found.map(({ requirements }) => requirements.length)).toEqual([2, 1]);
  expect(found[0]?.title).toBe('Responses with status 401, 404 have no `x-service-api`');
});

test('thirty findings that are one are one cause, which counts them', () => {
  const findings = Array.from({ length: 30 }, (_, index) => aFinding({ exchanges: [index + 1] }));
  const [cause, ...others] = causes([aRequirement('headers.beta', { findings })], [anExchange(1)]);
  expect(others).toEqual([]);
  expect(cause).toMatchObject({ times: 30 });
  expect(cause?.exchanges).toHaveLength(30);
});

test('of a comparison both exchanges are the evidence', () => {
  expect(causes([aFailure('bodies.a', { exchanges: [3, 8] })], [])[0]?.evidence).toEqual([3, 8]);
});

test('the worst first; must before should; then what explains most', () => {
  const letters = (letter: string) => ({ actual: letter, hint: letter });
  const found = causes(
    [
      aFailure('headers.one', letters('cosmetic'), { severity: 'cosmetic' }),
      aRequirement('envelopes.advice', { level: 'should', status: 'warned', findings: [aFinding(letters('advice'))] }),
      aFailure('race.one', letters('late')),
      aFailure('bodies.a', letters('wide')),
      aFailure('bodies.b', letters('wide')),
      aFailure('rate-limit.one', letters('security'), { severity: 'security' }),
    ],
    [],
  );
  expect(found.map(({ finding }) => finding.hint)).toEqual(['security', 'wide', 'late', 'cosmetic', 'advice']);
});

test('known failures have no cause', () => {
  expect(causes([{ ...aFailure('bodies.known'), status: 'known-failure' }], [])).toEqual([]);
});

test('a 404 that repeats the requested name differs for every name: that is one cause', () => {
  const body = (name: string) => ({ error: { code: 'tenant_api.no_such_tool', message: `There is no tool ${name}.` } });
  const found = causes(
    [
      aFailure('unknown-tools.uniform-body', {
        expected: 'the body of tck.a with primary: {"error":{}}',
        actual: 'tck.b: {"error":{}}',
        hint: 'Send one constant body.',
        exchanges: [1, 2],
      }),
      aFailure('unknown-tools.name-not-in-body', {
        expected: 'a body without the requested name',
        actual: JSON.stringify(body('tck.b')),
        hint: 'Do not repeat the requested name in the 404.',
        exchanges: [2],
      }),
    ],
    ['tck.a', 'tck.b'].map((tool, index) => response(index + 1, body(tool), { tool, status: 404 })),
  );
  expect(found.map(({ title }) => title)).toEqual(['Responses to unknown tools repeat the requested name']);
});

test('of two responses that must not differ, the title says what differs and in which case', () => {
  const failure = aFailure('authentication.revoked-like-absent', {
    expected: 'the body of schedule.read with no credential: {"error":{}}',
    actual: 'schedule.read with revoked: {"error":{"a":1}}',
    exchanges: [1, 2],
  });
  expect(causes([failure], [anExchange(1), anExchange(2)])[0]?.title).toBe(
    '`schedule.read` returns another body with revoked than with no credential',
  );
});
