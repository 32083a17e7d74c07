import { expect, test } from 'vitest';
import { aFailure, anExchange, aRun } from '../../test/reports/results.ts';
import type { ReportedFinding } from '../result.ts';
import { causesOf } from './causes.ts';

const refusal = (code: string) => ({ status: 200, ok: false, code });
const success = { status: 200, ok: true };
const order = { workspace: 'north', why: 'x'.repeat(90) };
const response = 'response';
const proposed = { ...success, result: 'confirmation_required' };

const titles: readonly (readonly [Partial<ReportedFinding>, string])[] = [
  [{ at: 'body count', want: { oneOf: [1] }, got: 2 }, 'returns `count` 2 instead of 1'],
  [{ at: 'body count', want: { oneOf: [1] }, got: '1' }, 'returns `count` "1"; expected …'],
  [{ at: 'body a.b', want: { oneOf: ['a', 'b'] }, got: null }, 'returns `a.b` `null`; expected …'],
  [{ at: 'body query', want: { oneOf: ['e\u0301'] }, got: '\u00e9' }, 'returns `query` "\u00e9"; expected …'],
  [{ at: 'body items[].roll', want: { schema: 'required' } }, 'returns no `items[].roll`'],
  [{ at: 'body why', got: order }, `returns \`why\` \`${JSON.stringify(order).slice(0, 60)}…\`; expected …`],
  [{ at: 'body issues', want: { names: 'a', by: 'path' }, got: [] }, 'does not name the invalid field `a` in `issues`'],
  [
    { at: 'body workspace', want: { oneOf: ['north'] }, got: 'south' },
    'runs in workspace "south" although the request names "north"',
  ],
  [
    { at: response, want: { status: 400, error: ['tenant_api.malformed_body'] }, got: refusal('no_batches') },
    'returns `no_batches` instead of 400 `tenant_api.malformed_body`',
  ],
  [
    { at: response, want: proposed, got: { ...success, result: 'new' } },
    'returns status `new` instead of status `confirmation_required`',
  ],
  [{ at: response, got: { status: 429, error: 'tenant.limited' } }, 'returns 429 `tenant.limited`; expected …'],
  [
    { at: response, got: { status: 200, unusable: 'an empty body' }, actual: 'HTTP 200 with an empty body' },
    'returns HTTP 200 with an empty body; expected …',
  ],
  [{ at: 'exchanges', actual: '25446' }, 'returns: 25446; expected …'],
];

test.for(titles)('%j is in plain words', ([finding, title]) => {
  const failure = aFailure('schedule.answers', { expected: '…', want: undefined, ...finding });
  const [cause] = causesOf(aRun([failure], { exchanges: [anExchange(1)] }));
  expect(cause?.title).toBe(`\`schedule.read\` ${title}`);
});

test('a title names the key and how the request sends it', () => {
  const exchange = anExchange(1, { credential: 'primary, scheme Token' });
  const got = { status: 404, error: 'none' };
  const failure = aFailure('authentication.other-scheme', { at: response, want: { status: 401 }, got });
  expect(causesOf(aRun([failure], { exchanges: [exchange] }))[0]?.title).toBe(
    '`schedule.read` returns 404 `none` instead of 401 for `primary, scheme Token`',
  );
});
