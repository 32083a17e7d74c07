import { expect, test } from 'vitest';
import type { TimelineEntry } from '../../suites/result.ts';
import { aRun } from '../../test/reports/results.ts';
import { timelineSection } from './timeline.ts';

const marksIn = (timeline: TimelineEntry[]) =>
  [...String(timelineSection(aRun([], { timeline }))).matchAll(/<title>(.*?)<\/title>/gs)].map(([, title]) => title);

const entry = (atMs: number, over: Partial<TimelineEntry> = {}): TimelineEntry => ({
  atMs,
  durationMs: 2,
  credential: 'primary',
  tool: 'schedule.read',
  status: 200,
  ...over,
});

test('entries of one kind at one position share a mark, which names the longest and counts the others', () => {
  const marks = marksIn([entry(0), entry(0, { durationMs: 40 }), entry(0, { status: 429 }), entry(50)]);
  expect(marks).toHaveLength(3);
  expect(marks[0]).toMatch(/200 after 40 ms, at\s0\.00 s; and 1 more$/);
  expect(marks.slice(1).join()).not.toContain('more');
});

test('a merged run of 40 shards with 4,000 requests each has a small picture', () => {
  const timeline = Array.from({ length: 160_000 }, (_, index) => entry(index, index % 50 === 0 ? { waitedMs: 5 } : {}));
  const marks = marksIn(timeline);
  expect(marks.length).toBeLessThan(2000);
  expect(marks.at(-1)).toContain('more');
});
