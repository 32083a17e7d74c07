import { isClosed } from '../rate-limit/limited.ts';
import { search } from '../requests/library.ts';
import { readAll } from '../requests/read-all.ts';
import { story } from '../story.ts';

/** Days until a week for which probably nothing is planned. */
const daysLater = 22;

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
  },
  alsoTests: ['schedule.days-consecutive', 'library.empty-query-finds'],
});
