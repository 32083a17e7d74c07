import { row } from '../../model/row.ts';
import { argumentIds } from '../../model/rows/arguments.ts';
import { creating, needs, nowhere } from '../requests/content.ts';
import type { Args } from '../steps.ts';
import { story } from '../story.ts';
import { refusesUnknown } from '../workspaces/reach.ts';

const wrongFormats = [
  ...[undefined, null, 5, ['posts']],
  ...['reels', 'Posts', '', 'post', ' posts', 'posts ', 'long-form', 'constructor'],
];

const wrongDays: readonly unknown[] = [
  ...[undefined, null, 20270105, ['2027-01-05']],
  ...['tomorrow', '', '2027-1-05', '2027/01/05', '20270105', '05-01-2027'],
];

/** An accepted day with additional characters before or after it. */
const wrapped = (day: unknown) => [
  `${day}T09:00:00Z`,
  `${day} `,
  ` ${day}`,
  `x${day}`,
  `1${day}`,
  `${day}0`,
  `${day}\nx`,
];

/** Whether this story sends the value in place of the accepted day. */
export const isWrongDay = (day: unknown, value: unknown) => [...wrongDays, ...wrapped(day)].includes(value);

/** Unknown properties: invented ones, those of other tools, and those that every object inherits. */
const unknownProperties: readonly Args[] = [
  { tck_unknown: { at: { hour: 9 } } },
  { time: '09:00', title: undefined },
  { tck_unknown: null },
  { confirmation_id: 'x' },
  { constructor: 'x' },
  { _tck: 'x' },
  { 'x-tck': 'x' },
];

export const wrongRequests = story('content requests with invalid arguments', {
  needs,
  steps: async (t) => {
    const { day, workspace } = t.contentRequest();
    for (const format of wrongFormats) await t.send('create with an invalid format', creating(t, { format }));
    for (const wrong of [...wrongDays, ...wrapped(day)]) {
      await t.send('create with an invalid day', creating(t, { day: wrong }));
    }
    for (const change of unknownProperties) await t.send('create with an unknown property', creating(t, change));
    for (const wrong of ['', 0, [workspace ?? 'main']]) {
      await t.send('create with an invalid workspace', creating(t, { workspace: wrong }));
    }
    await t.send('create in a workspace that does not exist', nowhere(t));
  },
  requirements: [
    row('content-requests.workspace-unknown-refused', {
      must: 'The server MUST refuse a workspace that does not exist.',
      source: 'Authentication, 6',
      ...refusesUnknown('content.create_request'),
    }),
  ],
  alsoTests: argumentIds('content.create_request', 'format', 'day', 'workspace', 'unknown property'),
});
