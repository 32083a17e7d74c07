import { expect, test } from 'vitest';
import type { Requirement } from '../fixtures/requirements/model.ts';
import type { Coverage } from '../suites/requirements.ts';
import { listing, listingText } from './listing.ts';

const requirement: Requirement = {
  id: 'authentication.uniform-401',
  topic: 'authentication',
  level: 'must',
  severity: 'contract',
  since: '0.1.0',
  statement: 'One answer for all.',
  source: 'Authentication, item 5',
};
const covered: Coverage = {
  requirement: 'authentication.uniform-401' as Coverage['requirement'], // the type admits only existing IDs
  story: 'comparing',
  turn: undefined,
  needs: { roles: ['primary', 'revoked'], effects: ['proposals'], settings: ['board'], time: true },
};
const other: Requirement = { ...requirement, id: 'headers.beta', topic: 'headers', level: 'should' };

test('requirements are listed with their stories and what these need', () => {
  const listed = listing([requirement, other], [covered, { ...covered, story: 'comparing again' }]);
  expect(listed.map(({ stories }) => stories.length)).toEqual([2, 0]);
  expect(listed[0]?.stories[0]).toEqual({ story: 'comparing', needs: covered.needs });
  const needs =
    "a key for the role 'primary', a key for the role 'revoked', permission for the side effect 'proposals', " +
    "workspaces[0].board, a clock that can be advanced, or permission for the side effect 'waiting'";
  expect(listingText(listed)).toBe(`authentication
  authentication.uniform-401  (must, contract)
    One answer for all.
    source: Authentication, item 5
    story: comparing
    story: comparing again
    needs: ${needs}

headers
  headers.beta  (should, contract)
    One answer for all.
    source: Authentication, item 5
    needs: nothing

2 requirements
`);
});
