import { expect, test } from 'vitest';
import { neverIssuedId } from './issued-ids.ts';

test.each(['cnf_0a1b2c3d4e5f', '3b241101-e2bb-4255-8caf-4136c566a962', '01J8ZQ4Y2N'])(
  'an id like %s has its length and its kinds of letters',
  (id) => {
    const other = neverIssuedId(id);
    const kinds = (text: string) => text.replace(/\d/g, '0').replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A');
    expect(other).not.toBe(id);
    expect(kinds(other)).toBe(kinds(id));
  },
);

test('numbers are moved far up, and keep their zeros', () => {
  expect(neverIssuedId('3')).toBe('7654324');
  expect(neverIssuedId('000000000012')).toBe('000007654333');
});

test.each(['o', 'c12', ' ', '№', 'minutes'])('%j, which others may be numbered like, gets longer', (id) => {
  expect(neverIssuedId(id).length).toBeGreaterThan(id.length);
});
