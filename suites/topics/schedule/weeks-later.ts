import { isKeyRefused } from '../../history/exchange.ts';
import { search } from '../requests/library.ts';
import { readAll } from '../requests/read-all.ts';
import type { Steps } from '../steps.ts';
import { story } from '../story.ts';

/** Days until a week for which probably nothing is planned. */
const daysLater = 22;

/** Readings at other times, at regular distances over the hours of a week, which also meet the end of a month. */
const readings = 11;
const weeksOfReadings = 4;
const secondsBetween = Math.round((weeksOfReadings * 7 * 24 * 60 * 60) / readings);

/** Reads with a key that resolves to a workspace, because a server may forget a default or a pin. */
async function readUnnamed(t: Steps): Promise<void> {
  const [as] = t.present(['defaulted', 'pinned']);
  if (as === undefined) return;
  const asked = { tool: 'schedule.read', args: {}, as };
  if (isKeyRefused(await t.send('check another key', { ...asked, odd: true }))) return;
  await t.send('read without naming a workspace', asked);
}

/**
 * Reads in a later week, if the kit can advance the clock: the week can be empty, and nothing is recent any more. Runs
 * at the end, because keys may expire.
 */
export const weeksLater = story('weeks later', {
  turn: 'end',
  steps: async (t) => {
    if (t.target.clock === undefined) return;
    await t.elapse(daysLater * 24 * 60 * 60, `${daysLater} days`);
    await readUnnamed(t);
    if (isKeyRefused(await t.send('check the key', { tool: 'schedule.read', args: t.here(), odd: true }))) return;
    await t.send('search for words', search(t, 'a'));
    await readAll(t, 'read', t.here());
    // The days of a week may be wrong at the end of a month or a year, or while two time zones have different dates.
    for (let count = 1; count <= readings; count += 1) {
      await t.elapse(secondsBetween, 'a later time of a week');
      if (isKeyRefused(await t.send('read later', { tool: 'schedule.read', args: t.here() }))) return;
    }
  },
  alsoTests: ['schedule.days-consecutive', 'library.empty-query-finds'],
});
