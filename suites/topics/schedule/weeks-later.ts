import { resolvingRoles } from '../../expectations/answers.ts';
import { isClosed } from '../rate-limit/limited.ts';
import { search } from '../requests/library.ts';
import { readAll } from '../requests/read-all.ts';
import { story } from '../story.ts';

/** Days until a week for which probably nothing is planned. */
const daysLater = 22;

/** Readings at other times, which together meet each part of a week, and the end of a month. */
const readings = 12;
const hoursBetween = 58;

/**
 * Reads in a later week, if the kit can advance the clock: the week can be empty, and nothing is recent any more. Runs
 * at the end, because keys may expire.
 */
export const weeksLater = story('weeks later', {
  turn: 'end',
  steps: async (t) => {
    if (t.target.clock === undefined) return;
    await t.elapse(daysLater * 24 * 60 * 60, `${daysLater} days`);
    if (isClosed(await t.send('check the key', { tool: 'schedule.read', args: t.here(), odd: true }))) return;
    await t.send('search for words', search(t, 'a'));
    await readAll(t, 'read', t.here());
    // The days of a week may be wrong at the end of a month or a year, or while two time zones have different dates.
    const roles = ['primary', ...t.present(resolvingRoles)] as const;
    for (let count = 0; count < readings; count += 1) {
      await t.elapse(hoursBetween * 60 * 60, `${hoursBetween} hours`);
      const as = roles[count % roles.length] ?? 'primary';
      const args = as === 'primary' ? t.here() : {};
      if (isClosed(await t.send('read later', { tool: 'schedule.read', args, as }))) return;
    }
  },
  alsoTests: ['schedule.days-consecutive', 'library.empty-query-finds'],
});
