import { limits } from '../../../../fixtures/contract/limits.ts';
import type { Call } from '../../../../stub/server/behavior.ts';
import { dayOf } from '../../../../stub/server/state/calendar.ts';
import { both, changing, each, from, invalid, type When } from '../../../../stub/variants/changes/responses.ts';
import type { Deviation } from '../../../../stub/variants/defect.ts';
import { defect } from '../../../../stub/variants/defect.ts';
import { converting, defaulting, firstOfList, ignoring, refusing, taking } from '../../changes/arguments.ts';

const tool = 'content.create_request';
const refused = both(invalid, from(tool));
const about =
  (name: string): When =>
  (response, call) =>
    refused(response, call) && JSON.stringify(response.body.issues).includes(`"${name}"`);
const asPosts = () => 'posts';
const today = ({ state }: Call): string => dayOf(state.clock.now());

const reading = (name: string, convert: (value: unknown) => unknown): Deviation => converting(name, convert, tool);
const reads = (name: string, convert: (text: string) => string): Deviation =>
  reading(name, (value) => (typeof value === 'string' ? convert(value) : value));
const notKnowing = (format: string): Deviation => refusing('format', (value) => value === format, tool);

/** Defects in the arguments of content requests. */
export const requestArgumentDefects = {
  'posts-not-known': defect('rejects the format posts')
    .breaks(
      'content-requests.format-posts',
      'content-requests.created',
      'content-requests.source-of-each-rung',
      'content-requests.works-in-named-workspace',
    )
    .by(notKnowing('posts')),
  'stories-not-known': defect('rejects the format stories')
    .breaks('content-requests.format-stories')
    .by(notKnowing('stories')),
  'shorts-not-known': defect('rejects the format shorts_clips')
    .breaks('content-requests.format-shorts-clips')
    .by(notKnowing('shorts_clips')),
  'long-form-not-known': defect('rejects the format long_form')
    .breaks('content-requests.format-long-form')
    .by(notKnowing('long_form')),
  'articles-filed-as-long-form': defect(
    'creates a piece of the format long_form if the request names the format articles',
  )
    .breaks('content-requests.format-articles')
    .by(reads('format', (format) => (format === 'articles' ? 'long_form' : format))),
  'posts-by-default': defect('uses the format posts if the format is left out')
    .breaks('content-requests.format-missing-refused')
    .by(defaulting('format', asPosts, tool)),
  'format-in-any-case': defect('accepts formats in any letter case')
    .breaks('content-requests.format-unknown-refused')
    .by(reads('format', (format) => format.toLowerCase())),
  'format-trimmed': defect('ignores spaces around a format')
    .breaks('content-requests.format-unknown-refused')
    .by(reads('format', (format) => format.trim())),
  'format-out-of-a-list': defect('accepts an array of formats and uses its first element')
    .breaks('content-requests.format-wrong-type-refused')
    .by(firstOfList('format', tool)),
  'today-by-default': defect('uses today if the day is left out')
    .breaks('content-requests.day-missing-refused')
    .by(defaulting('day', today, tool)),
  'day-read-generously': defect('accepts a day that is written with slashes, or with months and days of one digit')
    .breaks('content-requests.day-pattern-refused')
    .by(
      reads('day', (day) =>
        /^\d{4}[-/]\d{1,2}[-/]\d{1,2}$/.test(day)
          ? day
              .split(/[-/]/)
              .map((part) => part.padStart(2, '0'))
              .join('-')
          : day,
      ),
    ),
  'day-by-number': defect('accepts a number as the day')
    .breaks('content-requests.day-wrong-type-refused')
    .by(reading('day', (day) => (typeof day === 'number' ? '2027-01-05' : day))),
  'shortest-title-refused': defect(`requires titles of at least ${limits.title.least + 1} characters`)
    .breaks('content-requests.title-shortest')
    .by(refusing('title', (title) => String(title ?? 'none').length <= limits.title.least, tool)),
  'longest-title-refused': defect(`refuses a title of ${limits.title.most} characters`)
    .breaks('content-requests.title-longest')
    .by(refusing('title', (title) => String(title ?? 'none').length >= limits.title.most, tool)),
  'title-over-limit-accepted': defect(`accepts a title of ${limits.title.most + 1} characters`)
    .breaks('content-requests.title-too-long-refused')
    .by(ignoring('title', (title) => typeof title === 'string' && title.length === limits.title.most + 1, tool)),
  'long-title-cut': defect(`truncates a long title to ${limits.title.most} characters`)
    .breaks('content-requests.title-too-long-refused')
    .by(reads('title', (title) => title.slice(0, limits.title.most))),
  'title-refusal-names-no-field': defect('sends the path request instead of title in the issue about an invalid title')
    .breaks(
      'content-requests.title-too-long-refused',
      'content-requests.title-empty-refused',
      'content-requests.title-wrong-type-refused',
    )
    .by(
      changing(
        about('title'),
        each('issues', (issue) => ({ ...issue, path: 'request' })),
      ),
    ),
  'unknown-properties-ignored': defect('ignores unknown properties of a content request')
    .breaks('content-requests.unknown-property-refused')
    .by(
      taking(
        ({ format, day, title, workspace }) =>
          Object.fromEntries(
            Object.entries({ format, day, title, workspace }).filter(([, value]) => value !== undefined),
          ),
        tool,
      ),
    ),
};
