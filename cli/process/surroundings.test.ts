import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { surroundingsOf } from './surroundings.ts';

/** A fake process with the members that `surroundingsOf` uses. */
function aProcess() {
  const exits: number[] = [];
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
  const emitter = Object.assign(new EventEmitter(), {
    ...streams,
    env: {},
    stdin: new PassThrough(),
    cwd: () => '/',
    exit: (code: number) => exits.push(code),
  });
  // Only these members are used.
  return { process: emitter as unknown as NodeJS.Process, exits, ...streams };
}

test.each(['SIGINT', 'SIGTERM'])('%s once asks for an end, twice ends at once', (signal) => {
  const { process, exits } = aProcess();
  const { signal: interruption } = surroundingsOf(process);
  process.emit(signal);
  expect(interruption.aborted).toBe(true);
  expect(exits).toEqual([]);
  process.emit(signal);
  expect(exits).toEqual([3]);
});

test('a reader that went away is no fault, another error of a stream is', () => {
  const { process, stdout } = aProcess();
  surroundingsOf(process);
  stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  expect(() => stdout.emit('error', Object.assign(new Error('full'), { code: 'ENOSPC' }))).toThrow(
    'cannot write the output: full',
  );
});
