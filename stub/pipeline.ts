import type { Answer } from './answers.ts';
import type { Call } from './call.ts';
import type { Handle, StubRequest } from './exchange.ts';
import type { Rules } from './rules.ts';
import type { State } from './state/state.ts';

/** The stub as a function: a request meets the steps in their order, and the first that answers ends it. */
export function createHandle(state: State, rules: Rules): Handle {
  return (request) => {
    const call = beginCall(request, state, rules);
    const { status, headers, body, delivery } = rules.finish(meetSteps(call), call);
    state.tally.count(call.key?.role ?? 'nobody', call.tool ?? 'none', status);
    return { status, headers, body: rules.write(body, call), delivery };
  };
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
