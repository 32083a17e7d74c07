import { type Change, declines, onSuccess } from '../changes.ts';
import type { Deployments } from '../deployment.ts';
import type { Call } from '../model.ts';
import { around, step } from '../steps.ts';

const dayLength = 86_400_000;
const creates = ({ tool }: Call): boolean => tool === 'content.create_request';
const weekday = ({ args }: Call): number => new Date(`${args.day}T00:00:00Z`).getUTCDay();
const ahead = ({ args, now }: Call): number => (Date.parse(`${args.day}T00:00:00Z`) - now) / dayLength;
const titleOf = ({ args }: Call): string => String(args.title ?? '');

const closed = (...days: number[]): Change => declines('day_closed', (c) => creates(c) && days.includes(weekday(c)));

/** Deployments that decline days, titles and formats, or that have unusual dates and IDs. */
export const contentDeployments: Deployments = {
  'open-on-two-days': { steps: closed(1, 2, 3, 5, 6) },
  'horizon-of-a-week': { steps: declines('day_too_far', (c) => creates(c) && ahead(c) > 7) },
  'full-days': {
    steps: (s) => {
      const taken = new Map<string, number>();
      declines('day_full', (c) => creates(c) && (taken.get(`${c.at.slug} ${c.args.day}`) ?? 0) >= 4)(s);
      around(s, 'create', (next) => (c) => {
        const name = `${c.at.slug} ${c.args.day}`;
        taken.set(name, (taken.get(name) ?? 0) + 1);
        return next(c);
      });
    },
  },
  'titles-are-read': { steps: declines('title_rejected', (c) => creates(c) && /^(.)\1{9,}$/.test(titleOf(c))) },
  'titles-wanted': { steps: declines('title_wanted', (c) => creates(c) && c.args.title === undefined) },
  'posts-off': {
    steps: declines('feature_off', (c) => creates(c) && c.args.format === 'posts'),
  },
  'content-requests-off': { steps: declines('feature_off', creates) },
  'time-not-settled': {
    steps: onSuccess('content.create_request', (body) => {
      body.scheduled_for = null;
      body.week_block_id = 'block/2027?w=10';
    }),
  },
  'times-with-fraction-and-offset': {
    steps: onSuccess('content.create_request', (body) => {
      const time = Date.parse(String(body.scheduled_for)) - dayLength;
      body.scheduled_for = new Date(time).toISOString().replace('Z', '001+00:00');
    }),
  },
  'week-from-sunday': {
    steps: onSuccess('schedule.read', (body) => {
      const days = (body.days as string[]).map((day) => shifted(day));
      Object.assign(body, { days, week_start: days[0], rows: ['a', 1, null], pieces: [{ state: 'x' }] });
    }),
  },
  'status-needs-a-state': {
    steps: step('check', (next) => (c) => {
      const lacks = c.tool === 'content.status' && c.args.state === undefined;
      return lacks ? [...next(c), { path: 'state', message: 'is required' }] : next(c);
    }),
  },
};

const shifted = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - dayLength).toISOString().slice(0, 10);
