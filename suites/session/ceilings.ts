import { type Role, roles, servedRoles } from '../../fixtures/roles.ts';
import type { Effect } from '../../fixtures/side-effects.ts';
import type { Credential } from '../exchange.ts';
import type { Target } from '../target.ts';

/** What the number of a run's calls depends on, beside the flows themselves. */
export interface Extent {
  /** Open questions are answered too. */
  observing: boolean;
  /** Generated requests, without those that shrink what fails. */
  explore: number;
  /** Side effects that the chosen flows use; every one that is allowed by default. */
  uses?: ReadonlySet<Effect> | undefined;
}

/** Whose calls are counted together: a role's key, or everything that is no key of a role as it is. */
export type Counted = Role | 'other';

export function countedAs({ role }: Credential): Counted {
  return role ?? 'other';
}

/** Failures that are shrunk in one run, and the most requests that each of them may cost. */
export const mostShrunk = { failures: 8, requests: 50 };

/**
 * Calls with `primary` that the flows make of a deployment that keeps to the specification, by what is allowed, and
 * half as many again: what differs between such deployments is far less.
 */
const primaryCalls = { reading: 600, writes: 400, proposals: 250, spending: 160, observing: 120 };

/** Same, for the keys that show how a workspace is found. */
const rungCalls = { reading: 170, changing: 90, observing: 40 };

/**
 * The most content requests that a run creates, whatever the deployment accepts: three times as many as one that keeps
 * to the specification gets, which creates nothing where it ought to refuse.
 */
export const mostContentRequests = 90;

/**
 * How often a call is repeated because of answers 429, one that may change something too, and a reading call because of
 * a broken connection or a 5xx.
 */
export const mostRepeats = { on429: 20, changingOn429: 1, onBreak: 2, on5xx: 1 };

/** How often the cap of the key that may be exhausted is met, at most. */
const bursts = 4;

/**
 * The most calls of a run with each key. A run keeps to it whatever happens; only what a 429, a 5xx or a broken
 * connection makes the kit repeat comes on top. Keys that a target does not have are left out.
 */
export function ceilings(target: Pick<Target, 'keys' | 'allow' | 'pace'>, extent: Extent): Map<Counted, number> {
  const configured = roles.filter((role) => target.keys[role] !== undefined);
  return new Map<Counted, number>([
    ...configured.map((role): [Role, number] => [role, ceilingOf(role, target, extent)]),
    ['other', 500 + extent.explore],
  ]);
}

function ceilingOf(role: Role, { allow, pace }: Pick<Target, 'allow' | 'pace'>, extent: Extent): number {
  const { observing, explore, uses } = extent;
  const isUsed = (effect: Effect) => allow.includes(effect) && (uses === undefined || uses.has(effect));
  // Any of them may be sent with this key.
  const generated = explore > 0 ? explore + mostShrunk.failures * mostShrunk.requests : 0;
  const part = (on: boolean, calls: number) => (on ? calls : 0);
  if (role === 'primary') {
    const { reading, writes, proposals, spending } = primaryCalls;
    const allowed =
      part(isUsed('writes'), writes) + part(isUsed('proposals'), proposals) + part(isUsed('spending'), spending);
    return reading + allowed + part(observing, primaryCalls.observing) + generated;
  }
  if (!servedRoles.includes(role)) return rungCalls.reading + generated;
  const changing = part(allow.includes('writes') || allow.includes('proposals'), rungCalls.changing);
  const burst = part(role === 'throttled' && isUsed('throttling'), bursts * pace.maxBurst);
  return rungCalls.reading + changing + part(observing, rungCalls.observing) + burst + generated;
}
