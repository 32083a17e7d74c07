import type { Tool, ToolCall } from '../../server/call.ts';
import type { Answer } from '../../server/responses.ts';
import type { Rules } from '../../server/rules.ts';
import type { Confirmation } from '../../server/state/confirmations.ts';
import type { Deviation } from '../deviation.ts';
import { aroundTool } from './responses.ts';

// What becomes of the ids of confirmations: how they are made, used up and found again.

const tool = 'images.generate';
type ImagesCall = ToolCall<typeof tool>;

/** Issues a confirmation once more, whether its id still waits or not. */
export function issueAgain({ confirmations }: ImagesCall['state'], held: Confirmation): void {
  confirmations.consume(held.id);
  confirmations.issue(held);
}

/** Changes what confirmations hold to. */
export const confirming =
  (change: (held: Rules['confirmations']) => Partial<Rules['confirmations']>): Deviation =>
  (rules) => ({ ...rules, confirmations: { ...rules.confirmations, ...change(rules.confirmations) } });

/** Proposes in place of confirming. */
export const proposeAnew = (generate: Tool<typeof tool>, call: ImagesCall): Answer => {
  const { confirmation_id: _, ...args } = call.args;
  return generate({ ...call, args });
};

/** Gives proposals ids of this kind. */
export const issuing = (idOf: (call: ImagesCall, id: string) => string): Deviation =>
  aroundTool(tool, (generate) => (call) => {
    const answer = generate(call);
    const held = call.state.confirmations.find(String(answer.body.confirmation_id));
    if (answer.body.status !== 'confirmation_required' || held === undefined) return answer;
    const id = idOf(call, held.id);
    call.state.confirmations.consume(held.id);
    issueAgain(call.state, { ...held, id });
    return { ...answer, body: { ...answer.body, confirmation_id: id } };
  });

/** Does something else with calls that present an id, knowing how often it dispatched before. */
export const counting =
  (
    answer: (times: number, generate: Tool<typeof tool>, call: ImagesCall, first: Answer | undefined) => Answer,
  ): Deviation =>
  (rules) => {
    const replies = new Map<string, Answer[]>();
    return aroundTool(tool, (generate) => (call) => {
      const { confirmation_id: id } = call.args;
      if (id === undefined) return generate(call);
      const known = replies.get(id) ?? [];
      const given = answer(known.length, generate, call, known[0]);
      if (given.body.status === 'dispatched' || known.length > 0) replies.set(id, [...known, given]);
      return given;
    })(rules);
  };

/** How long a dispatch takes here. What comes in the meantime is simultaneous with it, over any transport. */
export const dispatchMs = 20;
export const slowly = (answer: Answer): Answer => ({ ...answer, delivery: { delayMs: dispatchMs + 5 } });

/** Confirms an id although it was used: what was confirmed is kept and issued again. */
export const reissuing =
  (again: (times: number, sameMoment: boolean) => boolean): Deviation =>
  (rules) => {
    const kept = new Map<string, { held: Confirmation; times: number; fresh: boolean }>();
    return aroundTool(tool, (generate) => (call) => {
      const id = call.args.confirmation_id ?? '';
      const held = call.state.confirmations.find(id);
      const known = kept.get(id);
      if (held === undefined && known !== undefined) {
        known.times += 1;
        if (again(known.times, known.fresh)) issueAgain(call.state, known.held);
      }
      const answer = generate(call);
      if (held !== undefined && answer.body.status === 'dispatched') {
        const noted = { held, times: 0, fresh: true };
        kept.set(id, noted);
        setTimeout(() => {
          noted.fresh = false;
        }, dispatchMs);
        return slowly(answer);
      }
      return answer;
    })(rules);
  };

/** A confirmation that was used: when, in milliseconds since 1970, and with what arguments. */
interface Used {
  held: Confirmation;
  at: number;
  args: string;
}

/** Takes a used id again for some calls, whatever the case of its letters. */
export const reusing =
  (again: (call: ImagesCall, used: Used) => boolean): Deviation =>
  (rules) => {
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
      const answer = generate(call);
      if (held !== undefined && answer.body.status === 'dispatched') {
        kept.set(id, { held, at: state.clock.now(), args: JSON.stringify(args) });
      }
      return answer;
    })(rules);
  };

/** Uses an id up although the call is refused. */
export const burning = (when: (held: Confirmation, call: ImagesCall) => boolean): Deviation =>
  aroundTool(tool, (generate) => (call) => {
    const held = call.state.confirmations.find(call.args.confirmation_id ?? '');
    const answer = generate(call);
    if (held !== undefined && when(held, call)) call.state.confirmations.consume(held.id);
    return answer;
  });

/** Cancels what else waits in the workspace when a call comes to this. */
export const cancelling = (status: 'confirmation_required' | 'dispatched'): Deviation =>
  aroundTool(tool, (generate) => (call) => {
    const answer = generate(call);
    if (answer.body.status !== status) return answer;
    for (const { id, workspace } of [...call.state.confirmations.waiting()]) {
      const other = workspace === call.place.workspace.slug && id !== answer.body.confirmation_id;
      if (other) call.state.confirmations.consume(id);
    }
    return answer;
  });

/** Answers who comes second in a race otherwise; `first` is what the winner got. */
export const secondInRace =
  (change: (answer: Answer, first: Answer) => Answer): Deviation =>
  (rules) => {
    const racing = new Map<string, Answer>();
    return aroundTool(tool, (generate) => (call) => {
      const id = call.args.confirmation_id ?? '';
      const first = racing.get(id);
      const answer = generate(call);
      if (first !== undefined) return change(answer, first);
      if (answer.body.status === 'dispatched') {
        racing.set(id, answer);
        setTimeout(() => racing.delete(id), dispatchMs);
        return slowly(answer);
      }
      return answer;
    })(rules);
  };
