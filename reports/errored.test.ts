import { expect, test } from 'vitest';
import { aRequirement, aRun } from '../test/reports/results.ts';
import { erroredGroups } from './errored.ts';
import { reportHtml } from './html/page.ts';
import { renderSummary } from './terminal/summary.ts';

const errored = (id: string, tool: string, exchanges: number[]) => {
  const reason = `no complete response within 10 s (${tool}, primary)`;
  return aRequirement(id, { status: 'errored', reason, exchanges });
};

const run = aRun([
  errored('schedule.answers', 'schedule.read', [3]),
  errored('schedule.days', 'schedule.read', [3]),
  errored('library.total', 'library.search', [1]),
]);

test('what could not be judged for one reason is one, with every exchange that shows it', () => {
  expect(erroredGroups(run)).toEqual([
    {
      reason: expect.stringContaining('schedule.read'),
      requirements: ['schedule.answers', 'schedule.days', 'library.total'],
      exchanges: [1, 3],
    },
  ]);
});

test('the page links the exchanges, and the terminal names the first', () => {
  expect(reportHtml(run)).toContain('; see request <a href="#request-1">#1</a>, <a href="#request-3">#3</a>');
  expect(renderSummary(run, { width: 200, colour: false })).toContain(
    '(schedule.read, primary), see request #1 in report.html',
  );
});
