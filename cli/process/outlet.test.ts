import { expect, test } from 'vitest';
import { Sink } from '../../test/reports/sink.ts';
import { outletTo } from './surroundings.ts';

const hideKey = (text: string) => text.replaceAll('a-key-of-mine', '<primary>');

function written(text: string, isTTY: boolean): string {
  const sink = Object.assign(new Sink(), { isTTY });
  outletTo(sink, hideKey).write(text);
  return sink.text;
}

test.each([false, true])('no control sequence and no secret is printed; on a terminal: %s', (isTTY) => {
  expect(written('a-key-of-mine\n\u001b]0;title\u0007 \r \u202e \u009b31m \u001b[2J \u001b[6n\n', isTTY)).toBe(
    '<primary>\n␛]0;title␇ ␍ ⟨U+202E⟩ ⟨U+009B⟩31m ␛[2J ␛[6n\n',
  );
});

test('colors and the live display reach a terminal, and no log', () => {
  const text = '\u001b[31mred\u001b[39m\u001b[2K\u001b[1A\u001b[?25l';
  expect(written(text, true)).toBe(text);
  expect(written(text, false)).toBe('␛[31mred␛[39m␛[2K␛[1A␛[?25l');
});

test('everything else is that of the stream', () => {
  const sink = Object.assign(new Sink(), { isTTY: true });
  const stream = outletTo(sink, hideKey);
  expect(stream).toMatchObject({ isTTY: true, columns: 100, rows: 30 });
  const errors: Error[] = [];
  stream.on('error', (error) => errors.push(error));
  sink.emit('error', new Error('full'));
  expect(errors).toHaveLength(1);
});
