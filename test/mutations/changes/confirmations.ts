import type { Tool, ToolCall } from '../../../stub/server/behavior.ts';
import { type ApiResponse, refusal } from '../../../stub/server/responses.ts';
import type { Confirmation } from '../../../stub/server/state/state.ts';
import { issueAgain } from '../../../stub/variants/changes/confirmations.ts';
import { aroundTool } from '../../../stub/variants/changes/responses.ts';
import type { Deviation } from '../../../stub/variants/defect.ts';

export * from '../../../stub/variants/changes/confirmations.ts';

const tool = 'images.generate';
type ImagesCall = ToolCall<typeof tool>;

/** A used confirmation. `at` is in milliseconds since 1970; `args` is JSON. */
interface Used {
  held: Confirmation;
  at: number;
  args: string;
}

/** Makes a new proposal instead of confirming. */
export const proposeAnew = (generate: Tool<typeof tool>, call: ImagesCall): ApiResponse => {
  const { confirmation_id: _, ...args } = call.args;
  return generate({ ...call, args });
};

/** Accepts a used ID again if `again` returns true, ignoring letter case. */
export const reusing =
  (again: (call: ImagesCall, used: Used) => boolean): Deviation =>
  (behavior) => {
    const kept = new Map<string, Used>();
    return aroundTool(tool, (generate) => (call) => {
      const { state, args } = call;
      const id = (args.confirmation_id ?? '').toLowerCase();
      const held = state.confirmations.get(args.confirmation_id ?? '');
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
    const held = call.state.confirmations.get(call.args.confirmation_id ?? '');
    const response = generate(call);
    if (held !== undefined && when(held, call)) call.state.confirmations.delete(held.id);
    return response;
  });

/** Cancels the other open proposals of the workspace after a response with this status. */
export const cancelling = (status: 'confirmation_required' | 'dispatched'): Deviation =>
  aroundTool(tool, (generate) => (call) => {
    const response = generate(call);
    if (response.body.status !== status) return response;
    for (const { id, workspace } of [...call.state.confirmations.values()]) {
      const other = workspace === call.place.workspace.slug && id !== response.body.confirmation_id;
      if (other) call.state.confirmations.delete(id);
    }
    return response;
  });

/** On a busy machine, two processes that begin together send their requests that much apart. */
const raceMs = 200;

/** Changes the response to the second of two simultaneous confirmations. `first` is the response to the first one. */
export const secondInRace =
  (change: (response: ApiResponse, first: ApiResponse, call: ImagesCall) => ApiResponse): Deviation =>
  (behavior) => {
    const racing = new Map<string, ApiResponse>();
    return aroundTool(tool, (generate) => (call) => {
      const id = call.args.confirmation_id ?? '';
      const first = racing.get(id);
      const response = generate(call);
      if (first !== undefined) return change(response, first, call);
      if (response.body.status === 'dispatched') {
        racing.set(id, response);
        setTimeout(() => racing.delete(id), raceMs);
        return { ...response, delivery: { delayMs: raceMs + 5 } };
      }
      return response;
    })(behavior);
  };

/** Issues the ID of an equal proposal again until it is used, although it may have expired. */
export const issuingUntilUsed: Deviation = aroundTool(tool, (generate) => {
  const open = new Map<string, ApiResponse>();
  return (call) => {
    const { confirmation_id: id, ...args } = call.args;
    const request = JSON.stringify([call.key.secret, call.place.workspace.slug, args]);
    const response = (id === undefined ? open.get(request) : undefined) ?? generate(call);
    if (response.body.status === 'confirmation_required') open.set(request, response);
    if (response.body.status === 'dispatched')
      for (const [asked, { body }] of open) if (body.confirmation_id === id) open.delete(asked);
    return response;
  };
});

/** Looks up the board on the second call, too. */
export const boardFirst: Deviation = aroundTool(tool, (generate) => (call): ApiResponse => {
  const { args, place, behavior } = call;
  if (place.workspace.content.boards.some(({ id }) => id === args.board)) return generate(call);
  return refusal('tool', { code: behavior.codes.boardNotFound, message: 'The workspace has no such board.' });
});
