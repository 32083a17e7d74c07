import { confirming, dispatchMs, reissuing, secondInRace, slowly } from '../../changes/confirmations.ts';
import { changing, crash, dispatch } from '../../changes/responses.ts';
import { type Deviation, together } from '../../deviation.ts';
import { defect } from '../defect.ts';

const living = (lifetimeSeconds: number): Deviation => confirming(() => ({ lifetimeSeconds }));

/** How long an id lives, and what simultaneous confirmations get. */
export const expiryAndRaceDefects = {
  'confirmation-lives-ten-minutes': defect('lets a confirmation expire after ten minutes')
    .breaks('expiry.alive-at-20-minutes')
    .by(living(600)),
  'confirmation-lives-30-seconds': defect('lets a confirmation expire after 30 seconds')
    .breaks('expiry.alive-at-20-minutes')
    .by(living(30)),
  'confirmation-lives-an-hour': defect('lets a confirmation expire after an hour')
    .breaks('expiry.dead-at-45-minutes', 'confirmations.expired-invalid')
    .by(living(3600)),
  'confirmation-lives-for-ever': defect('never lets a confirmation expire')
    .breaks('expiry.dead-at-45-minutes', 'confirmations.expired-invalid')
    .by(living(Number.MAX_SAFE_INTEGER / 1e6)),
  'confirmation-used-up-later': defect('consumes a confirmation a moment after it checks it')
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
  'second-of-a-race-dispatches': defect('dispatches two simultaneous confirmations')
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
  'race-loser-gets-the-run': defect('returns the run of the first for the second of two simultaneous confirmations')
    .breaks('race.one-dispatches')
    .by(secondInRace((_, first) => first)),
  'race-loser-crashes': defect('fails with a 500 for the second of two simultaneous confirmations')
    .breaks('race.others-invalid', 'envelopes.no-server-error')
    .by(secondInRace(crash)),
};
