import { type Change, declines, onSuccess } from '../changes.ts';
import type { Deployment } from '../deployment.ts';
import type { Call } from '../model.ts';
import { around, step } from '../steps.ts';

const dayLength = 86_400_000;
const creates = ({ tool }: Call): boolean => tool === 'content.create_request';
const weekday = ({ args }: Call): number => new Date(`${args.day}T00:00:00Z`).getUTCDay();
const ahead = ({ args, now }: Call): number => (Date.parse(`${args.day}T00:00:00Z`) - now) / dayLength;
const titleOf = ({ args }: Call): string => String(args.title ?? '');

const closed = (...days: number[]): Change => declines('day_closed', (c) => creates(c) && days.includes(weekday(c)));

const _nothingCreated = [
  'content-requests.*',
  'bodies.create-request',
  'workspaces.ambiguous-create-request',
  'arguments.valid-never-refused',
] as const;

/** Deployments that decline days, titles and formats, or that have unusual dates and IDs. */
export const contentDeployments: Deployment[] = [
  { id: 'open-on-two-days', sentence: 'Only Thursdays and Sundays are open.', steps: closed(1, 2, 3, 5, 6) },
  {
    id: 'horizon-of-a-week',
    sentence: 'Days more than a week ahead are not open yet.',
    steps: declines('day_too_far', (c) => creates(c) && ahead(c) > 7),
  },
  {
    id: 'horizon-of-a-week-without-weekends',
    sentence: 'Only working days of the next week are open.',
    steps: declines('day_closed', (c) => creates(c) && (ahead(c) > 7 || [0, 6].includes(weekday(c)))),
  },
  {
    id: 'full-days',
    sentence: 'A day of a workspace is full after four pieces.',
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
  {
    id: 'titles-are-read',
    sentence: 'Titles of one repeated letter are declined as nonsense.',
    steps: declines('title_rejected', (c) => creates(c) && /^(.)\1{9,}$/.test(titleOf(c))),
  },
  {
    id: 'titles-wanted',
    sentence: 'Requests without a title are declined by a rule of the house.',
    steps: declines('title_wanted', (c) => creates(c) && c.args.title === undefined),
  },
  {
    id: 'long-form-off',
    sentence: 'The format `long_form` is not part of the plan.',
    steps: declines('feature_off', (c) => creates(c) && c.args.format === 'long_form'),
  },
  {
    id: 'posts-off',
    sentence: 'The format `posts` is not part of the plan.',
    steps: declines('feature_off', (c) => creates(c) && c.args.format === 'posts'),
    // The specification promises the creation of content requests only for posts.
  },
  {
    id: 'content-requests-off',
    sentence: 'Content requests are not part of the plan.',
    steps: declines('feature_off', creates),
  },
  {
    id: 'time-not-settled',
    sentence: 'Times and blocks are never settled at once.',
    steps: onSuccess('content.create_request', (body) => {
      body.scheduled_for = null;
      body.week_block_id = 'block/2027?w=10';
    }),
  },
  {
    id: 'times-with-fraction-and-offset',
    sentence: 'Times carry microseconds and the offset `+00:00`, and lie on the day before.',
    steps: onSuccess('content.create_request', (body) => {
      const time = Date.parse(String(body.scheduled_for)) - dayLength;
      body.scheduled_for = new Date(time).toISOString().replace('Z', '001+00:00');
    }),
  },
  {
    id: 'week-from-sunday',
    sentence: 'Weeks begin on Sunday, and rows hold texts.',
    steps: onSuccess('schedule.read', (body) => {
      const days = (body.days as string[]).map((day) => shifted(day));
      Object.assign(body, { days, week_start: days[0], rows: ['a', 1, null], pieces: [{ state: 'x' }] });
    }),
  },
  {
    id: 'status-needs-a-state',
    sentence: '`content.status` cannot be called without an argument of its own.',
    steps: step('check', (next) => (c) => {
      const lacks = c.tool === 'content.status' && c.args.state === undefined;
      return lacks ? [...next(c), { path: 'state', message: 'is required' }] : next(c);
    }),
  },
];

const shifted = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - dayLength).toISOString().slice(0, 10);
