import { expect, test } from 'vitest';
import { redactValue } from './redactor.ts';

const redact = (text: string) => text.replaceAll('s3cret', '<primary>');

test('every text is looked at, names of members from the server included, and nothing else changes', () => {
  const json = { s3cret: ['s3cret', 1, null, true], deep: { kind: 'no s3cret' }, ['__proto__']: 's3cret' };
  expect(JSON.stringify(redactValue({ got: json, text: ['s3cret'] }, redact))).toBe(
    '{"got":{"<primary>":["<primary>",1,null,true],"deep":{"kind":"no <primary>"},"__proto__":"<primary>"},' +
      '"text":["<primary>"]}',
  );
});

test('words of the kit stay where they are its own', () => {
  const words = { kind: 's3cret', id: 's3cret.a', precondition: 's3cret.b' };
  const value = { s3cret: true, requirements: [{ ...words, s3cret: 's3cret' }] };
  expect(redactValue(value, redact)).toEqual({ s3cret: true, requirements: [{ ...words, s3cret: '<primary>' }] });
});
