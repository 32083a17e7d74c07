import { expect, test } from 'vitest';
import { shorten } from '../suites/json.ts';
import { plain, plainLines } from './plain.ts';

test('ordinary text of any script stays as it is', () => {
  const text = 'Größe 漢字 العربية 🙂 — `ok` "x" <b>';
  expect(plain(text)).toBe(text);
});

test.each([
  ['an ANSI escape', '\u001b[31mred', '␛[31mred'],
  ['the one-byte form of an escape', '\u009b31m', '⟨U+009B⟩31m'],
  ['a bidi override', 'a\u202eb', 'a⟨U+202E⟩b'],
  ['a bidi isolate', '\u2066x\u2069', '⟨U+2066⟩x⟨U+2069⟩'],
  ['a zero-width space', 'a\u200bb', 'a⟨U+200B⟩b'],
  ['line feed, return, tab and delete', '\n\r\t\u007f', '␊␍␉␡'],
  ['a line separator', '\u2028', '⟨U+2028⟩'],
  ['half a surrogate pair', 'a\ud800b', 'a⟨U+D800⟩b'],
  ['a command of GitHub', '::error::x', '⟨U+003A⟩:error⟨U+003A⟩:x'],
  ['a command of Azure', '##vso[task.complete]##[error]', '⟨U+0023⟩#vso[task.complete]⟨U+0023⟩#[error]'],
  ['what XML forbids', '\u0000\ufffe\uffff', '␀⟨U+FFFE⟩⟨U+FFFF⟩'],
])('%s becomes a placeholder', (_, hostile, shown) => {
  expect(plain(hostile)).toBe(shown);
});

test('what only resembles a command stays as it is', () => {
  const text = 'http://[::1]:80 :: # ## [x] ### a:b';
  expect(plain(text)).toBe(text);
});

test('lines of a body stay lines, and nothing else of it is obeyed', () => {
  expect(plainLines('a\n\u001b]0;title\u0007b')).toBe('a\n␛]0;title␇b');
});

test('long text is cut, between characters, and says how long it was', () => {
  expect(shorten('x'.repeat(5_000_000), 10)).toBe('xxxxxxxxxx… (5000000 characters in total)');
  expect(plain('ab🙂cd', 3)).toBe('ab… (6 characters in total)');
  expect(shorten('abc', 3)).toBe('abc');
});
