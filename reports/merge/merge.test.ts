import { expect, test } from 'vitest';
import type { RunResult } from '../../suites/result.ts';
import { aFailure, anExchange, aRequirement, aRun, notTested } from '../../test/reports/results.ts';
import { mergeResults } from './merge.ts';

/** Merges runs after giving each a unique ID. */
const merging = (all: RunResult[], required?: ReadonlySet<string>) =>
  mergeResults(
    all.map((run, index) => ({ ...run, runId: `run-${index}` })),
    required,
  );

/** A requirement that another shard tests. */
const elsewhere = (id: string) => notTested(id, 'not selected', [{ kind: 'selection' }]);

test('shards make one report: what one left out, another has', () => {
  const one = aRun([aRequirement('headers.a'), elsewhere('headers.b')], {
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1000,
  });
  const two = aRun([elsewhere('headers.a'), aRequirement('headers.b')], {
    startedAt: '2026-01-01T00:00:05.000Z',
    durationMs: 1000,
  });
  const merged = merging([one, two]);
  expect(merged).toMatchObject({
    verdict: 'conformant',
    complete: true,
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 6000,
  });
  expect(merged.summary).toMatchObject({
    passed: 2,
    notTested: 0,
    requests: one.summary.requests + two.summary.requests,
  });
});

test('findings keep their exchanges, whose ids go on', () => {
  const one = aRun([aFailure('headers.a'), elsewhere('headers.b')], { exchanges: [anExchange(1)] });
  const two = aRun([elsewhere('headers.a'), aFailure('headers.b')], {
    exchanges: [anExchange(1, { tool: 'library.get' })],
  });
  const merged = merging([one, two]);
  expect(merged.verdict).toBe('non-conformant');
  const shown = merged.requirements.map(({ findings }) => findings[0]?.exchanges);
  expect(shown).toEqual([[1], [2]]);
  expect(merged.exchanges.map(({ id, tool }) => [id, tool])[1]).toEqual([2, 'library.get']);
});

test('of several deployments the worst outcome counts', () => {
  const good = aRun([aRequirement('headers.a')]);
  const bad = aRun([aFailure('headers.a')], { target: { ...good.target, baseUrl: 'https://b.example.test' } });
  const merged = merging([good, bad, aRun([notTested('headers.a', 'no key', [])])]);
  expect(merged.requirements[0]).toMatchObject({
    status: 'failed',
    findings: [{ actual: 'https://b.example.test: status 403 without a credential' }],
  });
  expect(merged.target.baseUrl).toBe(`${good.target.baseUrl}, https://b.example.test`);
  expect(merged.notices).toEqual([
    `${good.target.baseUrl}: conformant, inconclusive`,
    'https://b.example.test: non-conformant',
  ]);
});

test('what one deployment did not test is not tested, whatever another did', () => {
  const good = aRun([aRequirement('headers.a')]);
  const target = { ...good.target, baseUrl: 'https://b.example.test' };
  const less = aRun([notTested('headers.a', "no key for the role 'sole'", [{ kind: 'role', role: 'sole' }])], {
    target,
  });
  expect(merging([good, less])).toMatchObject({
    complete: false,
    requirements: [{ status: 'not-tested', reason: "https://b.example.test: no key for the role 'sole'" }],
  });
  // A run that did not select the requirement does not count.
  expect(merging([good, aRun([elsewhere('headers.a')], { target })])).toMatchObject({ complete: true });
  // Another run of the deployment had the key.
  expect(merging([good, { ...less, target: good.target }])).toMatchObject({ complete: true });
});

test('a shard that is missing makes the whole inconclusive', () => {
  const shard = (index: number) =>
    aRun([index === 1 ? aRequirement('headers.a') : elsewhere('headers.a')], { shard: { index, of: 3 } });
  expect(merging([shard(1), shard(2), shard(3)])).toMatchObject({ verdict: 'conformant', reasons: [] });
  const less = merging([shard(1), shard(3)]);
  expect(less).toMatchObject({
    verdict: 'inconclusive',
    trouble: ['the report of shard 2/3 is missing (http://127.0.0.1:4010)'],
    gate: { passed: true },
  });
  expect(less).not.toHaveProperty('shard');
});

test('shards against an image are of one deployment, whatever port each of them got', () => {
  const at = (port: number, index: number) =>
    aRun([index === 1 ? aRequirement('headers.a') : elsewhere('headers.a')], {
      target: { ...aRun([]).target, kind: 'image', baseUrl: `http://127.0.0.1:${port}` },
      shard: { index, of: 2 },
    });
  expect(merging([at(49152, 1), at(49153, 2)])).toMatchObject({ verdict: 'conformant', reasons: [], notices: [] });
});

test('a shard in which nothing can be tested does not spoil the whole', () => {
  const nothing = aRun([elsewhere('headers.a'), notTested('headers.b', 'no key', [])]);
  expect(merging([nothing, aRun([aRequirement('headers.a'), elsewhere('headers.b')])]).verdict).toBe('conformant');
  expect(merging([nothing])).toMatchObject({ verdict: 'inconclusive', reasons: ['nothing was tested'] });
});

test('a part that was kept from a verdict makes the whole inconclusive', () => {
  const fine = aRun([aRequirement('headers.a'), elsewhere('headers.b')]);
  const away = aRun([elsewhere('headers.a'), notTested('headers.b', 'nothing can be checked', [])], {
    trouble: ['the target is unreachable: connection refused'],
  });
  expect(merging([fine, away])).toMatchObject({
    verdict: 'inconclusive',
    trouble: ['the target is unreachable: connection refused'],
    reasons: ['the target is unreachable: connection refused'],
  });
});

test('a stale known failure of a part fails the gate of the whole', () => {
  const knownFailure = { reason: 'r', issue: 'i', owner: 'o', expires: '2026-01-01', stale: 'line 3: remove it' };
  const stale = aRun([elsewhere('headers.a'), aRequirement('headers.b', { knownFailure })]);
  expect(merging([aRun([aRequirement('headers.a'), elsewhere('headers.b')]), stale])).toMatchObject({
    verdict: 'conformant',
    gate: { passed: false, reasons: ['line 3: remove it'] },
  });
});

test('what is required is looked for in the whole, also where a part alone did not test it', () => {
  const part = aRun([aRequirement('headers.a'), elsewhere('headers.b')]);
  expect(merging([part], new Set(['headers.a'])).gate.passed).toBe(true);
  expect(merging([part], new Set(['headers.b']))).toMatchObject({
    verdict: 'conformant',
    gate: { passed: false, reasons: ['1 required requirement not tested: headers.b'] },
  });
  const lacking = aRun([elsewhere('headers.a'), { ...notTested('headers.b', 'no key', []), required: true }]);
  expect(merging([part, lacking]).gate.passed).toBe(false);
  expect(merging([part, lacking, aRun([elsewhere('headers.a'), aRequirement('headers.b')])]).gate.passed).toBe(true);
});

test('reports of different descriptions are not merged', () => {
  const run = aRun([aRequirement('headers.a')]);
  const other = { ...run, document: { ...run.document, contractSha256: 'other' } };
  expect(() => merging([run, other])).toThrow(
    'about different versions of the specification (1.0.0-beta, aaaaaaaaaaaa;',
  );
  expect(() => merging([run, aRun([aRequirement('headers.b')])])).toThrow(
    'list different requirements: only one of them has headers.',
  );
  expect(() => mergeResults([run, run])).toThrow('the report of a run is listed twice');
  expect(() => merging([])).toThrow('nothing to merge');
});

test('another version of the kit with the same requirements is told', () => {
  const run = aRun([aRequirement('headers.a')]);
  const { notices } = merging([run, { ...run, kit: { ...run.kit, version: '0.1.1' } }]);
  expect(notices).toEqual([
    'different versions of the kit made the reports: content-workspace-tck 0.1.0, content-workspace-tck 0.1.1',
  ]);
});
