import width from 'fast-string-width';
import { expect, test } from 'vitest';
import { fitted, paragraph } from './layout.ts';
import { wrapped } from './wrap.ts';

function lines(text: string, columns: number): string[] {
  return wrapped(text, columns).map(({ start, end }) => text.slice(start, end));
}

test('lines break between words, and at line feeds', () => {
  expect(lines('one two three', 8)).toEqual(['one two', 'three']);
  expect(lines('one\n\ntwo', 80)).toEqual(['one', '', 'two']);
});

test('an indent stays', () => {
  expect(lines('  "a": 1', 80)).toEqual(['  "a": 1']);
});

test('a word that is too long is broken, wide characters are two columns', () => {
  expect(lines('abcdefgh', 3)).toEqual(['abc', 'def', 'gh']);
  expect(lines('漢字漢字', 5)).toEqual(['漢字', '漢字']);
  for (const line of lines('x漢🙂'.repeat(20), 7)) expect(width(line)).toBeLessThanOrEqual(7);
});

test('JSON and paths that are too long break between their parts', () => {
  expect(lines('{"status":"dispatched","count":1}', 24)).toEqual(['{"status":"dispatched",', '"count":1}']);
  expect(lines('/api/v1/tools/schedule.read', 16)).toEqual(['/api/v1/tools/', 'schedule.read']);
});

test('text beside a sign keeps to its column', () => {
  expect(paragraph({ width: 14, colour: false }, '- one two three', 2)).toEqual(['  - one two', '    three']);
});

test('finished lines go on below at a terminal, and stay as they are elsewhere', () => {
  const text = 'tck: expected one two three\nand this';
  expect(fitted(text, { width: 16, isTTY: true })).toBe('tck: expected\n  one two three\nand this');
  expect(fitted(text, { width: 16, isTTY: false })).toBe(text);
});
