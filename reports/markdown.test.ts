import { expect, test } from 'vitest';
import { rendered } from '../test/reports/hostile.ts';
import { aFailure, aRun, manyRequirements, notTested } from '../test/reports/results.ts';
import { summaryMarkdown } from './markdown.ts';
import { inline } from './markdown-text.ts';
import { reportOf } from './report.ts';

/** Failures with different causes. */
function differing(count: number) {
  return Array.from({ length: count }, (_, index) => {
    const word = 'x'.repeat(index + 1);
    return aFailure(`bodies.b${index}`, { actual: word, hint: word });
  });
}

test('rendered, it names verdict, counts, causes and what to add', () => {
  const run = aRun([
    ...manyRequirements(5),
    aFailure('headers.beta', { expected: 'header `x-service-api: beta`' }),
    notTested('race.one', '', [{ kind: 'effect', effect: 'spending' }]),
  ]);
  const html = rendered(summaryMarkdown(reportOf(run)));
  expect(html).toContain('<h2>❌ Non-conformant: 1 cause, 1 requirement failed, 6 of 7 tested</h2>');
  expect(html).toMatch(/<td>5<\/td>\s*<td>1<\/td>/);
  expect(html).toContain('<strong>rule</strong> <code>headers.beta</code>');
  expect(html).toMatch(/<ol>\s*<li><strong><code>schedule.read<\/code> returns/);
  expect(html.indexOf('<ol>')).toBeLessThan(html.indexOf('<table>'));
  expect(html).toContain('<strong>expected</strong> header <code>x-service-api: beta</code>');
  expect(html).toContain('--allow proposals,spending');
});

test('ten causes take less than 200 lines, and of very many the first are shown and the rest counted', () => {
  expect(summaryMarkdown(reportOf(aRun(differing(10)))).split('\n').length).toBeLessThan(200);
  const markdown = summaryMarkdown(reportOf(aRun(differing(400))));
  expect(markdown).toContain('And 370 more causes in `report.html`.');
  expect(markdown.length).toBeLessThan(200_000);
});

test.each(['status 401, not 403.', 'code "confirmation_invalid", scheduled_for', '0.1.0, 42 requests'])(
  'text is readable where it is no markup: %s',
  (text) => expect(inline(text)).toBe(text),
);

test.each([
  ['_x_ a_b _y', '_x_ a_b _y'],
  ['1. a', '1. a'],
  ['12) a', '12) a'],
  ['# 1 *x* [y](z)', '# 1 *x* [y](z)'],
  ['see `a|b` and <b>', 'see <code>a¦b</code> and &lt;b&gt;'],
])('text is escaped where it may be markup: %s', (text, shown) => {
  expect(rendered(inline(text))).toBe(`<p>${shown}</p>`);
});
