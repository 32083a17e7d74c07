import { confirming, dispatchMs, reissuing, secondInRace, slowly } from '../../changes/confirmations.ts';
import { changing, crash, dispatch } from '../../changes/responses.ts';
import { type Deviation, together } from '../../deviation.ts';
import { defect } from '../defect.ts';

const living = (lifetimeSeconds: number): Deviation => confirming(() => ({ lifetimeSeconds }));

/** How long an id lives, and what simultaneous confirmations get. */
export const expiryAndRaceDefects = {
  'confirmation-lives-ten-minutes': defect('lets a confirmation die after ten minutes')
    .breaks('expiry.alive-at-20-minutes')
    .by(living(600)),
  'confirmation-lives-30-seconds': defect('counts the life of a confirmation in seconds where minutes are meant')
    .breaks('expiry.alive-at-20-minutes')
    .by(living(30)),
  'confirmation-lives-an-hour': defect('lets a confirmation live for an hour')
    .breaks('expiry.dead-at-45-minutes', 'confirmations.expired-invalid')
    .by(living(3600)),
  'confirmation-lives-for-ever': defect('never looks at the age of a confirmation')
    .breaks('expiry.dead-at-45-minutes', 'confirmations.expired-invalid')
    .by(living(Number.MAX_SAFE_INTEGER / 1e6)),
  'confirmation-used-up-later': defect('notes a moment too late that a confirmation has been used')
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
  'second-of-a-race-dispatches': defect('lets two simultaneous confirmations through')
    .breaks('race.one-dispatches')
    .by(reissuing((times, sameMoment) => times === 1 && sameMoment)),
  'race-loser-told-to-wait': defect('tells who comes second in a race that the confirmation is in use')
    .breaks('race.others-invalid')
    .by(
      secondInRace((response) => ({
        ...response,
        body: { ok: false, code: 'confirmation_in_use', message: 'Somebody else is confirming this. Wait a moment.' },
      })),
    ),
  'race-loser-gets-the-run': defect('answers who comes second in a race with the run of the first')
    .breaks('race.one-dispatches')
    .by(secondInRace((_, first) => first)),
  'race-loser-crashes': defect('fails with a 500 for who comes second in a race, on a constraint of its database')
    .breaks('race.others-invalid', 'envelopes.no-server-error')
    .by(secondInRace(crash)),
};
