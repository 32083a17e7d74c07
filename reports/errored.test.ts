import { expect, test } from 'vitest';
import { anExchange, aRequirement, aRun } from '../test/reports/results.ts';
import { reportHtml } from './html/page.ts';
import { reportOf } from './report.ts';
import { renderSummary } from './terminal/summary.ts';

const errored = (id: string, tool: string, exchanges: number[]) => {
  const reason = `${problem} (${tool}, primary)`;
  return aRequirement(id, { status: 'errored', reason, exchanges });
};

const problem = 'no complete response within 10 s';
const exchanges = [1, 3].map((id) => anExchange(id, { response: null, problem }));

const run = aRun(
  [
    errored('schedule.answers', 'schedule.read', [3]),
    errored('schedule.days', 'schedule.read', [3]),
    errored('library.total', 'library.search', [1]),
  ],
  { exchanges },
);

test('what could not be judged for one reason is one, with every exchange that shows it', () => {
  expect(reportOf(run).errored).toEqual([
    {
      reason: expect.stringContaining('schedule.read'),
      requirements: ['schedule.answers', 'schedule.days', 'library.total'],
      exchanges: [1, 3],
    },
  ]);
});

test('the page links the exchanges, and the terminal names the first', () => {
  expect(reportHtml(reportOf(run))).toContain('; see request <a href="#request-1">#1</a>, <a href="#request-3">#3</a>');
  expect(renderSummary(reportOf(run), { color: false, reportDir: 'tck-report', written: true })).toContain(
    '(schedule.read, primary), see request #1 in report.html',
  );
});
