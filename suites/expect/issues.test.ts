import { expect, test } from 'vitest';
import { answered } from '../testing/exchanges.ts';
import { invalidField, namesField, pathNames } from './issues.ts';

test.each([
  'title',
  '/title',
  '/arguments/title',
  '$.title',
  '$title',
  '.title',
  'arguments.title',
  'body.arguments.title',
  "['title']",
  '["title"]',
  '[title]',
  "$['title']",
  'arguments["title"]',
  '#/title',
  'body:title',
  'body -> title',
  'body › title',
  'body("title")',
])('%j names the field', (path) => {
  expect(pathNames(path, 'title')).toBe(true);
});

test.each([
  '',
  '/',
  '$',
  'subtitle',
  '/subtitle',
  'title.length',
  '/title/0',
  'Title',
  'titles',
  'title ',
  'sub-title',
  'sub_title',
])('%j does not', (path) => {
  expect(pathNames(path, 'title')).toBe(false);
});

const refusal = (issues: unknown) =>
  answered({ body: { ok: false, code: 'invalid_arguments', message: 'no', issues } });

test('one issue among several is enough', () => {
  const exchange = refusal([
    { path: '/format', message: 'bad' },
    { path: '/day', message: 'bad' },
  ]);
  expect(namesField(exchange, 'day', 'path')).toBeUndefined();
  expect(namesField(exchange, 'title', 'path')).toMatchObject({
    expected: 'an issue whose path names the bad field',
    actual: expect.stringMatching(/^"title" is bad, and the issues are \[/),
  });
});

test('a missing or unknown property may be named by the message; a bad value may not', () => {
  const exchange = refusal([{ path: '', message: '"day" is required' }]);
  expect(namesField(exchange, 'day', 'path or message')).toBeUndefined();
  expect(namesField(exchange, 'day', 'path')).toBeDefined();
  expect(namesField(exchange, 'title', 'path or message')).toBeDefined();
});

test('a refusal without issues is left to the requirement that asks for them', () => {
  for (const issues of [undefined, [], 'day', null]) expect(namesField(refusal(issues), 'day', 'path')).toBeUndefined();
});

test('what is no issue names nothing, and breaks nothing', () => {
  const odd = [null, 5, 'day', ['day'], { path: 5 }, { path: null, message: 5 }, { __proto__: { path: 'day' } }];
  expect(namesField(refusal(odd), 'day', 'path or message')).toBeDefined();
});

test('another outcome than invalid_arguments is told first', () => {
  const verdict = invalidField(answered({ body: { ok: true } }), 'day', 'path', 'look here');
  expect(verdict).toMatchObject({ expected: 'HTTP 200 with ok false, code "invalid_arguments"', hint: 'look here' });
});
