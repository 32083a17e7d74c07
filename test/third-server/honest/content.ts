import {
  all,
  alsoRefuses,
  counter,
  creates,
  declined,
  declines,
  declinesAfter,
  onAnswer,
  onSuccess,
} from '../changes.ts';
import type { Deployments } from '../deployment.ts';
import type { Call, Fields } from '../model.ts';
import { dateOf } from '../reading.ts';
import { step } from '../steps.ts';

const dayLength = 86_400_000;
const timeOf = ({ args }: Call): number => Date.parse(`${args.day}T00:00:00Z`);
const month = (time: number): number => new Date(time).getUTCMonth();
const titleOf = ({ args }: Call): string => String(args.title ?? '');
/** Returns a name for the pieces of a workspace with equal properties. */
const piece = (c: Call, ...properties: unknown[]): string | undefined =>
  creates(c) ? [c.at.slug, ...properties].join(' ') : undefined;
const textOf = (c: Call): string => `${titleOf(c)}${c.args.brief ?? ''}`;

/** Declines content requests. */
const declinesPiece = (code: string, applies: (c: Call) => boolean) => declines(code, (c) => creates(c) && applies(c));
const onPiece = (change: (body: Fields) => void) => onSuccess('content.create_request', change);

/** Deployments that decline days, titles, formats and words, or with unusual schedules, dates, IDs and searches. */
export const contentDeployments: Deployments = {
  'open-on-two-days': { steps: declinesPiece('day_closed', (c) => ![0, 4].includes(new Date(timeOf(c)).getUTCDay())) },
  'horizon-of-a-week': { steps: declinesPiece('day_too_far', (c) => timeOf(c) - c.now > 7 * dayLength) },
  'this-month-only': { steps: declinesPiece('not_open_yet', (c) => month(timeOf(c)) !== month(c.now)) },
  'clock-ahead-by-a-year': { steps: declinesPiece('day_past', (c) => timeOf(c) < c.now + 365 * dayLength) },
  'full-days': { steps: declinesAfter(4, 'day_full', (c) => piece(c, c.args.day)) },
  'one-piece-of-a-format-a-day': { steps: declinesAfter(1, 'day_taken', (c) => piece(c, c.args.day, c.args.format)) },
  'title-told-once': {
    steps: declinesAfter(1, 'duplicate_title', (c) => (c.args.title === undefined ? undefined : piece(c, titleOf(c)))),
  },
  'quota-of-five-pieces': { steps: declinesAfter(5, 'quota_reached', (c) => (creates(c) ? 'any' : undefined)) },
  'creating-after-maintenance': {
    steps: step('create', (next) => {
      const count = counter();
      return async (c) => (count('any') <= 3 ? declined('starting') : next(c));
    }),
  },
  'titles-are-read': { steps: declinesPiece('title_rejected', (c) => /^(.)\1{9,}$/.test(titleOf(c))) },
  'titles-of-robots': { steps: declinesPiece('spam', (c) => /^tck /.test(titleOf(c))) },
  'titles-wanted': { steps: declinesPiece('title_wanted', (c) => c.args.title === undefined) },
  'words-in-latin': { steps: declines('language', (c) => /[^\x20-\x7e]/.test(`${textOf(c)}${c.args.query ?? ''}`)) },
  'posts-off': { steps: declinesPiece('feature_off', (c) => c.args.format === 'posts') },
  'content-requests-off': { steps: declinesPiece('feature_off', () => true) },
  'time-not-settled': {
    steps: onPiece((body) => Object.assign(body, { scheduled_for: null, week_block_id: 'block/2027?w=10' })),
  },
  'times-with-fraction-and-offset': {
    steps: onPiece((body) => {
      const time = Date.parse(String(body.scheduled_for)) - dayLength;
      body.scheduled_for = new Date(time).toISOString().replace('Z', '001+00:00');
    }),
  },
  'week-from-sunday': {
    steps: onSuccess('schedule.read', (body) => {
      const days = (body.days as string[]).map((day) => dateOf(Date.parse(day) - dayLength));
      Object.assign(body, { days, week_start: days[0], rows: ['a', 1, null], pieces: [{ state: 'x' }] });
    }),
  },
  'schedule-of-five-days': {
    steps: all(
      onSuccess('schedule.read', (body) => {
        body.days = (body.days as string[]).slice(0, 5);
        body.meta_line = '';
      }),
      onAnswer('run', ({ body }) => {
        if (body.working_in !== undefined) Object.assign(body.working_in as Fields, { label: '', note: '' });
      }),
    ),
  },
  'status-needs-a-state': {
    steps: alsoRefuses('state', (value, { tool }) => tool === 'content.status' && value === undefined),
  },
};
