import type { confirmationDefects as data } from '../../fixtures/defects/confirmations.ts';
import { type Answer, refusal } from '../answers.ts';
import type { Tool, ToolCall } from '../call.ts';
import type { Rules } from '../rules.ts';
import type { Confirmation, ImageRequest } from '../state/confirmations.ts';
import {
  burning,
  cancelling,
  counting,
  dispatchMs,
  issueAgain,
  reissuing,
  reusing,
  secondInRace,
  slowly,
} from './ids.ts';
import {
  answering,
  aroundTool,
  type Change,
  code,
  crash,
  type Deviation,
  dispatch,
  field,
  fields,
  headers,
  together,
  unfit,
} from './patches.ts';
import { asked, everySlug } from './places.ts';
import { around, settling, taking } from './steps.ts';
import { presenting } from './worthless.ts';

const tool = 'images.generate';
type ImagesCall = ToolCall<typeof tool>;

/** Changes what confirmations hold to. */
export const confirming =
  (change: (held: Rules['confirmations']) => Partial<Rules['confirmations']>): Deviation =>
  (rules) => ({ ...rules, confirmations: { ...rules.confirmations, ...change(rules.confirmations) } });

const living = (lifetimeSeconds: number): Deviation => confirming(() => ({ lifetimeSeconds }));

/** Changes every dispatched reply. */
const dispatching = (...changes: readonly Change[]): Deviation => answering(dispatch, ...changes);

/** Lets the second call change what was confirmed. */
const rebinding = (change: (args: ImagesCall['args']) => Partial<ImageRequest>): Deviation =>
  aroundTool(tool, (generate) => (call) => {
    const held = call.state.confirmations.find(call.args.confirmation_id ?? '');
    if (held !== undefined) {
      const changed: Confirmation = { ...held, request: { ...held.request, ...change(call.args) } };
      issueAgain(call.state, changed);
    }
    return generate(call);
  });

/** Proposes in place of confirming. */
const proposeAnew = (generate: Tool<typeof tool>, call: ImagesCall): Answer => {
  const { confirmation_id: _, ...args } = call.args;
  return generate({ ...call, args });
};

const coded = (name: string): Change => fields({ code: name });
const worded = (message: string): Change => fields({ message });

/** Deviations of confirmations, their life and their races. */
export const confirmationDefects: Readonly<Record<keyof typeof data, Deviation>> = {
  'dispatch-called-running': dispatching(fields({ status: 'running' })),
  'third-call-wanted': aroundTool(tool, (generate) => (call) => {
    const held = call.state.confirmations.find(call.args.confirmation_id ?? '');
    return held === undefined ? generate(call) : proposeAnew(generate, call);
  }),
  'run-id-null': dispatching(fields({ run_id: null })),
  'run-id-as-number': (rules) => {
    let last = 0;
    return dispatching(field('run_id', () => (last += 1)))(rules);
  },
  'run-id-by-second': dispatching(field('run_id', (_, { state }) => `run_${Math.floor(state.clock.now() / 1000)}`)),
  'run-id-of-the-board': dispatching((answer, call) => fields({ run_id: `run_${answer.body.board_id}` })(answer, call)),
  'dispatch-repeats-the-id': dispatching(field('confirmation_id', (_, { args }) => args.confirmation_id)),
  'dispatch-without-the-id': dispatching(fields({ confirmation_id: undefined })),
  'dispatch-repeats-the-summary': dispatching(fields({ request_summary: 'These images are being made.' })),
  'dispatch-without-the-summary': dispatching(fields({ request_summary: undefined })),
  'dispatch-tells-count-left': dispatching(field('count', (count) => Number(count) - 1)),
  'dispatch-without-aspect-ratio': dispatching(fields({ aspect_ratio: undefined })),
  'second-call-decides-count': rebinding(({ count }) => ({ count })),
  'second-call-decides-shape': rebinding(({ shape }) => ({ shape })),
  'second-call-decides-board': rebinding(({ board }) => ({ board })),
  'second-call-lowers-count': dispatching(
    field('count', (count, { args }) => Math.min(Number(count), Number(args.count))),
  ),
  'larger-count-refused': confirming(({ accepts }) => ({
    accepts: (held, call) => accepts(held, call) && held.request.count === call.args.count,
  })),
  'id-bound-to-the-action': rebinding(({ board, brief, count, shape }) => ({ board, brief, count, shape })),
  'id-alone-confirms': taking(
    (args, { state }) => ({ ...state.confirmations.find(String(args.confirmation_id))?.request, ...args }),
    tool,
  ),
  'brief-not-wanted-to-confirm': taking((args, { state }) => {
    const held = state.confirmations.find(String(args.confirmation_id));
    return held === undefined ? args : { brief: held.request.brief, ...args };
  }, tool),
  'confirmation-bound-to-the-argument': (rules) => {
    const named = new Map<unknown, string | undefined>();
    return aroundTool(tool, (generate) => (call) => {
      const { confirmation_id: id, workspace } = call.args;
      const other = id !== undefined && named.has(id) && named.get(id) !== workspace;
      const answer = generate(other ? { ...call, args: { ...call.args, confirmation_id: 'none' } } : call);
      if (typeof answer.body.confirmation_id === 'string') named.set(answer.body.confirmation_id, workspace);
      return answer;
    })(rules);
  },
  'unknown-workspace-confirms': settling((call) => {
    const held = call.state.confirmations.find(String(call.body.confirmation_id));
    const known = everySlug(call).includes(asked(call) ?? '');
    return held === undefined || asked(call) === undefined || known ? undefined : [held.workspace, 'call-override'];
  }),
  'confirmation-burnt-in-another-workspace': burning((held, { place }) => held.workspace !== place.workspace.slug),
  'confirmation-burnt-by-another-account': burning((held, { account }) => held.account !== account.id),
  'confirmation-burnt-by-invalid-arguments': around('checkArguments', (check) => (call) => {
    const answer = check(call);
    if (answer !== undefined) call.state.confirmations.consume(String(call.body.confirmation_id));
    return answer;
  }),
  'confirmation-burnt-by-unknown-board': aroundTool(tool, (generate) => (call) => {
    const { confirmation_id: id, board } = call.args;
    const known = call.place.workspace.content.boards.some((each) => each.id === board);
    if (known || id === undefined) return generate(call);
    call.state.confirmations.consume(id);
    return refusal('tool', { code: call.rules.codes.boardNotFound, message: 'There is no such board.' });
  }),
  'dispatch-cancels-the-others': cancelling('dispatched'),
  'proposal-cancels-the-one-before': cancelling('confirmation_required'),
  'confirmation-good-twice': reissuing((times) => times === 1),
  'confirmation-good-for-ever': confirming(() => ({ consume: () => undefined })),
  'used-id-with-own-code': presenting('used', coded('confirmation_used')),
  'used-id-answers-with-its-run': counting((times, generate, call, first) =>
    times > 0 && first !== undefined ? first : generate(call),
  ),
  'used-id-good-again-after-refusal': reissuing((times, sameMoment) => times > 1 && !sameMoment),
  'used-id-good-with-another-count': reusing(({ args }, { held }) => args.count !== held.request.count),
  'used-id-kept-with-its-request': reusing(({ args }, used) => JSON.stringify(args) !== used.args),
  'used-id-good-in-other-case': reusing(({ args }, { held }) => args.confirmation_id !== held.id),
  'used-id-good-for-another-key': reusing(({ key }, { held }) => key.role !== held.role),
  'used-id-forgotten-after-ten-minutes': reusing(({ state }, { at }) => state.clock.now() - at >= 10 * 60_000),
  'used-id-is-told': presenting(
    'used',
    worded('This confirmation has been used. It works once, within about 30 minutes.'),
  ),
  'used-id-told-by-header': presenting('used', headers({ 'x-confirmation-state': 'used' })),
  'never-issued-id-proposes': aroundTool(tool, (generate) => (call) => {
    const { confirmation_id: id } = call.args;
    const likely = id !== undefined && call.state.confirmations.find(id) === undefined;
    return likely ? proposeAnew(generate, call) : generate(call);
  }),
  'never-issued-id-with-own-code': presenting('never issued', coded('confirmation_not_found')),
  'never-issued-id-as-invalid-arguments': presenting('never issued', () => unfit('confirmation_id')),
  'odd-id-as-invalid-arguments': presenting('never issued', (answer, { args }) =>
    /^cnf_/i.test(String(args.confirmation_id).trim()) ? answer : unfit('confirmation_id'),
  ),
  'confirmation-good-in-every-workspace': confirming(({ accepts }) => ({
    accepts: (held, call) => accepts({ ...held, workspace: call.place.workspace.content.slug }, call),
  })),
  'other-workspace-with-own-code': presenting('of another workspace', coded('workspace_mismatch')),
  'other-workspace-is-told': presenting(
    'of another workspace',
    worded('Confirm within 30 minutes, where you proposed.'),
  ),
  'confirmation-good-everywhere': confirming(({ accepts }) => ({
    accepts: (held, call) =>
      accepts({ ...held, workspace: call.place.workspace.content.slug, account: call.account.id }, call),
  })),
  'other-account-with-own-code': presenting('of another account', coded('forbidden')),
  'other-account-is-told': presenting('of another account', fields({ reason: 'account' })),
  'expired-id-with-own-code': presenting('expired', coded('confirmation_expired')),
  'expired-id-proposes': (rules) => {
    const issuedAt = new Map<unknown, number>();
    return aroundTool(tool, (generate) => (call) => {
      const now = call.state.clock.now();
      const expired = now - (issuedAt.get(call.args.confirmation_id) ?? now) > 30 * 60_000;
      const answer = expired ? proposeAnew(generate, call) : generate(call);
      if (answer.body.status === 'confirmation_required') issuedAt.set(answer.body.confirmation_id, now);
      return answer;
    })(rules);
  },
  'expired-id-is-told': presenting('expired', worded('This confirmation has expired: about 30 minutes have passed.')),
  'expired-id-told-by-a-full-stop': presenting(
    'expired',
    field('message', (text) => String(text).replace(/\.$/, '')),
  ),
  'locked-after-used-id': (rules) => {
    const locked = new Set<string>();
    return together(
      presenting('used', (answer, call) => {
        locked.add(call.key?.account ?? '');
        return answer;
      }),
      confirming(({ accepts }) => ({
        accepts: (held, call) => accepts(held, call) && !locked.has(call.account.id),
      })),
    )(rules);
  },
  'expired-request-stays-dead': (rules) => {
    const issued = new Map<string, number>();
    return aroundTool(tool, (generate) => (call) => {
      const { confirmation_id: id, ...args } = call.args;
      const request = JSON.stringify([call.place.workspace.slug, args]);
      const now = call.state.clock.now();
      const dead = id === undefined && now - (issued.get(request) ?? now) > 30 * 60_000;
      const answer = generate(dead ? { ...call, args: { ...args, confirmation_id: 'none' } } : call);
      if (answer.body.status === 'confirmation_required') issued.set(request, now);
      return answer;
    })(rules);
  },
  'lifetime-not-mentioned': answering(code('confirmation_invalid'), worded('This confirmation is not valid.')),

  'confirmation-lives-ten-minutes': living(600),
  'confirmation-lives-30-seconds': living(30),
  'confirmation-lives-an-hour': living(3600),
  'confirmation-lives-for-ever': living(Number.MAX_SAFE_INTEGER / 1e6),

  'confirmation-used-up-later': together(
    confirming(({ consume }) => ({
      consume: (store, held) => {
        setTimeout(() => consume(store, held), dispatchMs);
      },
    })),
    answering(dispatch, slowly),
  ),
  'second-of-a-race-dispatches': reissuing((times, sameMoment) => times === 1 && sameMoment),
  'race-loser-told-to-wait': secondInRace((answer) => ({
    ...answer,
    body: { ok: false, code: 'confirmation_in_use', message: 'Somebody else is confirming this. Wait a moment.' },
  })),
  'race-loser-gets-the-run': secondInRace((_, first) => first),
  'race-loser-crashes': secondInRace(crash),
};
