import { expect, test } from 'vitest';
import { redactValue } from './redactor.ts';

const redact = (text: string) => text.replaceAll('s3cret', '<primary>');

test('every text of a value is looked at, names of members included, and nothing else changes', () => {
  const value = { s3cret: ['s3cret', 1, null, true], deep: { text: 'no s3cret' }, ['__proto__']: 's3cret' };
  expect(JSON.stringify(redactValue(value, redact))).toBe(
    '{"<primary>":["<primary>",1,null,true],"deep":{"text":"no <primary>"},"__proto__":"<primary>"}',
  );
});

test('words of the kit stay where they are its own, and nowhere else', () => {
  const value = { status: 's3cret', runs: [{ status: 's3cret', s3cret: 's3cret' }], other: { status: 's3cret' } };
  expect(redactValue(value, redact, { status: true, runs: {} })).toEqual({
    status: 's3cret',
    runs: [{ status: '<primary>', s3cret: '<primary>' }],
    other: { status: '<primary>' },
  });
});
