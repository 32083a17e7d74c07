import type { Behavior, Tool, ToolCall } from '../../server/behavior.ts';
import type { ApiResponse } from '../../server/responses.ts';
import type { Confirmation } from '../../server/state/state.ts';
import type { Deviation } from '../defect.ts';
import { aroundTool } from './responses.ts';

// Changes to how confirmation IDs are issued, consumed and found.

const tool = 'images.generate';
type ImagesCall = ToolCall<typeof tool>;

/** Issues a confirmation again, whether it is used or not. */
export function issueAgain({ confirmations }: ImagesCall['state'], held: Confirmation): void {
  confirmations.set(held.id, held);
}

/** Changes the confirmation rules of the behavior. */
export const confirming =
  (change: (held: Behavior['confirmations']) => Partial<Behavior['confirmations']>): Deviation =>
  (behavior) => ({ ...behavior, confirmations: { ...behavior.confirmations, ...change(behavior.confirmations) } });

/** Changes the IDs of new proposals. */
export const issuing = (idOf: (call: ImagesCall, id: string) => string): Deviation =>
  aroundTool(tool, (generate) => (call) => {
    const response = generate(call);
    const held = call.state.confirmations.get(String(response.body.confirmation_id));
    if (response.body.status !== 'confirmation_required' || held === undefined) return response;
    const id = idOf(call, held.id);
    call.state.confirmations.delete(held.id);
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
      const held = call.state.confirmations.get(id);
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
