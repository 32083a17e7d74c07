import { expect, test } from 'vitest';
import { defects } from './defects/index.ts';
import { listDefects } from './list.ts';

test('defects are listed by topic, each with what it does and breaks', () => {
  const text = listDefects(false);
  expect(text).toMatch(/^envelopes\n {2}balance-as-plain-text\n {4}sends the balance as text\/plain\n/);
  expect(text).toContain('\nrace\n');
  expect(text).toContain('    breaks: rate-limit.per-key\n');
  expect(text).toMatch(new RegExp(`\n${Object.keys(defects).length} defects\n$`));
  expect(JSON.parse(listDefects(true))[0]).toEqual({
    id: 'balance-as-plain-text',
    what: 'sends the balance as text/plain',
    breaks: ['envelopes.json-200'],
  });
});
