import { limits } from '../../../../fixtures/contract/limits.ts';
import type { ToolCall } from '../../../../stub/server/behavior.ts';
import type { Confirmation } from '../../../../stub/server/state/state.ts';
import { type Deviation, defect, together } from '../../../../stub/variants/defect.ts';
import {
  confirming,
  dispatchMs,
  issueAgain,
  issuingUntilUsed,
  reissuing,
  secondInRace,
  slowly,
} from '../../changes/confirmations.ts';
import { afterTool, changing, dispatch } from '../../changes/responses.ts';

const { about } = limits.confirmation;

/** Does something when an expired ID is presented. */
const atExpired = (act: (call: ToolCall<'images.generate'>, held: Confirmation) => void): Deviation =>
  confirming(({ accepts, lifetimeSeconds }) => ({
    accepts: (held, call) => {
      if (call.state.clock.now() - held.issuedAt > lifetimeSeconds * 1000) act(call, held);
      return accepts(held, call);
    },
  }));

/** Starts the lifetime of all open IDs of the account again. */
function renewAll({ state, account }: Pick<ToolCall<'images.generate'>, 'state' | 'account'>): void {
  for (const held of [...state.confirmations.values()])
    if (held.account === account.id) state.confirmations.set(held.id, { ...held, issuedAt: state.clock.now() });
}

const living = (lifetimeSeconds: number): Deviation => confirming(() => ({ lifetimeSeconds }));

/** Defects in the lifetime of IDs and in simultaneous confirmations. */
export const expiryAndRaceDefects = {
  'confirmation-lives-too-long': defect(`expires a confirmation ID after ${about * 2} minutes`)
    .breaks('expiry.dead-late', 'confirmations.expired-invalid')
    .by(living(about * 2 * 60)),
  'confirmation-lives-for-other-keys': defect('checks the lifetime of a confirmation ID only for the key that proposed')
    .breaks('expiry.dead-late')
    .by(
      confirming(({ accepts }) => ({
        accepts: (held, call) =>
          accepts(held.role === call.key.role ? held : { ...held, issuedAt: call.state.clock.now() }, call),
      })),
    ),
  'dispatch-renews-other-ids': defect('starts the lifetime of all open IDs again when it dispatches one of them')
    .breaks('expiry.dead-late', 'confirmations.expired-invalid')
    .by(
      afterTool('images.generate', ({ body }, call) => {
        if (body.status === 'dispatched') renewAll(call);
      }),
    ),
  'reading-renews-ids': defect('starts the lifetime of all open IDs again when a key reads the schedule')
    .breaks('expiry.dead-late', 'confirmations.expired-invalid')
    .by(afterTool('schedule.read', (_, call) => renewAll(call))),
  // No other defect makes an expired ID end others, although others break these requirements.
  'expired-id-ends-others': defect('forgets all confirmation IDs when an expired one is presented')
    .breaks('confirmations.dispatched', 'confirmations.recovery', 'expiry.alive-early')
    .by(atExpired(({ state }) => state.confirmations.clear())),
  'expired-id-revived': defect('renews an expired confirmation ID that is presented with another count')
    .breaks('confirmations.expired-invalid', 'expiry.dead-late')
    .by(
      atExpired(({ state, args }, held) => {
        if (args.count !== held.request.count) issueAgain(state, { ...held, issuedAt: state.clock.now() });
      }),
    ),
  'expired-id-issued-again': defect('issues an expired confirmation ID again for an equal request')
    .breaks('confirmations.recovery', 'confirmations.dispatched')
    .by(issuingUntilUsed),
  'confirmation-used-up-later': defect('consumes a confirmation ID a moment after it checks the ID')
    .breaks('race.one-dispatches')
    .by(
      together(
        confirming(({ consume }) => ({
          consume: (store, held) => {
            setTimeout(() => consume(store, held), dispatchMs);
          },
        })),
        changing(dispatch, slowly),
      ),
    ),
  'second-of-a-race-dispatches': defect('dispatches both of two simultaneous confirmations')
    .breaks('race.one-dispatches')
    .by(reissuing((times, sameMoment) => times === 1 && sameMoment)),
  'race-loser-told-to-wait': defect('returns confirmation_in_use for the second of two simultaneous confirmations')
    .breaks('race.others-invalid')
    .by(
      secondInRace((response) => ({
        ...response,
        body: { ok: false, code: 'confirmation_in_use', message: 'Somebody else is confirming this. Wait a moment.' },
      })),
    ),
  'race-loser-with-another-key-gets-the-run': defect(
    'returns the run of the first of two simultaneous confirmations for the second one, if another key presents it',
  )
    .breaks('race.one-dispatches', 'confirmations.charges-add-up')
    .by(secondInRace((response, first, { key }) => (key.role === 'primary' ? response : first))),
  'race-loser-gets-the-run': defect('returns the run of the first of two simultaneous confirmations for both')
    .breaks('race.one-dispatches', 'confirmations.charges-add-up')
    .by(secondInRace((_, first) => first)),
};
