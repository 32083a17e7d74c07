import { expect, test } from 'vitest';
import { hostileRun, hostileTexts } from '../../test/reports/hostile.ts';
import { aFailure, aRequirement, aRun, notTested } from '../../test/reports/results.ts';
import { matrixOf } from './model.ts';
import { matrixHtml } from './page.ts';
import { renderMatrix } from './terminal.ts';

const look = { width: 80, colour: false };
const cap = (value: number) => [
  { id: 'rate-limit.cap', question: 'How many requests?', values: [value], exchanges: [] },
];

const first = aRun([aRequirement('headers.beta'), aFailure('credits.balance'), aRequirement('schedule.rows')], {
  startedAt: '2026-01-01T00:00:00.000Z',
  observations: cap(600),
});
const second = aRun([aFailure('headers.beta'), aRequirement('credits.balance'), aRequirement('schedule.rows')], {
  startedAt: '2026-02-01T00:00:00.000Z',
  observations: cap(300),
});
const other = aRun([notTested('headers.beta', 'no key', []), aRequirement('schedule.rows')], {
  startedAt: '2025-12-01T00:00:00.000Z',
  observations: [],
});

test('runs stand from the oldest to the newest, and the newest two are compared', () => {
  const matrix = matrixOf([second, other, first]);
  expect(matrix.columns.map(({ startedAt }) => startedAt.slice(0, 7))).toEqual(['2025-12', '2026-01', '2026-02']);
  expect(matrix.rows.map(({ id, statuses }) => [id, ...statuses])).toEqual([
    ['headers.beta', 'not-tested', 'passed', 'failed'],
    ['schedule.rows', 'passed', 'passed', 'passed'],
    ['credits.balance', undefined, 'failed', 'passed'],
  ]);
  expect(matrix).toMatchObject({ worse: ['headers.beta'], better: ['credits.balance'] });
  expect(matrix.observations.filter(({ id }) => id === 'rate-limit.cap')).toEqual([
    { id: 'rate-limit.cap', question: 'How many requests?', values: [undefined, [600], [300]] },
  ]);
});

test('the terminal shows what differs or fails, and nothing else', () => {
  const text = renderMatrix(matrixOf([first, second, other]), look);
  expect(text.replace(/\s+/g, ' ')).toContain(
    '3 runs. The newest run compared with the previous run: 1 new cause, 1 fixed cause; 1 requirement worse, 1 better',
  );
  expect(text).toMatch(/^Causes\n {2}· ✗ ✓ {2}/m);
  expect(text).toContain('  · ✓ ✗  headers.beta\n');
  expect(text).toContain('  - ✗ ✓  credits.balance\n');
  expect(text).not.toContain('schedule.rows');
  expect(text).toMatch(/rate-limit\.cap\n.*run 1 +none\n.*run 2 +600\n.*run 3 +300/);
});

test('runs of different scope are compared where both tested, and both forms name the difference', () => {
  const scope = { ...first.target, allow: [] };
  const wider = aRun([aFailure('headers.beta'), aFailure('schedule.rows'), aRequirement('credits.balance')], {
    startedAt: '2026-01-02T00:00:00.000Z',
  });
  const narrow = aRun([notTested('headers.beta', 'no key', []), aRequirement('schedule.rows'), aFailure('race.new')], {
    startedAt: '2026-02-02T00:00:00.000Z',
    target: scope,
  });
  const matrix = matrixOf([wider, narrow]);
  expect(matrix).toMatchObject({ worse: [], better: ['schedule.rows'] });
  expect(matrix.notes.join()).toContain('different scopes');
  expect(renderMatrix(matrix, look)).toContain('note: the two runs had different scopes');
  expect(matrixHtml(matrix)).toContain('different scopes');
});

test('runs that are the same say so', () => {
  const same = aRun([aRequirement('headers.beta')]);
  expect(renderMatrix(matrixOf([same, same]), look)).toContain('passed in every run');
  expect(renderMatrix(matrixOf([same]), look)).toMatch(/^1 run\n/);
});

test.each(Object.entries(hostileTexts))('%s of a hostile server stays a text', (_, text) => {
  const page = matrixHtml(matrixOf([hostileRun(text), first]));
  expect(page).not.toContain('<img');
  expect(page).not.toMatch(/<script[^>]*>[^<]/);
});
