import { expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import { refusal } from '../../stub/server/responses.ts';
import { aroundTool } from '../../stub/variants/changes/responses.ts';
import type { Deviation } from '../../stub/variants/defect.ts';
import { inProcess } from '../../test/stub-target.ts';
import { audit } from './audit.ts';

/** Deviation that declines content requests on some days with a code of its own. */
const closed = (when: (day: Date, now: number) => boolean): Deviation =>
  aroundTool('content.create_request', (create) => (call) => {
    if (!when(new Date(`${call.args.day}T00:00:00Z`), call.state.clock.now())) return create(call);
    return refusal('tool', { code: 'day_closed', message: 'That day is closed.' });
  });

const run = (deviation: Deviation) =>
  audit(inProcess(createStub({ deviation })), { seed: 1, only: ['content-requests'] });

test('a server that is closed on the weekday of the first request is tested on another one', async () => {
  let weekday: number | undefined;
  const isFirst = (day: Date) => {
    weekday ??= day.getUTCDay();
    return day.getUTCDay() === weekday;
  };
  const { verdict, summary } = await run(closed(isFirst));
  expect({ verdict, failed: summary.failed + summary.errored }).toEqual({ verdict: 'conformant', failed: 0 });
});

test('a server that declines every day is blamed for nothing, and its code is told', async () => {
  const { requirements, summary, notices } = await run(closed(() => true));
  expect(summary.failed).toBe(0);
  const created = requirements.find(({ id }) => id === 'content-requests.created');
  expect(created).toMatchObject({ status: 'not-tested' });
  expect(created?.reason).toContain('day_closed');
  expect(notices.join()).toContain('day_closed');
});

test.each(['posts', 'stories'])('a server without %s is tested with another format', async (format) => {
  const off: Deviation = aroundTool('content.create_request', (create) => (call) => {
    if (call.args.format !== format) return create(call);
    return refusal('tool', { code: 'feature_off', message: 'Not in this plan.' });
  });
  const { requirements, summary } = await run(off);
  expect(summary.failed + summary.errored).toBe(0);
  const untested = requirements.filter(({ topic, status }) => topic === 'content-requests' && status === 'not-tested');
  // The specification guarantees only for posts that something is created.
  const created = format === 'posts' ? ['content-requests.created'] : [];
  expect(untested.map(({ id }) => id)).toEqual([...created, `content-requests.format-${format}`]);
});
