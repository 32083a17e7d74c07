import { pause } from '../deviation.ts';
import type { Call } from '../model.ts';
import { around, type Steps } from '../steps.ts';

/** Milliseconds in which requests sent together overlap. */
export const meeting = 25;

/** Passes the concurrent requests of a group to a step. Requests with equal results of `name` form a group. */
export function inFlight(
  steps: Steps,
  name: (call: Call) => string | undefined,
  act: (calls: readonly Call[], own: Call, answer: () => ReturnType<Steps['run']>) => ReturnType<Steps['run']>,
): void {
  const open = new Map<string, Call[]>();
  around(steps, 'run', (next) => async (c) => {
    const group = name(c);
    if (group === undefined) return next(c);
    const calls = open.get(group) ?? [];
    open.set(group, calls);
    calls.push(c);
    await pause(meeting);
    const met = [...calls];
    const answer = await act(met, c, () => next(c));
    calls.splice(calls.indexOf(c), 1);
    return answer;
  });
}
