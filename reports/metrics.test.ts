import { expect, test } from 'vitest';
import { hostileRun, hostileTexts } from '../test/reports/hostile.ts';
import { aFailure, aRun, manyRequirements, notTested } from '../test/reports/results.ts';
import { metricsText } from './metrics.ts';

const target = 'target="http://127.0.0.1:4010"';

test('the text has the verdict, the gate and the counts', () => {
  const text = metricsText(aRun([aFailure('headers.beta'), notTested('race.one', '', []), ...manyRequirements(3)]));
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      `tck_run_start_time_seconds{${target}} 1772442000`,
      `tck_run_duration_seconds{${target}} 0.812`,
      `tck_run_verdict{${target},verdict="non-conformant"} 1`,
      `tck_run_verdict{${target},verdict="conformant"} 0`,
      `tck_run_gate{${target},gate="failed"} 1`,
      `tck_run_complete{${target}} 0`,
      `tck_requirements{${target},status="failed"} 1`,
      `tck_requirements{${target},status="passed"} 3`,
      `tck_causes{${target},severity="contract"} 1`,
      `tck_requests{${target}} 42`,
    ]),
  );
});

test('buckets of response times are cumulative, and count only responses', () => {
  const entry = { atMs: 0, credential: 'primary', tool: 'schedule.read', status: 200 };
  const timeline = [
    { ...entry, durationMs: 10 },
    { ...entry, durationMs: 30 },
    { ...entry, durationMs: 60_000 },
    { ...entry, durationMs: 1, status: null },
    { ...entry, durationMs: 1, tool: 'made.up' },
  ];
  const lines = metricsText(aRun([], { timeline })).split('\n');
  const values = (tool: string) =>
    lines
      .filter((line) => line.startsWith('tck_response_time_seconds') && line.includes(`tool="${tool}"`))
      .map((line) => Number(line.split(' ').at(-1)));
  expect(values('schedule.read')).toEqual([1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 60.04]);
  expect(values('')).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0.001]);
  expect(lines.filter((line) => line.includes('made.up'))).toEqual([]);
});

test.each(Object.keys(hostileTexts))('each sample stays on its line: %s', (name) => {
  const text = metricsText(hostileRun(hostileTexts[name] ?? ''));
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  for (const line of text.trimEnd().split('\n')) {
    expect(line).toMatch(/^(# (HELP|TYPE) tck_\w+ .+|# EOF|tck_\w+\{(\w+="(?:[^"\\]|\\["\\])*",?)+\} [\d.e-]+)$/);
  }
});
