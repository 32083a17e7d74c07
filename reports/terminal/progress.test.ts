import { expect, onTestFinished, test, vi } from 'vitest';
import type { RunEvent } from '../../suites/result.ts';
import { Sink } from '../../test/reports/sink.ts';
import { createProgress } from './progress.ts';

const look = { width: 100, color: false };

const started: RunEvent = { kind: 'started', requirements: 9, total: 11 };
function begun(story: string): RunEvent {
  return { kind: 'story-started', story };
}
function failed(requirement: string, actual: string): RunEvent {
  const first = { expected: 'status 401', actual };
  return { kind: 'requirement-ended', requirement, title: 'a call', status: 'failed', findings: 1, first };
}

test('without a terminal: a few plain lines, findings and long waits among them, no control characters', () => {
  const sink = new Sink();
  const progress = createProgress(sink, { ...look, isTTY: false });
  progress.onEvent(started);
  progress.onEvent(begun('bodies'));
  progress.onEvent(failed('bodies.text', 'status \u001b[31m403'));
  progress.onEvent({ kind: 'waiting', reason: 'Retry-After of throttled', seconds: 41.2 });
  progress.onEvent({ kind: 'waiting', reason: 'a moment', seconds: 0.2 });
  progress.onEvent({ kind: 'notice', text: 'working in north' });
  progress.stop();
  progress.onEvent({ kind: 'notice', text: 'too late' });
  expect(sink.text.split('\n')).toEqual([
    'Testing at most 9 of 11 requirements',
    '✗ bodies.text: expected status 401, got status ␛[31m403',
    'waiting 42 s: Retry-After of throttled',
    'note: working in north',
    '',
  ]);
});

test('the same finding or wait is told once, and many findings do not flood the log', () => {
  const sink = new Sink();
  const progress = createProgress(sink, { ...look, isTTY: false });
  for (const seconds of [40, 41, 12]) progress.onEvent({ kind: 'waiting', reason: 'Retry-After', seconds });
  expect(sink.text).toBe('waiting 40 s: Retry-After\n');
  for (let index = 0; index < 40; index += 1) progress.onEvent(failed('bodies.text', 'status 403'));
  expect(sink.text.split('\n')).toHaveLength(3);
  for (let index = 0; index < 40; index += 1) progress.onEvent(failed(`bodies.n${index}`, 'status 403'));
  expect(sink.text.split('\n')).toHaveLength(22);
  expect(sink.text).toContain('more will be in the report');
});

test('on a terminal a line is redrawn below the findings, until the run ends; a known failure is no failure', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const sink = new Sink();
  const known = new Set(['bodies.known']);
  const progress = createProgress(sink, { ...look, isTTY: true, known });
  const events: RunEvent[] = [
    started,
    begun('bodies'),
    failed('bodies.text', 'x'),
    failed('bodies.known', 'x'),
    { kind: 'sent', requests: 61, mostRequests: 170, images: 1, mostImages: 12 },
    { kind: 'waiting', reason: 'Retry-After of throttled', seconds: 40 },
  ];
  for (const event of events) progress.onEvent(event);
  // A run that is over at once draws nothing.
  vi.advanceTimersByTime(100);
  expect(sink.text).toBe('✗ bodies.text: expected status 401, got x\n');
  vi.advanceTimersByTime(10_900);
  const [line = ''] = sink.text.split('\r\u001b[2K').slice(-1);
  expect(line).toMatch(/^\S 2 of 9 requirements, 1 failed, 61 requests, 11 s, waiting 29 s: Retry-After of throttled$/);
  progress.onEvent(failed('bodies.none', 'y'));
  progress.stop();
  const { length } = sink.text;
  vi.advanceTimersByTime(1000);
  expect(sink.text).toHaveLength(length);
  expect(sink.text.endsWith('\r\u001b[2K✗ bodies.none: expected status 401, got y\n')).toBe(true);
  expect(sink.text).not.toContain('bodies.known');
});
