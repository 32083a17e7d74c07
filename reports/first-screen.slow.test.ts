import { expect, test } from 'vitest';
import { limits } from '../fixtures/contract/limits.ts';
import { createStub } from '../stub/index.ts';
import { audit } from '../suites/engine/audit.ts';
import { combineDefects, type DefectId } from '../test/mutations/defects/index.ts';
import { inProcess } from '../test/stub-target.ts';
import { reportHtml } from './html/page.ts';
import { reportOf } from './report.ts';
import { renderSummary } from './terminal/summary.ts';

const alive = new RegExp(`${limits.confirmation.surelyAlive} minutes after`);
/** Defects of different topics, each with patterns for the title of its cause and for the hint. */
const causes: readonly (readonly [DefectId, topic: string, shown: RegExp, change: RegExp])[] = [
  [
    'confirmation-invalid-as-400',
    'envelopes',
    /responses have status 400 instead of 200/,
    /refusals of tools with status 200/,
  ],
  ['tool-error-missing-on-used-id', 'headers', /no header x-service-tool-error/, /Send false: the tool ran/],
  ['key-compared-without-case', 'authentication', /case swapped/, /only an exact key/],
  ['capability-not-asked-on-library-get', 'surface', /library\.get as withoutAccess/, /api\.access .* on library\.get/],
  ['prototype-member-is-a-tool', 'unknown-tools', /constructor/, /by their exact names, without inherited members/],
  ['empty-array-is-no-body', 'bodies', /\[\]/, /Check the type of the body after parsing it/],
  [
    'answer-cached-without-workspace',
    'workspaces',
    /although the request names "\w+"/,
    /: .*a cache or an earlier request/,
  ],
  ['scheduled-for-in-local-time', 'content-requests', /\+0\d:00/, /Send the date and time in UTC/],
  ['day-of-25-hours', 'schedule', /followed by/, /Count the days in UTC/],
  ['items-twice', 'library', /twice/, /a join that multiplies rows/],
  ['query-normalised', 'knowledge', /\\u\{301\}/, /before you trim, fold or normalize it/],
  ['balance-of-the-key', 'credits', /of the same account/, /by account, not by key/],
  [
    'confirm-argument-confirms',
    'image-proposals',
    /with confirm true/,
    /ignore all other arguments that claim a confirmation/,
  ],
  ['second-call-decides-count', 'confirmations', /count 2/, /whatever the second call changes/],
  ['confirmation-lives-too-short', 'expiry', alive, /check the lifetime and its unit/],
  ['cap-per-tool', 'rate-limit', /over its limit on /, /Count the requests of a key across all tools/],
];

/** Text of the page up to the end of the first cause, without markup. */
function topOf(page: string): string {
  return page
    .slice(page.indexOf('<header'), page.indexOf('</article>'))
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'");
}

test.each(causes)('%s: the first screen says what to change (%s)', async (defect, topic, shown, change) => {
  const target = inProcess(createStub({ seed: 1, deviation: combineDefects([defect]) }), { kind: 'url' });
  const result = await audit(target, { seed: 1, only: [topic, 'confirmations', 'headers'], observe: false });
  const screen = renderSummary(reportOf(result), { color: false, reportDir: 'tck-report', written: true })
    .split('\n')
    .slice(0, 24);
  const text = screen.map((line) => line.trim()).join(' ');
  expect(text).toMatch(shown);
  expect(text).toMatch(change);
  expect(topOf(reportHtml(reportOf(result)))).toMatch(change);
});
