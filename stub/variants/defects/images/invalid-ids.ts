import { refuseField } from '../../changes/arguments.ts';
import { presenting } from '../../changes/causes.ts';
import { confirming, counting, proposeAnew, reissuing, reusing } from '../../changes/confirmations.ts';
import {
  aroundTool,
  type Change,
  changing,
  confirmationInvalid,
  field,
  fields,
  headers,
} from '../../changes/responses.ts';
import { together } from '../../deviation.ts';
import { defect } from '../defect.ts';

const tool = 'images.generate';

const coded = (name: string): Change => fields({ code: name });
const worded = (message: string): Change => fields({ message });

/** Ids that confirm nothing, or nothing any more. */
export const invalidIdDefects = {
  'confirmation-good-twice': defect('lets a confirmation be used twice')
    .breaks('confirmations.used-invalid', 'race.one-dispatches', 'confirmations.used-stays-invalid')
    .by(reissuing((times) => times === 1)),
  'confirmation-good-for-ever': defect('never uses a confirmation up')
    .breaks('confirmations.used-invalid', 'confirmations.used-stays-invalid', 'race.one-dispatches')
    .by(confirming(() => ({ consume: () => undefined }))),
  'used-id-with-own-code': defect('answers a used id with confirmation_used')
    .breaks('confirmations.used-invalid', 'confirmations.used-stays-invalid', 'race.others-invalid')
    .by(presenting('used', coded('confirmation_used'))),
  'used-id-answers-with-its-run': defect('answers a used id with the run of the first time, as if it were idempotent')
    .breaks('confirmations.used-invalid', 'confirmations.used-stays-invalid', 'race.one-dispatches')
    .by(counting((times, generate, call, first) => (times > 0 && first !== undefined ? first : generate(call)))),
  'used-id-good-again-after-refusal': defect('refuses a used id once, and takes it again afterwards')
    .breaks('confirmations.used-stays-invalid')
    .by(reissuing((times, sameMoment) => times > 1 && !sameMoment)),
  'used-id-good-with-another-count': defect('takes a used id again where the call has another count')
    .breaks('confirmations.used-stays-invalid')
    .by(reusing(({ args }, { held }) => args.count !== held.request.count)),
  'used-id-kept-with-its-request': defect(
    'notes an id as used together with the request, and takes it again with another',
  )
    .breaks('confirmations.used-stays-invalid')
    .by(reusing(({ args }, used) => JSON.stringify(args) !== used.args)),
  'used-id-good-in-other-case': defect('takes a used id again in upper case')
    .breaks('confirmations.used-stays-invalid')
    .by(reusing(({ args }, { held }) => args.confirmation_id !== held.id)),
  'used-id-good-for-another-key': defect('notes for each key which ids it has used')
    .breaks('confirmations.used-stays-invalid')
    .by(reusing(({ key }, { held }) => key.role !== held.role)),
  'used-id-forgotten-after-ten-minutes': defect('forgets after ten minutes that an id was used')
    .breaks('confirmations.used-stays-invalid')
    .by(reusing(({ state }, { at }) => state.clock.now() - at >= 10 * 60_000)),
  'used-id-is-told': defect('tells that a confirmation has been used')
    .breaks('confirmations.used-like-never-issued')
    .by(presenting('used', worded('This confirmation has been used. It works once, within about 30 minutes.'))),
  'used-id-told-by-header': defect('tells by a header that a confirmation has been used')
    .breaks('confirmations.used-like-never-issued')
    .by(presenting('used', headers({ 'x-confirmation-state': 'used' }))),
  'never-issued-id-proposes': defect('proposes anew where it does not find the id')
    .breaks(
      'confirmations.never-issued-invalid',
      'confirmations.used-invalid',
      'confirmations.used-stays-invalid',
      'race.others-invalid',
      'confirmations.expired-invalid',
    )
    .by(
      aroundTool(tool, (generate) => (call) => {
        const { confirmation_id: id } = call.args;
        const likely = id !== undefined && call.state.confirmations.find(id) === undefined;
        return likely ? proposeAnew(generate, call) : generate(call);
      }),
    ),
  'never-issued-id-with-own-code': defect('answers an id that was never issued with confirmation_not_found')
    .breaks('confirmations.never-issued-invalid')
    .by(presenting('never issued', coded('confirmation_not_found'))),
  'never-issued-id-as-invalid-arguments': defect('answers an id that was never issued with invalid_arguments')
    .breaks('confirmations.never-issued-invalid')
    .by(presenting('never issued', (_, call) => refuseField(call, 'confirmation_id'))),
  'confirmation-good-in-every-workspace': defect('accepts a confirmation in any workspace of the account')
    .breaks('confirmations.other-workspace-invalid')
    .by(
      confirming(({ accepts }) => ({
        accepts: (held, call) => accepts({ ...held, workspace: call.place.workspace.content.slug }, call),
      })),
    ),
  'other-workspace-with-own-code': defect('answers an id of another workspace with workspace_mismatch')
    .breaks('confirmations.other-workspace-invalid')
    .by(presenting('of another workspace', coded('workspace_mismatch'))),
  'other-workspace-is-told': defect('tells that a confirmation is of another workspace')
    .breaks('confirmations.other-workspace-like-never-issued')
    .by(presenting('of another workspace', worded('Confirm within 30 minutes, where you proposed.'))),
  'confirmation-good-everywhere': defect('accepts a confirmation from whatever account and workspace')
    .breaks('confirmations.other-account-invalid', 'confirmations.other-workspace-invalid')
    .by(
      confirming(({ accepts }) => ({
        accepts: (held, call) =>
          accepts({ ...held, workspace: call.place.workspace.content.slug, account: call.account.id }, call),
      })),
    ),
  'other-account-with-own-code': defect('answers an id of another account with forbidden')
    .breaks('confirmations.other-account-invalid')
    .by(presenting('of another account', coded('forbidden'))),
  'other-account-is-told': defect('adds a field to the response to an id of another account')
    .breaks('confirmations.other-account-like-never-issued')
    .by(presenting('of another account', fields({ reason: 'account' }))),
  'expired-id-with-own-code': defect('answers an expired id with confirmation_expired')
    .breaks('confirmations.expired-invalid')
    .by(presenting('expired', coded('confirmation_expired'))),
  'expired-id-proposes': defect('proposes anew where the id has expired')
    .breaks('confirmations.expired-invalid')
    .by((behavior) => {
      const issuedAt = new Map<unknown, number>();
      return aroundTool(tool, (generate) => (call) => {
        const now = call.state.clock.now();
        const expired = now - (issuedAt.get(call.args.confirmation_id) ?? now) > 30 * 60_000;
        const response = expired ? proposeAnew(generate, call) : generate(call);
        if (response.body.status === 'confirmation_required') issuedAt.set(response.body.confirmation_id, now);
        return response;
      })(behavior);
    }),
  'expired-id-is-told': defect('tells that a confirmation has expired')
    .breaks('confirmations.expired-like-never-issued')
    .by(presenting('expired', worded('This confirmation has expired: about 30 minutes have passed.'))),
  'expired-id-told-by-a-full-stop': defect('ends the message on an expired id without its full stop')
    .breaks('confirmations.expired-like-never-issued')
    .by(
      presenting(
        'expired',
        field('message', (text) => String(text).replace(/\.$/, '')),
      ),
    ),
  'locked-after-used-id': defect('lets an account confirm nothing more once a used id was presented')
    .breaks(
      'confirmations.recovery',
      'confirmations.dispatched',
      'confirmations.refusals-leave-open',
      'race.one-dispatches',
      'expiry.alive-at-20-minutes',
    )
    .by((behavior) => {
      const locked = new Set<string>();
      return together(
        presenting('used', (response, call) => {
          locked.add(call.key?.account ?? '');
          return response;
        }),
        confirming(({ accepts }) => ({
          accepts: (held, call) => accepts(held, call) && !locked.has(call.account.id),
        })),
      )(behavior);
    }),
  'expired-request-stays-dead': defect('refuses to propose again what expired before')
    .breaks('confirmations.recovery')
    .by((behavior) => {
      const issued = new Map<string, number>();
      return aroundTool(tool, (generate) => (call) => {
        const { confirmation_id: id, ...args } = call.args;
        const request = JSON.stringify([call.place.workspace.slug, args]);
        const now = call.state.clock.now();
        const dead = id === undefined && now - (issued.get(request) ?? now) > 30 * 60_000;
        const response = generate(dead ? { ...call, args: { ...args, confirmation_id: 'none' } } : call);
        if (response.body.status === 'confirmation_required') issued.set(request, now);
        return response;
      })(behavior);
    }),
  'lifetime-not-mentioned': defect('says that a confirmation is not valid, and nothing of its life')
    .breaks('confirmations.message-tells-lifetime')
    .by(changing(confirmationInvalid, worded('This confirmation is not valid.'))),
};
