import { expect } from 'vitest';
import { createStub } from '../stub/index.ts';
import { audit } from '../suites/engine/audit.ts';
import type { RunResult } from '../suites/result.ts';
import { defaultPace } from '../suites/target/target.ts';
import { variants as all, combineVariants, type VariantName } from './mutations/variants.ts';
import { skippingTimer } from './skipping-timer.ts';
import { inProcess } from './stub-target.ts';

/** Large enough to reach the rate limit of any stub that has one. */
const pace = { ...defaultPace, maxBurst: 100 };

/**
 * Runs the stories against a stub with these variants, in this process and without waiting. Observations and generated
 * requests are optional.
 */
export async function runWith(variants: readonly VariantName[], observe: boolean, explore = 0, seed = 1) {
  const stub = createStub({ deviation: combineVariants(variants) });
  return audit(inProcess(stub, { pace }), { seed, observe, explore, timer: skippingTimer(stub.advance) });
}

/**
 * Expects the result of a conforming server. Only known warnings are allowed, and each untested requirement needs a
 * reason.
 */
export function expectHonest(result: RunResult, variants: readonly VariantName[]): void {
  const against = new Set<string>(variants.flatMap((name) => all[name].against ?? []));
  const blamed = result.requirements.filter(
    ({ id, status }) => status === 'failed' || status === 'errored' || (status === 'warned' && !against.has(id)),
  );
  const told = blamed.flatMap(({ id, reason, findings }) => [
    ...(reason === undefined ? [] : [`${id}: ${reason}`]),
    ...findings.map(({ expected, actual }) => `${id}: expected ${expected}, got ${actual}`),
  ]);
  expect(told).toEqual([]);
  expect(['conformant', 'partial']).toContain(result.verdict);
  expect(result).toMatchObject({ summary: { failed: 0, errored: 0 } });
  const gaps = result.requirements.filter(({ status }) => status === 'not-tested');
  expect(gaps.filter(({ reason = '' }) => reason === '').map(({ id }) => id)).toEqual([]);
}
