import { pause } from '../deviation.ts';
import type { Call } from '../model.ts';
import { around, type Steps } from '../steps.ts';

/** Long enough for requests that were sent together to meet. */
export const meeting = 25;

/** How many requests stand between begin and end of one step, for whom `name` gives the same text. */
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
