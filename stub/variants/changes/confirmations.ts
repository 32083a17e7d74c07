import type { Behavior, Tool, ToolCall } from '../../server/behavior.ts';
import type { ApiResponse } from '../../server/responses.ts';
import type { Confirmation } from '../../server/state/confirmations.ts';
import type { Deviation } from '../deviation.ts';
import { aroundTool } from './responses.ts';

// Changes to how confirmation IDs are issued, consumed and found.

const tool = 'images.generate';
type ImagesCall = ToolCall<typeof tool>;

/** Issues a confirmation again, whether it is used or not. */
export function issueAgain({ confirmations }: ImagesCall['state'], held: Confirmation): void {
  confirmations.consume(held.id);
  confirmations.issue(held);
}

/** Changes the confirmation rules of the behavior. */
export const confirming =
  (change: (held: Behavior['confirmations']) => Partial<Behavior['confirmations']>): Deviation =>
  (behavior) => ({ ...behavior, confirmations: { ...behavior.confirmations, ...change(behavior.confirmations) } });

/** Makes a new proposal instead of confirming. */
export const proposeAnew = (generate: Tool<typeof tool>, call: ImagesCall): ApiResponse => {
  const { confirmation_id: _, ...args } = call.args;
  return generate({ ...call, args });
};

/** Changes the IDs of new proposals. */
export const issuing = (idOf: (call: ImagesCall, id: string) => string): Deviation =>
  aroundTool(tool, (generate) => (call) => {
    const response = generate(call);
    const held = call.state.confirmations.find(String(response.body.confirmation_id));
    if (response.body.status !== 'confirmation_required' || held === undefined) return response;
    const id = idOf(call, held.id);
    call.state.confirmations.consume(held.id);
    issueAgain(call.state, { ...held, id });
    return { ...response, body: { ...response.body, confirmation_id: id } };
  });

/**
 * Changes the response to a confirmation. `times` is the number of responses to its ID since the first dispatch.
 * `first` is the response to that dispatch.
 */
export const counting =
  (
    response: (
      times: number,
      generate: Tool<typeof tool>,
      call: ImagesCall,
      first: ApiResponse | undefined,
    ) => ApiResponse,
  ): Deviation =>
  (behavior) => {
    const replies = new Map<string, ApiResponse[]>();
    return aroundTool(tool, (generate) => (call) => {
      const { confirmation_id: id } = call.args;
      if (id === undefined) return generate(call);
      const known = replies.get(id) ?? [];
      const given = response(known.length, generate, call, known[0]);
      if (given.body.status === 'dispatched' || known.length > 0) replies.set(id, [...known, given]);
      return given;
    })(behavior);
  };

/** Simulated duration of a dispatch. Confirmations within it count as simultaneous, over any transport. */
export const dispatchMs = 20;
export const slowly = (response: ApiResponse): ApiResponse => ({ ...response, delivery: { delayMs: dispatchMs + 5 } });

/** Accepts a used ID again if `again` returns true. Keeps the confirmation and reissues it. */
export const reissuing =
  (again: (times: number, sameMoment: boolean) => boolean): Deviation =>
  (behavior) => {
    const kept = new Map<string, { held: Confirmation; times: number; fresh: boolean }>();
    return aroundTool(tool, (generate) => (call) => {
      const id = call.args.confirmation_id ?? '';
      const held = call.state.confirmations.find(id);
      const known = kept.get(id);
      if (held === undefined && known !== undefined) {
        known.times += 1;
        if (again(known.times, known.fresh)) issueAgain(call.state, known.held);
      }
      const response = generate(call);
      if (held !== undefined && response.body.status === 'dispatched') {
        const noted = { held, times: 0, fresh: true };
        kept.set(id, noted);
        setTimeout(() => {
          noted.fresh = false;
        }, dispatchMs);
        return slowly(response);
      }
      return response;
    })(behavior);
  };

/** A used confirmation. `at` is in milliseconds since 1970; `args` is JSON. */
interface Used {
  held: Confirmation;
  at: number;
  args: string;
}

/** Accepts a used ID again if `again` returns true, ignoring letter case. */
export const reusing =
  (again: (call: ImagesCall, used: Used) => boolean): Deviation =>
  (behavior) => {
    const kept = new Map<string, Used>();
    return aroundTool(tool, (generate) => (call) => {
      const { state, args } = call;
      const id = (args.confirmation_id ?? '').toLowerCase();
      const held = state.confirmations.find(args.confirmation_id ?? '');
      const used = kept.get(id);
      if (held === undefined && used !== undefined && again(call, used)) {
        issueAgain(state, used.held);
        return generate({ ...call, args: { ...args, confirmation_id: used.held.id } });
      }
      const response = generate(call);
      if (held !== undefined && response.body.status === 'dispatched') {
        kept.set(id, { held, at: state.clock.now(), args: JSON.stringify(args) });
      }
      return response;
    })(behavior);
  };

/** Consumes an ID although the request is refused. */
export const burning = (when: (held: Confirmation, call: ImagesCall) => boolean): Deviation =>
  aroundTool(tool, (generate) => (call) => {
    const held = call.state.confirmations.find(call.args.confirmation_id ?? '');
    const response = generate(call);
    if (held !== undefined && when(held, call)) call.state.confirmations.consume(held.id);
    return response;
  });

/** Cancels the other open proposals of the workspace after a response with this status. */
export const cancelling = (status: 'confirmation_required' | 'dispatched'): Deviation =>
  aroundTool(tool, (generate) => (call) => {
    const response = generate(call);
    if (response.body.status !== status) return response;
    for (const { id, workspace } of [...call.state.confirmations.waiting()]) {
      const other = workspace === call.place.workspace.slug && id !== response.body.confirmation_id;
      if (other) call.state.confirmations.consume(id);
    }
    return response;
  });

/** Changes the response to the second of two simultaneous confirmations. `first` is the response to the first one. */
export const secondInRace =
  (change: (response: ApiResponse, first: ApiResponse) => ApiResponse): Deviation =>
  (behavior) => {
    const racing = new Map<string, ApiResponse>();
    return aroundTool(tool, (generate) => (call) => {
      const id = call.args.confirmation_id ?? '';
      const first = racing.get(id);
      const response = generate(call);
      if (first !== undefined) return change(response, first);
      if (response.body.status === 'dispatched') {
        racing.set(id, response);
        setTimeout(() => racing.delete(id), dispatchMs);
        return slowly(response);
      }
      return response;
    })(behavior);
  };
