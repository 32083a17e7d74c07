import { limits } from '../../../fixtures/contract/limits.ts';
import type { Issue } from '../answers.ts';
import type { Deviation } from '../deviation.ts';
import type { Call, Fields } from '../model.ts';
import { around, type Steps } from '../steps.ts';
import { onSuccess } from './repetition.ts';

/** Adds issues for values that are valid. */
function refuses(path: string, bad: (value: string, call: Call) => boolean): (steps: Steps) => void {
  return (steps) =>
    around(steps, 'check', (next) => (c) => {
      const value = c.args[path];
      const issue: Issue = { path, message: 'is not acceptable' };
      return typeof value === 'string' && bad(value, c) ? [...next(c), issue] : next(c);
    });
}

/** Changes arguments before they are checked. */
export function mends(change: (args: Fields, tool: string) => void): (steps: Steps) => void {
  return (steps) =>
    around(steps, 'check', (next) => (c) => {
      change(c.args, c.tool);
      return next(c);
    });
}

const created =
  (more: Fields, ok: boolean): Deviation['probe'] =>
  async (p) =>
    (await p.create('primary', more)).ok === ok;

const { most } = limits.title;
const valid = 'arguments.valid-never-refused';

/** Deviations of values in the allowed range and just outside it. */
export const byValue: Deviation[] = [
  {
    id: 'title-counted-in-bytes',
    sentence: 'The length of a title is counted in bytes.',
    breaks: [valid, 'content-requests.title-longest', 'content-requests.created'],
    steps: refuses('title', (title) => Buffer.byteLength(title) > most && title.length <= most),
    probe: created({ title: 'é'.repeat(most * 0.75) }, false),
  },
  {
    id: 'title-of-spaces-refused',
    sentence: 'A title that holds nothing but white space is refused as empty.',
    breaks: [valid, 'content-requests.title-shortest', 'content-requests.created'],
    steps: refuses('title', (title) => title.trim() === '' && title !== ''),
    probe: created({ title: ' ' }, false),
  },
  {
    id: 'title-near-limit-refused',
    sentence: `Titles of ${most - 8} to ${most - 1} characters are refused.`,
    breaks: [valid, 'content-requests.title-longest', 'content-requests.created'],
    steps: refuses('title', ({ length }) => length >= most - 8 && length < most),
    probe: created({ title: 'x'.repeat(most - 5) }, false),
  },
  {
    id: 'title-trimmed-before-longest',
    sentence: `A title of ${most + 1} characters with a space at its end is accepted.`,
    breaks: ['content-requests.title-too-long-refused'],
    steps: mends((args) => {
      if (typeof args.title === 'string' && args.title.length > most) args.title = args.title.trim();
    }),
    probe: created({ title: `${'x'.repeat(most)} ` }, true),
  },
  {
    id: 'sunday-in-local-time',
    sentence: 'On Sundays `scheduled_for` carries the offset of the office.',
    breaks: ['content-requests.scheduled-for-utc'],
    steps: (s) =>
      onSuccess(s, 'content.create_request', (body) => {
        const time = String(body.scheduled_for);
        if (new Date(time).getUTCDay() === 0) body.scheduled_for = time.replace('Z', '+02:00');
      }),
    probe: async (p) =>
      String((await p.create('primary', { day: '2027-03-14' })).body.scheduled_for).endsWith('+02:00'),
  },
  {
    id: 'far-day-without-time',
    sentence: 'More than 60 days ahead `scheduled_for` is a date only.',
    breaks: ['content-requests.scheduled-for-utc'],
    steps: (s) =>
      onSuccess(s, 'content.create_request', (body) => {
        const time = String(body.scheduled_for);
        if (Date.parse(time) - Date.now() > 60 * 86_400_000) body.scheduled_for = time.slice(0, 10);
      }),
    probe: async (p) => String((await p.create('primary', { day: '2027-09-14' })).body.scheduled_for) === '2027-09-14',
  },
  {
    id: 'day-lines-taken',
    sentence: 'A date on a line of its own is found in a longer `day`.',
    breaks: ['content-requests.day-anchored-refused'],
    steps: mends((args) => {
      const found = /^\d{4}-\d{2}-\d{2}$/m.exec(String(args.day ?? ''))?.[0];
      if (found !== undefined) args.day = found;
    }),
    probe: created({ day: '2027-03-10\nor later' }, true),
  },
  {
    id: 'day-with-time-taken',
    sentence: 'A `day` with a time of day is accepted.',
    breaks: ['content-requests.day-anchored-refused', 'content-requests.day-pattern-refused'],
    steps: mends((args) => {
      if (/^\d{4}-\d{2}-\d{2}T/.test(String(args.day ?? ''))) args.day = String(args.day).slice(0, 10);
    }),
    probe: created({ day: '2027-03-10T08:00:00Z' }, true),
  },
  {
    id: 'format-in-any-case',
    sentence: 'A format is taken in any case.',
    breaks: ['content-requests.format-unknown-refused'],
    steps: mends((args) => {
      if (typeof args.format === 'string') args.format = args.format.toLowerCase();
    }),
    probe: created({ format: 'Posts' }, true),
  },
  {
    id: 'format-trimmed',
    sentence: 'White space around a format is dropped.',
    breaks: ['content-requests.format-unknown-refused'],
    steps: mends((args) => {
      if (typeof args.format === 'string') args.format = args.format.trim();
    }),
    probe: created({ format: 'posts ' }, true),
  },
  {
    id: 'unknown-null-property-taken',
    sentence: 'A property that the request does not have is accepted while its value is null.',
    breaks: ['content-requests.unknown-property-refused'],
    steps: mends((args, tool) => {
      if (tool !== 'content.create_request') return;
      for (const [name, value] of Object.entries(args))
        if (value === null && !['day', 'format'].includes(name)) delete args[name];
    }),
    probe: created({ platform: null }, true),
  },
];
