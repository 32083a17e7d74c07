import type { Rules } from '../rules.ts';
import type { Confirmation } from '../state/confirmations.ts';
import { answering, aroundTool, type Deviation, fields } from './patches.ts';

const confirming =
  (changed: Partial<Rules['confirmations']>): Deviation =>
  (rules) => ({
    ...rules,
    confirmations: { ...rules.confirmations, ...changed },
  });

/** Deviations of what spends: proposals, confirmations, their life and their races. */
export const imageDefects = {
  'proposal-reserves-credits': aroundTool('images.generate', (generate) => (call) => {
    const answer = generate(call);
    if (answer.body.status === 'confirmation_required') call.account.credits -= call.rules.images.creditsEach;
    return answer;
  }),
  'empty-id-confirms': aroundTool('images.generate', (generate) => (call) => {
    if (call.args.confirmation_id !== '') return generate(call);
    const { confirmation_id: _empty, ...request } = call.args;
    const { confirmation_id } = generate({ ...call, args: request }).body;
    return typeof confirmation_id === 'string'
      ? generate({ ...call, args: { ...request, confirmation_id } })
      : generate(call);
  }),
  'second-call-decides-count': aroundTool('images.generate', (generate) => (call) => {
    const held = call.state.confirmations.find(call.args.confirmation_id ?? '');
    if (held !== undefined) {
      const changed: Confirmation = { ...held, request: { ...held.request, count: call.args.count } };
      call.state.confirmations.issue(changed);
    }
    return generate(call);
  }),
  'used-id-is-told': (rules) => {
    // What was used is remembered by the rules of this one stub, not by the module.
    const used = new Set<string>();
    const noting = confirming({
      consume: (store, held) => {
        used.add(held.id);
        rules.confirmations.consume(store, held);
      },
    })(rules);
    return answering(
      (answer, call) => answer.body.code === 'confirmation_invalid' && used.has(String(call.args.confirmation_id)),
      fields({ message: 'This confirmation has been used. It works once, within about 30 minutes.' }),
    )(noting);
  },
  'confirmation-good-in-every-workspace': (rules) =>
    confirming({
      accepts: (held, call) =>
        rules.confirmations.accepts({ ...held, workspace: call.place.workspace.content.slug }, call),
    })(rules),
  'confirmation-lives-an-hour': confirming({ lifetimeSeconds: 3600 }),
  'confirmation-lives-ten-minutes': confirming({ lifetimeSeconds: 600 }),
  'confirmation-used-up-later': (rules) =>
    confirming({
      consume: (store, held) => {
        setImmediate(() => rules.confirmations.consume(store, held));
      },
    })(rules),
} as const satisfies Readonly<Record<string, Deviation>>;
