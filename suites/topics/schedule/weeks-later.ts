import { search } from '../requests/library.ts';
import { readAll } from '../requests/read-all.ts';
import { story } from '../story.ts';

/** Days between the readings: a week that has not begun yet, and one for which probably nothing is planned. */
const pauses = [8, 14];

/** Statuses of a key that has expired meanwhile. */
const closed = [401, 403];

/**
 * Reads in later weeks, if the kit can advance the clock: a week can be empty, and what was recent no longer is. Runs at
 * the end, because keys may expire.
 */
export const weeksLater = story('weeks later', {
  turn: 'end',
  steps: async (t) => {
    if (t.target.clock === undefined) return;
    for (const days of pauses) {
      await t.elapse(days * 24 * 60 * 60, `${days} days`);
      const { response } = await t.send('check the key', { tool: 'schedule.read', args: t.here(), odd: true });
      if (closed.includes(response.status)) return;
      await t.send('search for words', search(t, 'a'));
      await readAll(t, 'read', t.here());
    }
  },
  alsoTests: ['schedule.days-consecutive', 'library.empty-query-finds'],
});
