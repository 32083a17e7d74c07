import { refusal } from './answers.ts';
import type { Call, Fields, Proposal } from './model.ts';
import { type Steps, step } from './steps.ts';

/** A change of the server's steps. */
export type Change = (steps: Steps) => void;

/** Combines several changes. */
export function all(...changes: Change[]): Change {
  return (steps) => {
    for (const change of changes) change(steps);
  };
}

/** Changes successful bodies of one tool. */
export function onSuccess(tool: string, change: (body: Fields, call: Call) => void): Change {
  return step('run', (next) => async (c) => {
    const answer = await next(c);
    // Bodies of this server are objects.
    const body = answer.body as Fields;
    if (c.tool === tool && body.ok === true) change(body, c);
    return answer;
  });
}

/** Declines requests by a rule of the service, after checking arguments and resolving the workspace. */
export function declines(code: string, applies: (call: Call) => boolean): Change {
  return step('run', (next) => async (c) => (applies(c) ? refusal(code, 'This is not possible here.') : next(c)));
}

/** Confirms proposals that must be refused, if `lax` applies. */
export function confirms(lax: (call: Call, proposal: Proposal) => boolean): Change {
  return step('live', (next) => (c, id) => {
    const proposal = c.world.proposals.get(id);
    return proposal !== undefined && lax(c, proposal) ? proposal : next(c, id);
  });
}

/** Returns a function that counts the uses of each text. */
export function counter(): (name: string) => number {
  const counts = new Map<string, number>();
  return (name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count;
  };
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
