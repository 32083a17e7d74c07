import { expect, test } from 'vitest';
import { aFailure, anExchange, aRequirement, aRun, notExercised } from '../testing/results.ts';
import { mergeResults } from './merge.ts';

/** A requirement of another shard. */
const elsewhere = (id: string) => aRequirement(id, { status: 'not-exercised', reason: 'not selected', checks: [] });

test('shards make one report: what one left out, another has', () => {
  const one = aRun([aRequirement('headers.a'), elsewhere('headers.b')], {
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1000,
  });
  const two = aRun([elsewhere('headers.a'), aRequirement('headers.b')], {
    startedAt: '2026-01-01T00:00:05.000Z',
    durationMs: 1000,
  });
  const merged = mergeResults([one, two]);
  expect(merged).toMatchObject({
    verdict: 'conformant',
    complete: true,
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 6000,
  });
  expect(merged.summary).toMatchObject({
    passed: 2,
    notExercised: 0,
    requests: one.summary.requests + two.summary.requests,
  });
});

test('findings keep their exchanges, whose ids go on', () => {
  const one = aRun([aFailure('headers.a'), elsewhere('headers.b')], { exchanges: [anExchange(1)] });
  const two = aRun([elsewhere('headers.a'), aFailure('headers.b')], {
    exchanges: [anExchange(1, { tool: 'library.get' })],
  });
  const merged = mergeResults([one, two]);
  expect(merged.verdict).toBe('non-conformant');
  const shown = merged.requirements.map(({ checks }) => checks[0]?.findings[0]?.exchanges);
  expect(shown).toEqual([[1], [2]]);
  expect(merged.exchanges.map(({ id, tool }) => [id, tool])[1]).toEqual([2, 'library.get']);
});

test('of several deployments the worst outcome counts', () => {
  const good = aRun([aRequirement('headers.a')]);
  const bad = aRun([aFailure('headers.a')], { target: { ...good.target, baseUrl: 'https://b.example.test' } });
  const merged = mergeResults([good, bad, aRun([notExercised('headers.a', 'no key', [])])]);
  expect(merged.requirements[0]).toMatchObject({ status: 'failed', checks: { length: 2 } });
  expect(merged.target.baseUrl).toBe(`${good.target.baseUrl}, https://b.example.test`);
});

test('a part that said nothing makes the whole inconclusive, and a stale excuse non-conformant', () => {
  const fine = aRun([aRequirement('headers.a'), elsewhere('headers.b')]);
  const away = aRun([elsewhere('headers.a'), notExercised('headers.b', 'nothing can be checked', [])], {
    verdict: 'inconclusive',
    reasons: ['the target is unreachable: connection refused'],
  });
  const merged = mergeResults([fine, away]);
  expect(merged).toMatchObject({ verdict: 'inconclusive' });
  expect(merged.reasons).toContain('the target is unreachable: connection refused');
  const stale = aRun([elsewhere('headers.a'), aRequirement('headers.b')], {
    verdict: 'non-conformant',
    reasons: ['line 3: remove it'],
  });
  expect(mergeResults([fine, stale])).toMatchObject({ verdict: 'non-conformant', reasons: ['line 3: remove it'] });
});

test('what is required is looked for in the whole', () => {
  const part = aRun([aRequirement('headers.a'), elsewhere('headers.b')]);
  expect(mergeResults([part], new Set(['headers.a'])).verdict).toBe('conformant');
  expect(mergeResults([part], new Set(['headers.b'])).verdict).toBe('non-conformant');
});

test('reports of different descriptions are not merged', () => {
  const run = aRun([aRequirement('headers.a')]);
  const other = { ...run, document: { ...run.document, contractSha256: 'other' } };
  expect(() => mergeResults([run, other])).toThrow('different descriptions');
  expect(() => mergeResults([])).toThrow('nothing to merge');
});
