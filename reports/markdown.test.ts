import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { expect, test } from 'vitest';
import { hostileRun, hostileTexts } from '../test/reports/hostile.ts';
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

function rendered(markdown: string): string {
  return micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
}

test('rendered, it names verdict, counts, causes and what to add', () => {
  const html = rendered(
    summaryMarkdown(
      reportOf(
        aRun([
          ...manyRequirements(5),
          aFailure('headers.beta', { expected: 'header `x-service-api: beta`' }),
          notTested('race.one', '', [{ kind: 'effect', effect: 'spending' }]),
        ]),
      ),
    ),
  );
  expect(html).toContain('<h2>❌ Non-conformant: 1 cause, 1 requirement failed, 6 of 7 tested</h2>');
  expect(html).toMatch(/<td>5<\/td>\s*<td>1<\/td>/);
  expect(html).toContain('<strong>rule</strong> <code>headers.beta</code>');
  expect(html).toMatch(/<ol>\s*<li><strong><code>schedule.read<\/code> returns/);
  expect(html.indexOf('<ol>')).toBeLessThan(html.indexOf('<table>'));
  expect(html).toContain('<strong>expected</strong> header <code>x-service-api: beta</code>');
  expect(html).toContain('--allow proposals,spending');
  expect(html).toContain('<details><summary>Requirements by topic</summary>');
});

test('of very many causes the first are shown and the rest counted', () => {
  const markdown = summaryMarkdown(reportOf(aRun(differing(400))));
  expect(markdown).toContain('And 370 more causes in `report.html`.');
  expect(markdown.length).toBeLessThan(200_000);
});

test('ten causes take less than 200 lines', () => {
  expect(summaryMarkdown(reportOf(aRun(differing(10)))).split('\n').length).toBeLessThan(200);
});

/** Elements that the summary can contain. */
const own = /^(h2|h3|h4|p|ul|ol|li|strong|code|pre|table|thead|tbody|tr|th|td|details|summary)$/;

test.each(Object.keys(hostileTexts))('whatever the server sends is shown and not obeyed: %s', (name) => {
  const markdown = summaryMarkdown(reportOf(hostileRun(hostileTexts[name] ?? '')));
  expect(markdown.length).toBeLessThan(100_000);
  expect(markdown).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  const html = rendered(markdown);
  for (const [, element = ''] of html.matchAll(/<\/?([a-zA-Z!?][\w-]*)/g)) expect(element).toMatch(own);
  expect(html.match(/<details>/g)).toHaveLength(3);
  expect(html.match(/<\/details>/g)).toHaveLength(3);
  expect(html.match(/<h2>/g)).toHaveLength(1);
});

test('text is escaped where it may be markup, and readable where it is not', () => {
  expect(inline('status 401, not 403.')).toBe('status 401, not 403.');
  expect(inline('code "confirmation_invalid", scheduled_for')).toBe('code "confirmation_invalid", scheduled_for');
  expect(inline('0.1.0, 42 requests')).toBe('0.1.0, 42 requests');
  expect(rendered(inline('_x_ a_b _y'))).toBe('<p>_x_ a_b _y</p>');
  expect(rendered(inline('1. a'))).toBe('<p>1. a</p>');
  expect(rendered(inline('12) a'))).toBe('<p>12) a</p>');
  expect(rendered(inline('# 1 *x* [y](z)'))).toBe('<p># 1 *x* [y](z)</p>');
  expect(rendered(inline('see `a|b` and <b>'))).toBe('<p>see <code>a¦b</code> and &lt;b&gt;</p>');
});
