import type { Behavior, Call } from './behavior.ts';
import type { StubRequest, StubResponse } from './handle.ts';
import type { ApiResponse } from './responses.ts';
import type { State } from './state/state.ts';

/** Replaces the steps after routing and authentication. */
export type Instead = (call: Call) => ApiResponse;

/** Runs the steps in order until one responds. Returns the request after all steps, and the response to send. */
export function answer(request: StubRequest, state: State, behavior: Behavior, instead?: Instead) {
  const call = beginCall(request, state, behavior);
  const unfinished = instead === undefined ? meetSteps(call) : respondInstead(call, instead);
  const { status, headers, body, delivery } = behavior.finish(unfinished, call);
  state.tally.count(call.key?.role ?? 'nobody', call.tool ?? 'none', status);
  const response: StubResponse = { status, headers, body: behavior.write(body, call), delivery };
  return { call, response };
}

/**
 * Returns the response of the steps before a tool for a request that is not at the path of a tool: whether the key, the
 * switches and the size of a batch allow it. Undefined if they do.
 */
export function refusalAtDoor(request: StubRequest, state: State, behavior: Behavior): StubResponse | undefined {
  const call = beginCall(request, state, behavior);
  const { authenticate, surface, readBody } = behavior.steps;
  const isBatch = Buffer.from(request.body ?? [])
    .toString('latin1')
    .trimStart()
    .startsWith('[');
  const refused = authenticate(call) ?? surface(call) ?? (isBatch ? readBody(call) : undefined);
  if (refused === undefined) return undefined;
  const { status, headers, body } = behavior.finish(refused, call);
  return { status, headers, body: behavior.write(body, call) };
}

function respondInstead(call: Call, instead: Instead): ApiResponse {
  call.behavior.steps.route(call);
  call.behavior.steps.authenticate(call);
  return instead(call);
}

function beginCall(request: StubRequest, state: State, behavior: Behavior): Call {
  return {
    request,
    state,
    behavior,
    toolName: '',
    tool: undefined,
    key: undefined,
    body: {},
    args: {},
    place: undefined,
  };
}

function meetSteps(call: Call): ApiResponse {
  const { order, steps } = call.behavior;
  for (const name of order) {
    const response = steps[name](call);
    if (response !== undefined) return response;
  }
  throw new Error(`No step responded; the last was '${order.at(-1)}'.`);
}
