import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { Sink } from '../../test/reports/sink.ts';
import { exitCodeOf } from './main.ts';
import { outletTo, surroundingsOf } from './surroundings.ts';

/** A fake process with the members that `surroundingsOf` uses. */
function aProcess() {
  const exits: number[] = [];
  const stdout = new PassThrough();
  const more = { env: {}, cwd: () => '/', exit: (code: number) => exits.push(code) };
  const streams = { stdout, stderr: new PassThrough(), stdin: new PassThrough() };
  // Only these members are used.
  const process = Object.assign(new EventEmitter(), { ...streams, ...more }) as unknown as NodeJS.Process;
  return { process, exits, stdout };
}

test.each(['SIGINT', 'SIGTERM'])('%s once asks for an end, twice ends at once', (signal) => {
  const { process, exits } = aProcess();
  const { signal: interruption } = surroundingsOf(process);
  process.emit(signal);
  expect([interruption.aborted, exits]).toEqual([true, []]);
  process.emit(signal);
  expect(exits).toEqual([3]);
});

test('a reader that went away is no fault, another error of a stream is', () => {
  const { process, stdout } = aProcess();
  surroundingsOf(process);
  stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  const full = Object.assign(new Error('full'), { code: 'ENOSPC' });
  expect(() => stdout.emit('error', full)).toThrow('cannot write the output: full');
});

const internal = 'tck: this is an internal error of the kit; please report it\n';
test.each<[unknown, number, RegExp]>([
  [new UsageError('--x: wrong'), 2, /^tck: --x: wrong\n$/],
  [new TypeError('oops'), 3, new RegExp(`^${internal}TypeError: oops\n {4}at `)],
  [Object.assign(new RangeError('too deep'), { stack: undefined }), 3, /RangeError: too deep/],
  [undefined, 3, /undefined was thrown/],
  ['a text', 3, /'a text' was thrown/],
])('how a command ends becomes an exit code: %j', async (thrown, code, words) => {
  const told = new Sink();
  expect(await exitCodeOf(async () => 1, told)).toBe(1);
  expect(await exitCodeOf(() => Promise.reject(thrown), told)).toBe(code);
  expect(told.text).toMatch(words);
});

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
  expect([written(text, true), written(text, false)]).toEqual([text, '␛[31mred␛[39m␛[2K␛[1A␛[?25l']);
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
