import { expect, test } from 'vitest';
import type { RunEvent } from '../../suites/result.ts';
import { hostileRun, hostileTexts } from '../../test/reports/hostile.ts';
import { Sink } from '../../test/reports/sink.ts';
import { reportOf } from '../report.ts';
import { createProgress } from './progress.ts';
import { renderSummary } from './summary.ts';

const forbidden = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

test.each(Object.keys(hostileTexts))(
  'nothing that a server sends reaches the terminal as more than text: %s',
  (name) => {
    const text = hostileTexts[name] ?? '';
    const summary = renderSummary(reportOf(hostileRun(text)), { width: 100, colour: false });
    expect(forbidden.test(summary)).toBe(false);
    expect(summary.length).toBeLessThan(30_000);

    const sink = new Sink();
    const progress = createProgress(sink, { width: 100, colour: false, isTTY: false });
    const events: RunEvent[] = [
      { kind: 'started', requirements: 1, total: 1 },
      { kind: 'story-started', story: text },
      {
        kind: 'requirement-ended',
        requirement: text,
        title: text,
        status: 'failed',
        findings: 1,
        first: { expected: text, actual: text },
      },
      { kind: 'waiting', reason: text, seconds: 5 },
      { kind: 'notice', text },
    ];
    for (const event of events) progress.onEvent(event);
    expect(forbidden.test(sink.text)).toBe(false);
    expect(sink.text.length).toBeLessThan(5000);
  },
);

test('with colours, the only escapes are those of colours', () => {
  for (const text of Object.values(hostileTexts)) {
    const summary = renderSummary(reportOf(hostileRun(text)), { width: 100, colour: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    expect(forbidden.test(summary.replace(/\u001b\[\d+m/g, ''))).toBe(false);
  }
});
