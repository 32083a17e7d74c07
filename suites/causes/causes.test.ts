import { expect, test } from 'vitest';
import { aFailure, aFinding, anExchange, aRequirement, aRun } from '../../test/reports/results.ts';
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

/** Returns the failure of a requirement: exchange `id` has `got` there instead of `want`. */
function differs(requirement: string, at: string, want: unknown, got: unknown, id: number) {
  const expected = `${at} ${JSON.stringify(want)}`;
  return aFailure(requirement, { at, want: { oneOf: [want] }, got, expected, exchanges: [id] });
}

/** Returns the failure of a requirement: exchange `id` was answered with `got` instead of `want`. */
function answers(requirement: string, want: object, got: object, id: number) {
  return aFailure(requirement, { at: 'response', want, got, exchanges: [id] });
}

const boardNotFound = 'HTTP 200 with ok false, code "board_not_found"';
const success = { status: 200, ok: true };
const refusal = (code?: string) => ({ status: 200, ok: false, code });
const create = 'content.create_request';
const noSuchTool = (name: string) => ({ error: { code: 'no_such_tool', message: `There is no tool ${name}.` } });
const serious = { severity: 'data-isolation' } as const;

const away = { workspace: 'far' };
const noHeader = { at: 'header x-service-tool-error', expected: 'false', actual: 'none' } as const;
const gone = 'x-service-tool-error: (missing)';
const missing = { ...noHeader, got: [gone], actual: gone };
const unlike = { at: 'exchanges', expected: 'nothing of another place', actual: 'a piece' } as const;
const malformed = { at: 'response', want: { status: 400, error: ['malformed'] }, got: success, exchanges: [1] };
const left = aFailure('content-requests.stays-in-workspace', { ...unlike, got: 'a piece', exchanges: [1, 2] });
const moved = [response(1, { ok: true }, { tool: create }), response(2, { ok: true }, { tool: 'schedule.read' })];

const withoutOk = [
  aFailure('envelopes.ok-boolean', { expected: 'ok to be true or false', actual: 'ok (missing)', exchanges: [1] }),
  aFailure(
    'image-proposals.board-elsewhere-refused',
    { expected: boardNotFound, actual: 'HTTP 200 with ok (missing)', hint: 'Look up the board.', exchanges: [2] },
    serious,
  ),
];
const boardsWithoutOk = [1, 2].map((id) => response(id, { code: 'board_not_found', message: 'No such board.' }));

test.each<[name: string, title: string, RequirementResult[], ReportedExchange[]]>([
  [
    'an envelope without ok explains what else was expected of the response',
    '`board_not_found` responses have no `ok`',
    withoutOk,
    boardsWithoutOk,
  ],
  [
    'what a tool shows of other accounts explains what it shows of other workspaces',
    '`content.status` returns: a piece; expected nothing of another place',
    [
      aFailure('content-requests.stays-in-workspace', { ...unlike, exchanges: [1] }, serious),
      aFailure('content-requests.stays-in-account', { ...unlike, exchanges: [2] }, serious),
    ],
    [1, 2].map((id) => response(id, { ok: true }, { tool: 'content.status' })),
  ],
  [
    'charges for refused requests and for refused confirmations are one cause',
    '`images.generate` returns: a piece; expected nothing of another place',
    [
      aFailure('image-proposals.spends-nothing', { ...unlike, exchanges: [1] }),
      aFailure('confirmations.refused-costs-nothing', { ...unlike, exchanges: [2] }),
    ],
    [response(1, { ok: false }), response(2, { ok: false })],
  ],
  [
    'a header that is missing for a cause of refusal explains that these refusals differ',
    'Responses of `images.generate` have no `x-service-tool-error`',
    [
      aFailure('headers.tool-error-on-confirmation-invalid', { ...noHeader, exchanges: [1] }),
      aFailure('confirmations.used-like-never-issued', { ...missing, exchanges: [2] }),
    ],
    [response(1, { ok: false }), response(2, { ok: false })],
  ],
  [
    'an item that a result repeats explains its counts',
    '`library.search` returns no `items`',
    [
      aFailure('library.item-unique', { at: 'body items', expected: 'items that differ', actual: 'two' }),
      aFailure('library.total-covers-items', { at: 'body total', expected: 'at least 2', actual: '1' }),
    ],
    [response(1, { ok: true, total: 1, items: [{}, {}] }, { tool: 'library.search' })],
  ],
  [
    'a workspace that is picked now and then explains other refusals, and a missing one',
    '`schedule.read` refuses a valid request with `workspace_ambiguous`',
    [
      answers('bodies.omitted-schedule-read', success, refusal('workspace_ambiguous'), 3),
      answers('workspaces.ambiguous-schedule-read', refusal('workspace_ambiguous'), success, 1),
      answers('workspaces.ambiguous-images-generate', refusal('workspace_ambiguous'), refusal('board_not_found'), 2),
    ],
    [
      response(1, { ok: true }, { tool: 'schedule.read' }),
      response(2, { ok: false, code: 'board_not_found', message: 'No such board.' }),
      response(3, { ok: false, code: 'workspace_ambiguous' }, { tool: 'schedule.read' }),
    ],
  ],
  [
    'a tool that looks in another workspace returns or misses the item',
    '`library.get` returns `workspace` "north" instead of "south"',
    [
      differs('workspaces.argument-honoured', 'body workspace', 'south', 'north', 1),
      answers('library.found-can-be-got', success, refusal('item_not_found'), 2),
    ],
    [
      response(1, { ok: true, workspace: 'north' }, { tool: 'library.get' }),
      response(2, { ok: false, code: 'item_not_found' }, { tool: 'library.get' }),
    ],
  ],
  [
    'a refusal with the header of the boundary looks like an inaccessible workspace',
    '`board_not_found` responses have `x-service-tool-error: true`',
    [
      aFailure('headers.tool-error-on-board-not-found', {
        ...noHeader,
        want: { oneOf: ['false'] },
        got: 'true',
        actual: 'x-service-tool-error: true',
      }),
      answers('workspaces.argument-honoured', success, refusal('board_not_found'), 1),
    ],
    [response(1, { ok: false, code: 'board_not_found' })],
  ],
  [
    'one member of one tool is wrong for one reason',
    '`images.generate` returns `count` "1"; expected body count 1',
    [
      differs('image-proposals.count-as-asked', 'body count', 1, '1', 1),
      differs('confirmations.changed-count', 'body count', 2, '2', 1),
    ],
    [response(1, { ok: true })],
  ],
  [
    'a 404 that repeats the requested name differs for every name',
    'Responses to unknown tools repeat the requested name',
    [
      aFailure('unknown-tools.name-not-in-body', {
        expected: 'a body without the requested name',
        actual: JSON.stringify(noSuchTool('tck.b')),
        hint: 'Do not repeat the requested name in the 404.',
        exchanges: [2],
      }),
      aFailure('unknown-tools.uniform-body', {
        expected: 'the body of tck.a with primary: {"error":{}}',
        actual: 'tck.b: {"error":{}}',
        hint: 'Send one constant body.',
        exchanges: [1, 2],
      }),
    ],
    ['tck.a', 'tck.b'].map((tool, index) => response(index + 1, noSuchTool(tool), { tool, status: 404 })),
  ],
  [
    'a refusal for the board of another workspace shows the wrong workspace, not a wrong header',
    '`schedule.read` accepts a workspace of another account',
    [
      answers('workspaces.unreachable-refused', refusal(), success, 1),
      aFailure('headers.tool-error-on-unreachable', { ...noHeader, got: 'false', exchanges: [2] }, serious),
      answers('image-proposals.proposed', success, refusal('board_not_found'), 2),
    ],
    [
      response(1, { ok: true, workspace: 'north' }, { tool: 'schedule.read', request: away }),
      response(2, { ok: false, code: 'board_not_found' }, { request: away }),
    ],
  ],
  [
    'an array that may also be too large is the same cause as any other array',
    '`schedule.read` succeeds instead of returning 400',
    [
      aFailure('bodies.empty-array', malformed),
      aFailure('bodies.large-array', { ...malformed, want: { status: 400, error: ['malformed', 'too_large'] } }),
    ],
    [response(1, { ok: true }, { tool: 'schedule.read' })],
  ],
  ['a piece has moved', '`schedule.read` returns: a piece; expected nothing of another place', [left], moved],
  [
    'a result that names another workspace explains a piece that seems to have left its workspace',
    '`content.create_request` returns `workspace` "south" instead of "north"',
    [differs('workspaces.argument-honoured', 'body workspace', 'north', 'south', 1), left],
    moved,
  ],
  [
    'a dispatch for an ID that must be refused',
    '`images.generate` dispatches for a used confirmation ID',
    [answers('confirmations.used-invalid', refusal('confirmation_invalid'), { ...success, result: 'dispatched' }, 1)],
    [response(1, { ok: true, status: 'dispatched' })],
  ],
  [
    'a result for a board that must be refused',
    '`images.generate` accepts a board of another workspace',
    [answers('image-proposals.board-elsewhere-refused', refusal('board_not_found'), success, 1)],
    [response(1, { ok: true })],
  ],
])('one cause, in either order, with the first requirement here: %s', (_, title, failures, responses) => {
  for (const ordered of [failures, failures.toReversed()]) {
    const [cause, ...others] = causes(ordered, responses);
    expect(others).toEqual([]);
    expect(cause).toMatchObject({ title, requirement: { id: failures[0]?.id } });
    expect(cause?.requirements).toHaveLength(failures.length);
  }
});

test('an envelope without ok is no leak', () =>
  expect(causes(withoutOk, boardsWithoutOk)[0]?.severity).toBe('contract'));

test('another workspace is a matter of isolation, and a workspace with the wrong form leaks nothing', () => {
  const severityOf = (got: unknown) => {
    const failure = aFailure('workspaces.argument-honoured', { at: 'body workspace', want: { oneOf: ['north'] }, got });
    return causes([{ ...failure, ...serious }], [response(1, { ok: true, workspace: got })])[0]?.severity;
  };
  expect(severityOf('south')).toBe('data-isolation');
  expect(severityOf({ slug: 'north' })).toBe('contract');
});

test('a refusal grants access only with a code of the tools', () => {
  const severityWith = (code: string) => {
    const finding = { expected: 'HTTP 403', actual: `HTTP 200 with ok false, code "${code}"` };
    const withoutAccess = aFailure('surface.capability', finding, { severity: 'security' });
    return causes([withoutAccess], [response(1, { ok: false, code })])[0]?.severity;
  };
  expect(severityWith('invalid_arguments')).toBe('security');
  expect(severityWith('capability_missing')).toBe('contract');
});

test('a usual example of a requirement comes first', () => {
  const run = (requested: string, exchange: number) =>
    aFinding({
      at: 'body workspace',
      want: { oneOf: [requested] },
      got: 'north',
      expected: `workspace ${JSON.stringify(requested)}, as in the request`,
      actual: 'workspace "north"',
      exchanges: [exchange],
    });
  const findings = [run('nor\u00adth', 1), run('', 1), run('tck-unknown', 2), run('harbor', 3)];
  const ids = ['', 'tck-unknown', 'harbor'].map((workspace, index) =>
    response(index + 1, { ok: true, workspace: 'north' }, { request: { workspace } }),
  );
  const [cause] = causes([aRequirement('workspaces.argument-honoured', { status: 'failed', findings })], ids);
  expect(cause?.title).toBe('`images.generate` runs in workspace "north" although the request names "harbor"');
});

test('money is spent by a dispatch, not by a count in quotes', () => {
  const dispatched = response(1, { ok: true, status: 'dispatched', count: '2' });
  const severityOf = (got: unknown) => {
    const failure = differs('confirmations.changed-count', 'body count', 1, got, 1);
    return causes([{ ...failure, severity: 'spends-money' }], [dispatched])[0]?.severity;
  };
  expect([severityOf('1'), severityOf(2)]).toEqual(['contract', 'spends-money']);
});

test('a workspace that one tool accepts and another refuses has one cause', () => {
  const dispatch = { ...success, result: 'confirmation_required' };
  const failures = [
    answers('image-proposals.workspace-unreachable-refused', refusal(), dispatch, 1),
    answers('content-requests.works-in-named-workspace', success, refusal('workspace_unreachable'), 2),
  ];
  const accepted = response(1, { ok: true, status: 'confirmation_required' }, { request: away });
  const countFor = (workspace: string) => {
    const refused = { ok: false, code: 'workspace_unreachable' };
    return causes(failures, [accepted, response(2, refused, { tool: create, request: { workspace } })]).length;
  };
  expect([countFor('far'), countFor('south')]).toEqual([1, 2]);
});

test('a page instead of JSON explains its content type, but not another content type', () => {
  const page = (exchange: number) => [
    differs('envelopes.json-4xx', 'header content-type', 'application/json', 'text/html', exchange),
    aFailure('envelopes.boundary-error', { at: 'body error', want: { error: { code: 'text', message: 'text' } } }),
  ];
  const answer = (status: number) => ({ response: { status, headers: [], body: '<html></html>' } });
  const bodies = [404, 400].map((status, index) => anExchange(index + 1, answer(status)));
  expect([causes(page(1), bodies).length, causes(page(2), bodies).length]).toEqual([1, 2]);
});

test('two members of one response may be wrong for two reasons', () => {
  const failures = [
    aFailure('knowledge.hits', { at: 'body hits', want: { type: 'array' }, got: null }),
    aFailure('knowledge.query-echoed', { at: 'body query', want: { oneOf: ['a'] }, got: null }),
  ];
  const hits = response(1, { ok: true, hits: null, query: null }, { tool: 'knowledge.search' });
  expect(causes(failures, [hits])).toHaveLength(2);
});

test.each([
  [
    'two arguments that are not checked are two causes, one in two tools is one',
    [
      { tool: 'schedule.read', request: { workspace: 7 } },
      { tool: 'knowledge.search', request: { query: 7 } },
      { tool: 'library.search', request: { query: 7 } },
    ],
    [
      '`library.search` and `knowledge.search` accept a wrong type of `query`',
      '`schedule.read` accepts a wrong type of `workspace`',
    ],
  ],
  [
    'a server that takes numbers for texts has one cause',
    [
      { tool: 'schedule.read', request: { workspace: 7 } },
      { tool: 'knowledge.search', request: { query: 7 } },
      { tool: 'library.get', request: { kind: 7, id: '1' } },
    ],
    ['3 tools accept a wrong type of `workspace`, `kind`, `query`'],
  ],
])('%s', (_, sent, titles) => {
  const ids = ['workspaces.', 'knowledge.query-', 'library.query-'].map((start) => `${start}wrong-type-refused`);
  const found = causes(
    ids.map((id, index) => answers(id, refusal('invalid_arguments'), success, index + 1)),
    sent.map((request, index) => response(index + 1, { ok: true }, request)),
  );
  expect(found.map(({ title }) => title)).toEqual(titles);
});

test('a missing header is one cause on every status, and hides no other', () => {
  const missing = { at: 'header x-service-api', want: { oneOf: ['beta'] }, actual: 'no header x-service-api' };
  const found = causes(
    [
      aFailure('headers.beta-on-401', { ...missing, got: undefined, exchanges: [1] }),
      aFailure('headers.beta-on-404', { ...missing, got: undefined, exchanges: [2] }),
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
  const letters = (letter: string) => ({ at: `header ${letter}`, hint: letter });
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

test('of two responses that must not differ, the title says what differs and in which case', () => {
  const want = { part: 'body', sameFor: 'every credential' } as const;
  const failure = aFailure('authentication.revoked-like-absent', { want, exchanges: [1, 2] });
  const senders = ['no credential', 'revoked'].map((credential, index) => anExchange(index + 1, { credential }));
  const title = '`schedule.read` returns another body for `revoked` than for `no credential`';
  expect(causes([failure], senders)[0]?.title).toBe(title);
});

test('server errors for different oddities have different causes; an ordinary request explains an odd one', () => {
  const failing = (tool: string, id: number, oddity?: string) => ({
    exchange: response(id, { error: { code: 'crash', message: 'No.' } }, { tool, status: 500 }),
    finding: aFinding({
      at: 'response',
      want: { below: 500 },
      got: { status: 500, error: 'crash', ...(oddity === undefined ? {} : { for: oddity }) },
      exchanges: [id],
    }),
  });
  const titles = (...all: ReturnType<typeof failing>[]) => {
    const failure = aRequirement('envelopes.no-server-error', { findings: all.map(({ finding }) => finding) });
    const exchanges = all.map(({ exchange }) => exchange);
    return causes([failure], exchanges).map(({ title }) => title);
  };
  const deep = failing('schedule.read', 1, 'a deeply nested body');
  const tools = ['library.search', 'knowledge.search'];
  const halves = tools.map((tool, index) => failing(tool, index + 2, 'half a surrogate pair'));
  expect(titles(deep, ...halves)).toEqual([
    '`schedule.read` fails with 500 `crash` for a deeply nested body',
    '`library.search` and `knowledge.search` fail with 500 `crash` for half a surrogate pair',
  ]);
  expect(titles(deep, failing('schedule.read', 4))).toHaveLength(1);
  const { exchange, finding } = failing('schedule.read', 5, 'a long text');
  const got = { status: 503, unusable: 'a page', for: 'a long text' };
  const page = { got, actual: '503 with a page for a long text' };
  expect(titles({ exchange, finding: { ...finding, ...page } })).toEqual([
    '`schedule.read` fails with 503 with a page for a long text',
  ]);
});

test('arguments that may change are one cause from the third on', () => {
  const changed = [
    differs('confirmations.changed-count', 'body count', 1, 2, 1),
    differs('confirmations.changed-board', 'body board_id', 'a', 'b', 1),
    differs('confirmations.changed-shape', 'body aspect_ratio', '1:1', '16:9', 1),
  ];
  const dispatch = response(1, { ok: true, status: 'dispatched' });
  expect(causes(changed, [dispatch])).toHaveLength(1);
  expect(causes(changed.slice(0, 2), [dispatch])).toHaveLength(2);
});
