import { expect, test } from 'vitest';
import { openings, terms } from '../test/docs/prose/terms.ts';
import { textsOf } from '../test/docs/prose/texts.ts';

test('comments and texts stand on their lines, and code does not', () => {
  const source = [
    'const id = "an-id"; // A reason',
    '',
    '/**',
    ' * Two lines,',
    ' * one comment.',
    ' */',
    `const text = \`a text with \${value} in it\`;`,
    "throw new Error('expected a key');",
  ].join('\n');
  expect(textsOf(source).split('\n')).toEqual([
    'A reason',
    '',
    '',
    'Two lines,',
    'one comment.',
    '',
    'a text with. in it',
    'expected a key',
  ]);
});

test('every avoided word is a pattern, and no replacement is avoided itself', () => {
  for (const [avoid, say] of [...terms, ...openings]) {
    expect(() => new RegExp(avoid, 'im'), avoid).not.toThrow();
    const again = terms.filter(([other]) => new RegExp(`\\b(?:${other})\\b`, 'i').test(say));
    expect(again, say).toEqual([]);
  }
});
