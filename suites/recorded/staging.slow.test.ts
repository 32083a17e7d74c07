import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { stagingTraffic } from '../../test/staging-traffic.ts';
import type { Judgement } from '../model/judge/judgement.ts';
import { rules } from '../topics/index.ts';
import type { Assumption, Recorded } from './recorded.ts';
import { Recording } from './recording.ts';
import { Senders } from './senders.ts';

const exchanges = 10_000;

const assumed: readonly Assumption[] = ['complete', 'clock'];

/**
 * Changes an exchange that can show the defect; returns undefined for all others. It applies to the second half of the
 * week.
 */
type Defect = (recorded: Recorded) => Recorded | undefined;

function withText(recorded: Recorded, change: (text: string) => string): Recorded | undefined {
  const text = recorded.response?.text;
  if (recorded.response === null || text === undefined) return undefined;
  const changed = change(text);
  return changed === text ? undefined : { ...recorded, response: { ...recorded.response, text: changed } };
}

/** Repeats the first response for a used confirmation. */
function secondDispatch(): Defect {
  const dispatched = new Map<string | null | undefined, Recorded['response']>();
  return (recorded) => {
    const { url, requestBody: body, response } = recorded;
    if (!url.endsWith('/images.generate')) return undefined;
    const first = dispatched.get(body);
    if (first !== undefined && response?.text?.includes('confirmation_invalid'))
      return { ...recorded, response: first };
    if (response?.text?.includes('"status":"dispatched"')) dispatched.set(body, response);
    return undefined;
  };
}

/** Each defect changes one exchange in the second half of the week. It violates all listed requirements. */
const defects: Readonly<Record<string, readonly [Defect, ...broken: string[]]>> = {
  'a week of six days': [
    (one) => withText(one, (text) => text.replace(/("days":\[[^\]]*),"[^"]*"\]/, '$1]')),
    'schedule.seven-days',
  ],
  'a used confirmation id that dispatches again': [secondDispatch(), 'confirmations.used-stays-invalid'],
};

const brokenIn = (judgements: readonly Judgement[]) =>
  judgements.filter(({ findings, broke }) => findings.length > 0 || broke !== undefined).map(({ id }) => id);

setFlagsFromString('--expose-gc');
// The flag affects only new contexts.
const collect = runInNewContext('gc') as () => void;

function heapMb(): number {
  collect();
  return process.memoryUsage().heapUsed / 1024 ** 2;
}

test('a week of staging: no finding, memory stays as it is, and a defect at one exchange is exactly that finding', {
  timeout: 180_000,
}, async () => {
  const { traffic, target } = stagingTraffic(exchanges);
  const { baseUrl } = target;
  const recordingOf = () => new Recording({ rules, senders: new Senders(target), target, baseUrl, assumed }, 0);
  const conforming = recordingOf();
  const others = Object.entries(defects).map(([name, [defect, ...broken]]) => {
    return { name, defect, broken, recording: recordingOf(), at: -1 };
  });
  const sizes: number[] = [];
  let count = 0;
  for (const recorded of traffic) {
    count += 1;
    conforming.add(recorded);
    for (const other of others) {
      const changed = other.at < 0 && count > exchanges / 2 ? other.defect(recorded) : undefined;
      if (changed !== undefined) other.at = count;
      other.recording.add(changed ?? recorded);
    }
    if (count % Math.ceil(exchanges / 10) !== 0) continue;
    sizes.push(heapMb());
    await setImmediate();
  }
  const judgements = conforming.end();
  const tested = judgements.filter((judgement) => judgement.tested > 0);
  expect(brokenIn(judgements)).toEqual([]);
  expect(tested.length).toBeGreaterThan(100);
  for (const { name, broken, recording, at } of others) {
    expect([name, at > exchanges / 2, brokenIn(recording.end())]).toEqual([name, true, broken]);
  }
  // The first tenth fills what is kept of all exchanges.
  const [early = 0, end = 0] = [sizes[0], sizes.at(-1)];
  expect(end).toBeLessThan(early * 1.1 + 30);
});
