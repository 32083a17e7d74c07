import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import schema from '../fixtures/report.schema.json' with { type: 'json' };
import { causesOf } from '../suites/causes/causes.ts';
import { aFailure, anExchange, aRequirement, aRun, notTested } from '../test/reports/results.ts';
import { reportJson } from './json.ts';
import { reportOf } from './report.ts';

const until = { expires: '2026-04-01', stale: 'it has to go' };
const knownFailure = { reason: 'r', issue: 'https://example.test/1', owner: 'o', ...until };

/** A run that sets every optional member of the model. */
const everything = aRun(
  [
    aFailure('headers.beta', { times: 3, note: 'A second run of the check ended otherwise.' }),
    notTested('expiry.dead-late', 'no clock', [
      { kind: 'clock' },
      { kind: 'role', role: 'revoked' },
      { kind: 'effect', effect: 'writes' },
      { kind: 'setting', setting: 'workspaces[1].board' },
      { kind: 'option', option: '--assume complete' },
      { kind: 'data', what: 'a library item' },
      { kind: 'unusable', why: 'workspaces[1] is configured, but not used' },
    ]),
    aRequirement('race.errored', { status: 'errored', reason: 'no response', exchanges: [2], required: true }),
    aRequirement('credits.one-balance', { status: 'known-failure', knownFailure }),
  ],
  {
    target: { ...aRun([]).target, label: 'build 7' },
    trouble: ['a ceiling was met'],
    leftBehind: {
      contentRequests: [{ pieceId: 'p-1', workspace: 'north', title: null }],
      runs: [{ runId: 'r-1', workspace: 'north', images: 1 }],
      proposals: 2,
    },
    exchanges: [
      anExchange(1),
      anExchange(2, { response: null, problem: 'timed out', tool: null, role: null }),
      anExchange(3, { response: { status: 200, headers: [], body: 'x', cutAtBytes: 1 } }),
    ],
    observations: [{ id: 'a.b', question: 'What?', values: [{ a: 1 }, null, 'x'], exchanges: [1], volatile: true }],
    timeline: [{ atMs: 1, durationMs: 2, credential: 'primary', tool: null, status: 429 }],
  },
);

/** The published schema with every object closed, to find members of the model that the schema lacks. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  return 'properties' in copy && 'required' in copy ? { ...copy, additionalProperties: false } : copy;
}

test('report.json matches the published schema, which names every member', () => {
  const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(closed(schema) as object);
  validate(JSON.parse(reportJson(reportOf(everything))));
  expect(validate.errors).toBeNull();
});

test('reading it gives the run back, with its causes', () => {
  const ordered = { ...everything, requirements: everything.requirements.toSorted((a, b) => (a.id < b.id ? -1 : 1)) };
  const read = JSON.parse(reportJson(reportOf(everything)));
  expect(read).toMatchObject(ordered);
  expect(Object.keys(read).slice(0, 4)).toEqual(['schemaVersion', 'kit', 'document', 'target']);
  const causes = causesOf(everything);
  expect(causes.length).toBeGreaterThan(0);
  expect(read.causes.map(({ title }: { title: string }) => title)).toEqual(causes.map(({ title }) => title));
  const { findings } = read.requirements.find(({ status }: { status: string }) => status === 'failed');
  expect(read.causes[findings[0].cause].exchanges).toEqual(expect.arrayContaining(findings[0].exchanges));
});

test('the same run gives the same bytes, whatever order its lists came in', () => {
  const { requirements, exchanges } = everything;
  const shuffled = { ...everything, requirements: requirements.toReversed(), exchanges: exchanges.toReversed() };
  expect(reportJson(reportOf(shuffled))).toBe(reportJson(reportOf(everything)));
});

test('nothing in it is obeyed by a terminal, and reading it gives the text back', () => {
  const hostile = 'a\u001b[31m\u009b\u202e\u200b\u{e0041}##[error]##vso[x]b';
  const json = reportJson(reportOf(aRun([], { notices: [hostile] })));
  expect(json).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  expect(JSON.parse(json).notices).toEqual([hostile]);
});

test('strict parsers read a title with half a surrogate pair', () => {
  const contentRequests = [{ pieceId: 'p', workspace: 'w', title: 'half \udc00' }];
  const json = reportJson(reportOf(aRun([], { leftBehind: { contentRequests, runs: [], proposals: 0 } })));
  expect(JSON.parse(json).leftBehind.contentRequests[0].title).toBe('half \ufffd');
});
