import { expect, test } from 'vitest';
import { redactValue } from './redactor.ts';

const redact = (text: string) => text.replaceAll('s3cret', '<primary>');

test('every text of a value is looked at, names of members included, and nothing else changes', () => {
  const value = { s3cret: ['s3cret', 1, null, true], deep: { text: 'no s3cret' }, ['__proto__']: 's3cret' };
  expect(JSON.stringify(redactValue(value, redact))).toBe(
    '{"<primary>":["<primary>",1,null,true],"deep":{"text":"no <primary>"},"__proto__":"<primary>"}',
  );
});
