import { expect, test } from 'vitest';
import { combined, deployments } from './honest/index.ts';
import { blamedOn } from './measure.ts';

/** Each paragraph is one deployment with several conforming choices at once. */
const together = `
open-on-two-days brief-at-least-200 id-of-six-digits fixed-windows slugs-in-any-case library-shuffled in-pieces
issues-as-pointers

horizon-of-a-week brief-at-most-12 token-bucket pinned-keeps-to-its-pin library-of-all-pages pretty challenge-on-401

brief-of-six-words id-of-900-letters limit-per-tool-beside unknown-workspace-is-invalid short-searches-declined
escaped reversed

full-days brief-without-digits id-in-base64 unreachable-without-choices searches-find-nothing media-type-in-capitals
more-members

titles-are-read counts-even ids-count-up no-limit-within-reach sources-hidden names-of-headers-in-capitals incidents

titles-wanted count-one forty-a-minute pinned-ignores-the-argument numbers-with-fractions

ids-with-signs generous-retry-after workspace-before-arguments relevance-of-all-kinds early-hints volatile-headers

posts-off shape-wide-only limited-before-credential words-in-latin length-sometimes issues-below-body

content-requests-off counts-by-shape credits-with-fractions limit-of-the-account false-on-success
unknown-tool-before-credential

time-not-settled title-told-once short-lives primary-is-pinned creating-limited body-before-credential

times-with-fraction-and-offset one-piece-of-a-format-a-day long-lives primary-is-ambiguous twelve-a-minute
closed-before-tool

week-from-sunday clock-ahead-by-a-year changes-refused primary-reaches-one large-arrays-are-batches much-in-answers
few-in-flight

schedule-of-five-days titles-of-robots balance-never-changes primary-only unknown-fields-refused limit-of-searches

status-needs-a-state quota-of-five-pieces refused-by-proposals-only balance-tells-more primary-and-other-account
gateway-refuses-large-bodies

creating-after-maintenance fifteen-images-a-day debts no-other-account only-json-bodies

second-workspace-archived images-in-one-workspace charged-later no-clock scheme-in-one-case knowledge-off

this-month-only images-off same-slugs-in-both-accounts connections-closed limiter-in-real-time-for-all

open-proposals-limited sole-of-another-account uneven

few-credits one-key-for-two-roles unknown-names-limited

pinned-of-another-account searches-of-words proposals-limited-in-real-time

no-credits-anywhere thirty-workspaces limit-before-credential-of-address empty-id-is-invalid-arguments

second-account-on-trial others-spend odd-slugs-and-boards failed-keys-limited

sole-key-reads credits-given-back boards-of-the-same-id one-confirmation-at-a-time dispatch-without-working-in

nothing-but-keys

sole-with-a-slug-of-primary slow-images
`;

const rows = together.split('\n\n').map((paragraph) => paragraph.trim().split(/\s+/));

test('every deployment is measured', () => {
  expect(rows.flat().toSorted()).toEqual(Object.keys(deployments).toSorted());
});

const cases = [[], ...rows].map((ids) => ({ ids, name: ids.join(' + ') || 'the server as it is' }));

test.concurrent.each(cases)('nobody is blamed: $name', { timeout: 300_000 }, async ({ ids }) => {
  expect(await blamedOn(combined(...ids))).toEqual([]);
});
