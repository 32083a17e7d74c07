import { expect, test } from 'vitest';
import type { Requirement } from '../fixtures/requirements/model.ts';
import type { Check } from './check.ts';
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
const check: Check = {
  requirement: 'authentication.uniform-401' as Check['requirement'], // the type knows the catalogue's ids only
  title: 'compares',
  needs: { roles: ['primary', 'revoked'], effects: ['proposals'], settings: ['board'], time: true, alone: false },
  run: async () => {},
};
const audited: Requirement = { ...requirement, id: 'headers.beta', topic: 'headers', level: 'should' };

test('requirements are listed with their checks and what these need', () => {
  const listed = listing([requirement, audited], [check, { ...check, title: requirement.statement }]);
  expect(listed.map(({ checks }) => checks.length)).toEqual([2, 0]);
  expect(listed[0]?.checks[0]).toEqual({ title: 'compares', needs: check.needs });
  expect(listingText(listed)).toBe(`authentication
  authentication.uniform-401  (must, contract)
    One answer for all.
    source: Authentication, item 5
    check: compares
    needs: key primary, key revoked, effect proposals, workspaces[0].board, a clock that can be moved, or effect waiting

headers
  headers.beta  (should, contract)
    One answer for all.
    source: Authentication, item 5
    needs: nothing of its own: every answer is looked at

2 requirements, 2 checks
`);
});
