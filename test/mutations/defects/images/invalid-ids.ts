import { refusalCodes } from '../../../../fixtures/contract/codes.ts';
import { limits } from '../../../../fixtures/contract/limits.ts';
import { defect, together } from '../../../../stub/variants/defect.ts';
import { confirming, proposeAnew, reissuing, reusing } from '../../changes/confirmations.ts';
import {
  aroundTool,
  type Change,
  changing,
  confirmationInvalid,
  fields,
  headers,
  presenting,
} from '../../changes/responses.ts';

const { about, surelyAlive } = limits.confirmation;

/** Shorter than the time for which the kit knows that an ID is alive. */
const someMinutes = Math.floor(surelyAlive / 2);
const tool = 'images.generate';

const coded = (name: string): Change => fields({ code: name });
const worded = (message: string): Change => fields({ message });

/** Applies a change only within some minutes of its first use. */
function atFirst(change: Change): Change {
  let startedAt: number | undefined;
  return (response, call) => {
    const now = call.state.clock.now();
    startedAt ??= now;
    return now - startedAt < someMinutes * 60_000 ? change(response, call) : response;
  };
}

/** Defects in the handling of invalid and used IDs. */
export const invalidIdDefects = {
  'used-id-good-again-after-refusal': defect('refuses a used confirmation ID once, and then accepts it again')
    .breaks('confirmations.used-stays-invalid')
    .by(reissuing((times, sameMoment) => times > 1 && !sameMoment)),
  'used-id-forgotten-early': defect(`accepts a used confirmation ID again after ${someMinutes} minutes`)
    .breaks('confirmations.used-stays-invalid')
    .by(reusing(({ state }, { at }) => state.clock.now() - at >= someMinutes * 60_000)),
  'used-id-is-told-at-first': defect(`says for ${someMinutes} minutes in the refusal that a confirmation ID was used`)
    .breaks('confirmations.used-like-never-issued')
    .by(presenting('used', atFirst(worded(`This confirmation has been used. It works for about ${about} minutes.`)))),
  'never-issued-id-with-own-code': defect('returns confirmation_not_found for a confirmation ID that was never issued')
    .breaks('confirmations.never-issued-invalid')
    .by(presenting('never issued', coded('confirmation_not_found'))),
  'default-workspace-confirms-every-id': defect(
    'accepts a confirmation ID of any workspace of the account in a request without a workspace',
  )
    .breaks('confirmations.other-workspace-invalid')
    .by(
      confirming(({ accepts }) => ({
        accepts: (held, call) =>
          accepts(call.args.workspace === undefined ? { ...held, workspace: call.place.workspace.slug } : held, call),
      })),
    ),
  'other-keys-confirm-everywhere': defect('checks the workspace of a confirmation ID only for the key that proposed')
    .breaks('confirmations.other-workspace-invalid')
    .by(
      confirming(({ accepts }) => ({
        accepts: (held, call) =>
          accepts(held.role === call.key.role ? held : { ...held, workspace: call.place.workspace.content.slug }, call),
      })),
    ),
  'other-workspace-told-at-first': defect(
    `says in a header that a confirmation ID belongs to another workspace, but only for ${someMinutes} minutes`,
  )
    .breaks('confirmations.other-workspace-like-never-issued')
    .by(presenting('of another workspace', atFirst(headers({ 'x-confirmation-state': 'elsewhere' })))),
  'confirmation-good-everywhere': defect('accepts a confirmation ID from any account and in any workspace')
    .breaks('confirmations.other-account-invalid', 'confirmations.other-workspace-invalid')
    .by(
      confirming(({ accepts }) => ({
        accepts: (held, call) =>
          accepts({ ...held, workspace: call.place.workspace.content.slug, account: call.account.id }, call),
      })),
    ),
  'other-account-is-told': defect('adds a member to the refusal of a confirmation ID of another account')
    .breaks('confirmations.other-account-like-never-issued')
    .by(presenting('of another account', fields({ reason: 'account' }))),
  'used-id-of-another-account-is-told': defect('has an own code for a used confirmation ID of another account')
    .breaks('confirmations.other-account-invalid')
    .by((behavior) => {
      const payers = new Map<unknown, string>();
      return aroundTool(tool, (generate) => (call) => {
        const { confirmation_id: id } = call.args;
        const response = generate(call);
        if (response.body.status === 'dispatched') payers.set(id, call.account.id);
        const isForeign = (payers.get(id) ?? call.account.id) !== call.account.id;
        return isForeign ? { ...response, body: { ...response.body, code: 'confirmation_used' } } : response;
      })(behavior);
    }),
  'expired-id-proposes': defect('returns a new proposal for an expired confirmation ID')
    .breaks('confirmations.expired-invalid', 'confirmations.used-stays-invalid')
    .by((behavior) => {
      const issuedAt = new Map<unknown, number>();
      return aroundTool(tool, (generate) => (call) => {
        const now = call.state.clock.now();
        const expired = now - (issuedAt.get(call.args.confirmation_id) ?? now) > about * 60_000;
        const response = expired ? proposeAnew(generate, call) : generate(call);
        if (response.body.status === 'confirmation_required') issuedAt.set(response.body.confirmation_id, now);
        return response;
      })(behavior);
    }),
  'expired-id-is-told': defect('says in the refusal that a confirmation ID has expired')
    .breaks('confirmations.expired-like-never-issued')
    .by(presenting('expired', worded(`This confirmation has expired: about ${about} minutes have passed.`))),
  'locked-after-used-id': defect('refuses all confirmations of an account after it refuses a used confirmation ID')
    .breaks(
      'confirmations.recovery',
      'confirmations.dispatched',
      'confirmations.others-leave-open',
      'confirmations.refusals-leave-open',
      'race.one-dispatches',
      'expiry.alive-early',
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
  'expired-request-stays-dead': defect('refuses to propose a request again after its confirmation ID expired')
    .breaks('confirmations.recovery')
    .by((behavior) => {
      const issued = new Map<string, number>();
      return aroundTool(tool, (generate) => (call) => {
        const { confirmation_id: id, ...args } = call.args;
        const request = JSON.stringify([call.place.workspace.slug, args]);
        const now = call.state.clock.now();
        const dead = id === undefined && now - (issued.get(request) ?? now) > about * 60_000;
        const response = generate(dead ? { ...call, args: { ...args, confirmation_id: 'none' } } : call);
        if (response.body.status === 'confirmation_required') issued.set(request, now);
        return response;
      })(behavior);
    }),
  'lifetime-not-mentioned': defect(`omits the lifetime in the message of ${refusalCodes.confirmationInvalid}`)
    .breaks('confirmations.message-tells-lifetime')
    .by(changing(confirmationInvalid, worded('This confirmation is not valid.'))),
};
