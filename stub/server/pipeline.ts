import type { Call } from './call.ts';
import type { StubRequest, StubResponse } from './handle.ts';
import type { Answer } from './responses.ts';
import type { Rules } from './rules.ts';
import type { State } from './state/state.ts';

/** Learns of a call and of its answer before that is sent. */
export type After = (call: Call, response: StubResponse) => void;

/**
 * The stub as a function: a request meets the steps in their order, and the first that answers ends it.
 * `instead` answers in their place, and then nothing is done but to find out who calls what.
 */
export type Pipeline = (request: StubRequest, after?: After, instead?: (call: Call) => Answer) => StubResponse;

export function createPipeline(state: State, rules: Rules): Pipeline {
  return (request, after, instead) => {
    const call = beginCall(request, state, rules);
    const answer = instead === undefined ? meetSteps(call) : answerInstead(call, instead);
    const { status, headers, body, delivery } = rules.finish(answer, call);
    state.tally.count(call.key?.role ?? 'nobody', call.tool ?? 'none', status);
    const response = { status, headers, body: rules.write(body, call), delivery };
    after?.(call, response);
    return response;
  };
}

function answerInstead(call: Call, instead: (call: Call) => Answer): Answer {
  call.rules.steps.route(call);
  call.rules.steps.authenticate(call);
  return instead(call);
}

function beginCall(request: StubRequest, state: State, rules: Rules): Call {
  return {
    request,
    state,
    rules,
    toolName: '',
    tool: undefined,
    key: undefined,
    body: {},
    args: {},
    place: undefined,
  };
}

function meetSteps(call: Call): Answer {
  const { order, steps } = call.rules;
  for (const name of order) {
    const answer = steps[name](call);
    if (answer !== undefined) return answer;
  }
  throw new Error(`No step answered; the last was '${order.at(-1)}'.`);
}
