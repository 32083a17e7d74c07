import { limited, refusal } from './answers.ts';
import type { Answer, Call, Fields, Json, Proposal } from './model.ts';
import { type Steps, step, take } from './steps.ts';

/** A change of the server's steps. */
export type Change = (steps: Steps) => void;

/** Combines several changes. */
export function all(...changes: Change[]): Change {
  return (steps) => {
    for (const change of changes) change(steps);
  };
}

export const creates = ({ tool }: Call): boolean => tool === 'content.create_request';
export const generates = ({ tool }: Call): boolean => tool === 'images.generate';
export const proposes = (c: Call): boolean => generates(c) && c.args.confirmation_id === undefined;

/** Changes every answer of a step in place. */
export function onAnswer(
  name: 'run' | 'create' | 'propose' | 'dispatch' | 'handle',
  change: (answer: Answer, call: Call, proposal: Proposal) => unknown,
): Change {
  return step(name, (next) => async (c: Call, proposal: Proposal) => {
    const answer = await next(c, proposal);
    await change(answer, c, proposal);
    return answer;
  });
}

/** Changes successful bodies of one tool. */
export function onSuccess(tool: string, change: (body: Fields, call: Call) => unknown): Change {
  return onAnswer('run', ({ body }, c) => {
    if (c.tool === tool && body.ok === true) change(body, c);
  });
}

/** Changes every response, after all other steps. */
export function finishing(change: (answer: Answer, call: Call) => Partial<Answer> | undefined): Change {
  return step('finish', (next) => async (c, answer) => {
    const done = await next(c, answer);
    return { ...done, ...change(done, c) };
  });
}

/** Adds an issue for each value of an argument that `isBad` selects. */
export function alsoRefuses(path: string, isBad: (value: Json | undefined, call: Call) => boolean): Change {
  return step('check', (next) => (c) => {
    const issues = next(c);
    return isBad(c.args[path], c) ? [...issues, { path, message: 'is not acceptable' }] : issues;
  });
}

export const declined = (code: string): Answer => refusal(code, 'This is not possible here.');

/** Declines requests by a rule of the service, after checking arguments and resolving the workspace. */
export function declines(code: string, applies: (call: Call) => boolean): Change {
  return step('run', (next) => async (c) => (applies(c) ? declined(code) : next(c)));
}

/** Declines requests after the first `most` with the same result of `group`. */
export function declinesAfter(most: number, code: string, group: (call: Call) => string | undefined): Change {
  return step('run', (next) => {
    const count = counter();
    return async (c) => {
      const name = group(c);
      return name !== undefined && count(name) > most ? declined(code) : next(c);
    };
  });
}

/** Adds another rate limit: a number of requests in a period for each group. */
export function alsoLimited(
  most: number,
  periodMs: number,
  group: (call: Call) => string | undefined,
  clock: (call: Call) => number = ({ now }) => now,
): Change {
  return step('wait', (next) => {
    const served = new Map<string, number[]>();
    return (c) => {
      const name = group(c);
      return (name === undefined ? undefined : take(served, name, most, periodMs, clock(c))) ?? next(c);
    };
  });
}

/** Refuses requests of a group while `most` others are open. */
export function crowded(
  most: number,
  group: (call: Call) => string | undefined,
  wait: () => Promise<void>,
  refused: () => Answer = () => limited(1),
): Change {
  return step('run', (next) => {
    const open = new Map<string, number>();
    return async (c) => {
      const name = group(c);
      if (name === undefined) return next(c);
      const before = open.get(name) ?? 0;
      if (before >= most) return refused();
      open.set(name, before + 1);
      await wait();
      const answer = await next(c);
      open.set(name, (open.get(name) ?? 1) - 1);
      return answer;
    };
  });
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
