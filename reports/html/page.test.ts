import { expect, test } from 'vitest';
import { requirements } from '../../suites/requirements.ts';
import type { RunResult } from '../../suites/result.ts';
import { aFailure, anExchange, aRequirement, aRun, notTested } from '../../test/reports/results.ts';
import { allGreen, everyStatus, oneFinding, readOnly } from '../../test/reports/scenarios.ts';
import { changesSince } from '../compare/model.ts';
import { reportOf } from '../report.ts';
import { reportHtml } from './page.ts';

const page = (run: RunResult) => reportHtml(reportOf(run));
const topOf = (run: RunResult) => page(run).split('</header>')[0] ?? '';
/** The article about the first cause. */
const articleOf = (run: RunResult) => page(run).split('<article')[1]?.split('</article>')[0] ?? '';

test('one file that names nothing outside itself, with a policy that allows its own style and script only', () => {
  const html = page(allGreen());
  expect(html).toMatch(
    /default-src &#39;none&#39;; style-src &#39;sha256-[\w+/=]+&#39;; script-src &#39;sha256-[\w+/=]+&#39;; base-uri/,
  );
  expect(html).not.toMatch(/<(link|img|iframe|object|base)\b|\ssrc=|url\(/);
  expect(html.match(/<script>/g)).toHaveLength(1);
  expect(html).not.toMatch(/\sstyle="/);
});

test('the top says what was found, and how much was tested', () => {
  const top = topOf(readOnly());
  const { passed } = readOnly().summary;
  expect(top).toContain(`No violations found, ${passed} of ${requirements.length} tested</h1>`);
  expect(top).toContain(`<a href="#gaps">${requirements.length - passed} requirements were not tested</a>`);
  expect(top).not.toMatch(/violates|green/);
  const percent = Math.floor((passed / requirements.length) * 100);
  const figures = `${passed} of ${requirements.length} tested (${percent} %), ${passed} of them passed (100 %)`;
  expect(page(readOnly())).toContain(figures);
});

test('the list of causes says what each explains and blocks; the top says what ended spending', () => {
  const stopped = 'stopped confirming images: an id was dispatched twice';
  const run = aRun(
    [
      aFailure('credits.a', { actual: 'a page of HTML' }, { severity: 'cosmetic' }),
      aFailure('confirmations.a', { hint: 'Consume the id.' }, { severity: 'security' }),
      aFailure('confirmations.b', { hint: 'Consume the id.' }, { severity: 'contract' }),
      { ...notTested('confirmations.c', 'precondition not met', []), precondition: 'confirmations.b' },
      notTested('race.a', stopped, []),
    ],
    { trouble: [stopped] },
  );
  const list = page(run).split('<ol class="index">')[1]?.split('</ol>')[0] ?? '';
  const text = list.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  const first = /security 2 times · explains 2 requirements, blocks 1 requirement confirmations\.a /;
  expect(text).toMatch(new RegExp(`schedule\\.read returns: .*${first.source}.* cosmetic credits\\.a `));
  expect(topOf(run)).toContain('1 requirement was not tested: stopped confirming images');
});

test('what changed since the baseline stands at the top, regressions as links', () => {
  const top = topOf({ ...oneFinding(), baseline: changesSince(allGreen(), oneFinding()) });
  expect(top).toContain('1 regression');
  expect(top).toContain('Regressions (1)</summary><p><a href="#requirement-authentication.revoked-like-absent">');
});

test('a finding shows the marked difference, hint, source, exchange and curl line', () => {
  const finding = articleOf(oneFinding());
  expect(finding).toContain('9 times');
  expect(finding).toContain('<mark>');
  expect(finding).toContain('every credential that does not resolve');
  expect(finding).toContain('data-copy');
  expect(finding).toContain('Authorization: Bearer $TCK_KEY_PRIMARY');
});

test('a source links to the published specification, if its address is known', () => {
  const { requirements, document } = oneFinding();
  const published = (url: string) => page({ ...aRun(requirements), document: { ...document, url } });
  expect(published('https://docs.example.test/api?v=1#top')).toContain(
    '<a href="https://docs.example.test/api?v=1#:~:text=Authentication">',
  );
  expect(published('javascript:alert(1)')).toBe(page(aRun(requirements)));
});

test('what could not be told and what is known to fail have their places, where there is any', () => {
  const html = page(everyStatus());
  expect(html).toContain('why it ended as errored');
  expect(html).toMatch(
    /Known failures<\/h2>\s*<ul><li><a [^>]*>bodies\.known-failure<\/a>: r, https:\/\/example\.test\/1, o, until/,
  );
  expect(page(allGreen())).not.toMatch(/id="(errored|known-failures)"/);
});

test('a requirement says where it is explained, and what the kit decided about it', () => {
  const ruled = aRequirement('race.one-dispatches', { ruling: 'A conforming 429 is as good.' });
  const html = page(aRun([ruled]));
  expect(html).toContain('Explained by <code>tck explain race.one-dispatches</code>.');
  expect(html).toContain('<p>Ruling: A conforming 429 is as good.</p>');
});

test('a cause shows every step that led to it, the control, its script, and what is not verified', () => {
  const exchanges = [
    anExchange(1, { step: 'used id: propose' }),
    anExchange(2, { step: 'used id: confirm' }),
    anExchange(3, { step: 'used id: present the used ID', clockMovedMs: 60_000 }),
    anExchange(4, { step: 'balances: read' }),
  ];
  const finding = { exchanges: [3], story: [1, 2, 3], control: 4, unverified: true as const, note: 'seen once' };
  const article = articleOf(aRun([aFailure('confirmations.used-invalid', finding)], { exchanges }));
  const steps = [...article.matchAll(/<p class="step">([^<]*)/g)].map(([, text]) => text);
  const similar = 'send a similar request, which succeeds';
  expect(steps).toEqual(['propose', 'confirm', 'present the used ID, 1 min later', similar]);
  expect(article).toContain('<a href="repro/1.sh">repro/1.sh</a>');
  expect(article).toContain('unverified</small>');
  expect(article).toContain('<dd>seen once</dd>');
  expect(article).toContain('<dd>Unverified: something else');
});

test('of two responses that must not differ, the differing lines are shown', () => {
  const saying = (body: string) => ({ response: { status: 200, headers: [], body } });
  const exchanges = [true, false].map((known, at) => anExchange(at + 1, saying(JSON.stringify({ ok: false, known }))));
  const finding = { expected: 'the body of schedule.read with no credential: {}', exchanges: [1, 2] };
  const article = articleOf(aRun([aFailure('authentication.revoked-like-absent', finding)], { exchanges }));
  expect(article).toMatch(/The responses differ:.*\n- +&quot;known&quot;: true\n\+ +&quot;known&quot;: false\n/s);
});
