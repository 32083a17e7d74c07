import { effects } from '../fixtures/side-effects.ts';
import type { Stub } from '../stub/index.ts';
import { embeddedTarget } from '../suites/target/embedded.ts';
import { defaultMaxImages, defaultPace, type Target } from '../suites/target/target.ts';

/** Returns a stub in this process as a target that allows all side effects. */
export function inProcess(stub: Stub, more: Partial<Target> = {}): Target {
  const usual = { allow: effects, maxImages: defaultMaxImages, pace: defaultPace, headers: [] };
  return { ...embeddedTarget(stub), ...usual, ...more };
}

/** Returns a stub as a target over HTTP. Its clock advances in this process. */
export function overHttp(stub: Stub, baseUrl: string, more: Partial<Target> = {}): Target {
  const { dispatcher: _, ...target } = inProcess(stub, more);
  return { ...target, baseUrl, kind: 'url' };
}
