import { must } from '../../../fixtures/requirements/model.ts';
import { missingRefused, refusesField, wrongTypeRefused } from '../../expectations/refuses-field.ts';
import { creating, needs, nowhere } from '../requests/content.ts';
import type { Args } from '../steps.ts';
import { story } from '../story.ts';
import { unknownRefused } from '../workspaces/reach.ts';
import { isAscii, theRequest } from './wrong-arguments.ts';

const dayHint = 'Require a day to be written YYYY-MM-DD and nothing else: anchor the pattern at both ends.';

const holdsDate = (value: unknown) => /\d{4}-\d{2}-\d{2}/.test(String(value));

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
    missingRefused(theRequest, 'format'),
    refusesField({
      ...theRequest,
      id: 'content-requests.format-unknown-refused',
      what: 'an unknown `format`',
      field: 'format',
      ways: ['value'],
      hint: 'Accept only the five formats, exactly as they are spelled.',
    }),
    wrongTypeRefused(theRequest, 'format'),
    missingRefused(theRequest, 'day'),
    refusesField({
      ...theRequest,
      id: 'content-requests.day-pattern-refused',
      what: 'a `day` that is not written YYYY-MM-DD',
      field: 'day',
      ways: ['pattern'],
      hint: dayHint,
      only: (day) => isAscii(day) && !holdsDate(day),
    }),
    refusesField({
      ...theRequest,
      id: 'content-requests.day-anchored-refused',
      what: 'a `day` with text before or after the date',
      field: 'day',
      ways: ['pattern'],
      hint: dayHint,
      only: (day) => isAscii(day) && holdsDate(day),
    }),
    wrongTypeRefused(theRequest, 'day'),
    refusesField({
      ...theRequest,
      id: 'content-requests.unknown-property-refused',
      what: 'an unknown property',
      ending: 'and name the property',
      ways: ['property'],
      hint: 'Refuse every property that the schema does not define, whatever its name and value.',
    }),
    refusesField({
      ...theRequest,
      id: 'content-requests.workspace-empty-refused',
      what: 'an empty `workspace`',
      source: 'content.create_request, request; Limits',
      field: 'workspace',
      ways: ['too-short'],
      hint: 'Require a slug of at least 1 character.',
    }),
    wrongTypeRefused(theRequest, 'workspace'),
    unknownRefused(
      must(
        'content-requests.workspace-unknown-refused',
        'The server MUST refuse a workspace that does not exist.',
        'Authentication, 6',
      ),
      theRequest.tools,
    ),
  ],
});
