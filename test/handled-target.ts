import type { StubRequest, StubResponse } from '../stub/server/handle.ts';
import { createDispatcher } from '../stub/transports/dispatcher.ts';
import { defaultPace, type Target } from '../suites/target/target.ts';

/** Returns a target without keys and workspaces that responds as `handle` returns, given the number of the request. */
export function handledTarget(
  handle: (request: StubRequest, nth: number) => StubResponse,
  more: Partial<Target> = {},
): Target {
  let calls = 0;
  return {
    baseUrl: 'http://stub.invalid',
    kind: 'stub',
    keys: {},
    workspaces: [],
    allow: ['proposals', 'spending', 'writes'],
    maxImages: 8,
    pace: defaultPace,
    headers: [],
    secrets: [],
    dispatcher: createDispatcher((request) => {
      calls += 1;
      return handle(request, calls);
    }),
    ...more,
  };
}

export const json = (body: object, status = 200, headers: Record<string, string> = {}): StubResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
