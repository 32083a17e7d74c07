import type { StubRequest, StubResponse } from '../stub/server/handle.ts';
import { createDispatcher } from '../stub/transports/dispatcher.ts';
import type { RunEvent } from '../suites/result.ts';
import type { Credential } from '../suites/session/call.ts';
import type { Timer } from '../suites/session/run-time.ts';
import { Session } from '../suites/session/session.ts';
import { defaultPace, type Target } from '../suites/target/target.ts';

/** A target without keys and workspaces. */
const plain: Target = {
  baseUrl: 'http://stub.invalid',
  kind: 'stub',
  keys: {},
  workspaces: [],
  allow: ['proposals', 'spending', 'writes'],
  maxImages: 8,
  pace: defaultPace,
  headers: [],
  secrets: [],
};

type Handling = (request: StubRequest, nth: number) => StubResponse;

/** Returns a target that responds as `handle` returns, given the number of the request. */
export function handledTarget(handle: Handling, more: Partial<Target> = {}): Target {
  let calls = 0;
  const dispatcher = createDispatcher((request) => {
    calls += 1;
    return handle(request, calls);
  });
  return { ...plain, dispatcher, ...more };
}

/** What a session gets from a run. By default, nothing interrupts the session, and it waits in real time. */
interface Around {
  readonly stop?: AbortController;
  readonly onEvent?: (event: RunEvent) => void;
  readonly timer?: Timer;
}

/** Returns a session with a target that differs from a plain one in some members. */
export function sessionAt(target: Partial<Target>, around: Around = {}): Session {
  const { stop = new AbortController(), onEvent = () => undefined, timer } = around;
  return new Session({ ...plain, ...target }, stop.signal, onEvent, timer);
}

export const primaryKey: Credential = { label: 'primary', role: 'primary', header: 'Bearer k', good: true };

export const json = (body: object, status = 200, headers: Record<string, string> = {}): StubResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** A 429 that asks to wait. */
export const overLimit = (retryAfter?: string): StubResponse => {
  const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  return json({ error: { code: 'tenant_mcp.rate_limited', message: 'Wait.' } }, 429, headers);
};
