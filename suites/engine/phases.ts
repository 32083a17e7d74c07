import type { Alone, Check } from '../check.ts';

/** Checks by what they may run beside. */
export interface Phases {
  /** Compare balances: beside what only reads. */
  balance: Check[];
  /** Only read: beside anything but the checks on the cap. */
  reading: Check[];
  /** Change something, which no passing of time undoes: once balances have been compared. */
  changing: Check[];
  /** Confirm what they proposed a moment ago, or nearly do: beside all others that leave the clock alone. */
  confirming: Check[];
  /** Move the clock, one by one. */
  clock: Check[];
  /** Exhaust a cap, one by one: beside nothing. */
  cap: Check[];
}

export function phasesOf(checks: readonly Check[]): Phases {
  const alone = (phase: Alone | false) => checks.filter(({ needs }) => needs.alone === phase);
  const free = alone(false);
  const spending = free.filter(({ needs }) => needs.effects.includes('spending'));
  const confirming = [...spending, ...alone('unexpired')];
  const changing = free.filter((check) => check.needs.effects.length > 0 && !confirming.includes(check));
  const reading = free.filter(({ needs }) => needs.effects.length === 0);
  return { balance: alone('balance'), reading, changing, confirming, clock: alone('clock'), cap: alone('cap') };
}
