import { isKeyRefused } from '../../history/exchange.ts';
import { search } from '../requests/library.ts';
import { readAll } from '../requests/read-all.ts';
import type { Steps } from '../steps.ts';
import { story } from '../story.ts';

/** Days until a week for which probably nothing is planned. */
const daysLater = 22;

const dayMs = 24 * 60 * 60_000;

/** Returns the Sunday in a month: the first one from a day on, in UTC. */
function sunday(year: number, month: number, from: number): number {
  const start = Date.UTC(year, month, from);
  return start + ((7 - new Date(start).getUTCDay()) % 7) * dayMs;
}

/** Returns the Sundays on which clocks change in the United States and in the European Union. */
const clockChanges = (year: number) => [
  sunday(year, 2, 8),
  sunday(year, 2, 25),
  sunday(year, 9, 25),
  sunday(year, 10, 1),
];

/** Hours around a change: the week before, in which weeks from Monday contain it, and the week after. */
const hoursAround = [-75, 50];

/** Returns times within a year at which the days of a week may be wrong: at clock changes, and at New Year. */
export function timesOfChanges(from: number): number[] {
  const year = new Date(from).getUTCFullYear();
  const changes = [year, year + 1].flatMap((each) => [...clockChanges(each), Date.UTC(each, 0, 1)]);
  return changes
    .flatMap((at) => hoursAround.map((hours) => at + hours * 60 * 60_000))
    .filter((at) => at > from && at < from + 366 * dayMs)
    .toSorted((one, other) => one - other);
}

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
    const { receivedAt, clockMoved } = await t.send('search for words', search(t, 'a'));
    await readAll(t, 'read', t.here());
    let now = t.deployment.startedAt + receivedAt + clockMoved;
    for (const at of timesOfChanges(now)) {
      await t.elapse(Math.round((at - now) / 1000), 'a later time of the year');
      now = at;
      if (isKeyRefused(await t.send('read later', { tool: 'schedule.read', args: t.here() }))) return;
    }
  },
  alsoTests: ['schedule.days-consecutive', 'library.empty-query-finds'],
});
