import { formats } from '../../../../fixtures/contract/enums.ts';
import { limits } from '../../../../fixtures/contract/limits.ts';
import type { Call } from '../../../server/behavior.ts';
import { dayOf } from '../../../server/state/calendar.ts';
import {
  byNumber,
  converting,
  defaulting,
  firstOfList,
  ignoring,
  outOfList,
  refusing,
  taking,
} from '../../changes/arguments.ts';
import { type Body, both, changing, each, field, from, invalid, result, type When } from '../../changes/responses.ts';
import { namingUnknown, openTo, toDefault } from '../../changes/workspaces.ts';
import type { Deviation } from '../../deviation.ts';
import { defect } from '../defect.ts';

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

/** Removes some unknown properties. */
const overlooking = (when: (name: string, value: unknown, args: Body) => boolean): Deviation =>
  taking(
    (args) =>
      Object.fromEntries(
        Object.entries(args).filter(([name, value]) => own.includes(name) || !when(name, value, args)),
      ),
    tool,
  );
const own = ['format', 'day', 'title', 'workspace'];

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
  'articles-not-known': defect('rejects the format articles')
    .breaks('content-requests.format-articles')
    .by(notKnowing('articles')),
  'format-told-with-dash': defect('writes formats with hyphens instead of underscores in the response')
    .breaks('content-requests.format-shorts-clips', 'content-requests.format-long-form')
    .by(
      changing(
        result(tool),
        field('format', (format) => String(format).replace('_', '-')),
      ),
    ),
  'articles-filed-as-long-form': defect(
    'creates a piece of the format long_form if the request names the format articles',
  )
    .breaks('content-requests.format-articles')
    .by(reads('format', (format) => (format === 'articles' ? 'long_form' : format))),
  'posts-by-default': defect('uses the format posts if the format is left out')
    .breaks('content-requests.format-missing-refused')
    .by(defaulting('format', asPosts, tool)),
  'unknown-format-is-posts': defect('uses the format posts if the format is unknown')
    .breaks('content-requests.format-unknown-refused')
    .by(reads('format', (format) => (formats.some((known) => known === format) ? format : 'posts'))),
  'format-in-any-case': defect('accepts formats in any letter case')
    .breaks('content-requests.format-unknown-refused')
    .by(reads('format', (format) => format.toLowerCase())),
  'format-found-in-any-object': defect(
    'accepts built-in property names of JavaScript objects, such as constructor, as formats',
  )
    .breaks('content-requests.format-unknown-refused')
    .by(reads('format', (format) => (format in {} ? 'posts' : format))),
  'format-in-the-singular': defect('accepts post as the format posts')
    .breaks('content-requests.format-unknown-refused')
    .by(reads('format', (format) => (format === 'post' ? 'posts' : format))),
  'format-trimmed': defect('ignores spaces around a format')
    .breaks('content-requests.format-unknown-refused')
    .by(reads('format', (format) => format.trim())),
  'format-with-dash': defect('accepts long-form as the format long_form')
    .breaks('content-requests.format-unknown-refused')
    .by(reads('format', (format) => format.replaceAll('-', '_'))),
  'empty-format-is-posts': defect('uses the format posts if the format is empty')
    .breaks('content-requests.format-unknown-refused')
    .by(reads('format', (format) => format || 'posts')),
  'format-out-of-a-list': defect('accepts an array of formats and uses its first element')
    .breaks('content-requests.format-wrong-type-refused')
    .by(firstOfList('format', tool)),
  'format-by-number': defect('accepts a number as the format')
    .breaks('content-requests.format-wrong-type-refused')
    .by(reading('format', (format) => (typeof format === 'number' ? 'posts' : format))),
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
  'day-without-dashes': defect('accepts a day that is written as eight digits without hyphens')
    .breaks('content-requests.day-pattern-refused')
    .by(reads('day', (day) => day.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3'))),
  'empty-day-is-today': defect('treats an empty day as today')
    .breaks('content-requests.day-pattern-refused')
    .by(taking((args, call) => (args.day === '' ? { ...args, day: today(call) } : args), tool)),
  'day-in-words': defect('accepts the word tomorrow as the day')
    .breaks('content-requests.day-pattern-refused')
    .by(taking((args, call) => (args.day === 'tomorrow' ? { ...args, day: today(call) } : args), tool)),
  'day-open-at-the-end': defect('ignores text after the date in the argument day')
    .breaks('content-requests.day-anchored-refused')
    .by(reads('day', (day) => day.replace(/^(\d{4}-\d{2}-\d{2}).*$/, '$1'))),
  'day-open-at-the-start': defect('ignores text before the date in the argument day')
    .breaks('content-requests.day-anchored-refused')
    .by(reads('day', (day) => day.replace(/^.*(\d{4}-\d{2}-\d{2})$/, '$1'))),
  'day-trimmed': defect('ignores spaces around a day')
    .breaks('content-requests.day-anchored-refused')
    .by(reads('day', (day) => day.trim())),
  'day-out-of-a-time': defect('accepts a date with a time as the day')
    .breaks('content-requests.day-anchored-refused')
    .by(reads('day', (day) => day.replace(/T.*$/, ''))),
  'day-by-number': defect('accepts a number as the day')
    .breaks('content-requests.day-wrong-type-refused')
    .by(reading('day', (day) => (typeof day === 'number' ? '2027-01-05' : day))),
  'day-null-is-today': defect('accepts null as the day')
    .breaks('content-requests.day-missing-refused')
    .by(reading('day', (day) => (day === null ? '2027-01-05' : day))),
  'shortest-title-refused': defect(`requires titles of at least ${limits.title.least + 1} characters`)
    .breaks('content-requests.title-shortest')
    .by(refusing('title', (title) => String(title ?? 'none').length <= limits.title.least, tool)),
  'longest-title-refused': defect(`refuses a title of ${limits.title.most} characters`)
    .breaks('content-requests.title-longest')
    .by(refusing('title', (title) => String(title ?? 'none').length >= limits.title.most, tool)),
  'empty-title-is-none': defect('treats an empty title as omitted')
    .breaks('content-requests.title-empty-refused')
    .by(ignoring('title', (title) => title === '', tool)),
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
  'title-by-number': defect('accepts a number as the title')
    .breaks('content-requests.title-wrong-type-refused')
    .by(byNumber('title', tool)),
  'title-by-boolean': defect('accepts a boolean as the title')
    .breaks('content-requests.title-wrong-type-refused')
    .by(reading('title', (title) => (typeof title === 'boolean' ? 'Yes' : title))),
  'title-out-of-a-list': defect('accepts an array as the title and joins its elements')
    .breaks('content-requests.title-wrong-type-refused')
    .by(outOfList('title', tool)),
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
  'time-of-day-accepted': defect('accepts the unknown property time in a content request')
    .breaks('content-requests.unknown-property-refused')
    .by(ignoring('time', () => true, tool)),
  'unknown-properties-ignored-of-untitled': defect('ignores unknown properties of a content request that has no title')
    .breaks('content-requests.unknown-property-refused')
    .by(overlooking((_name, _value, { title }) => title === undefined)),
  'unknown-properties-ignored-without-workspace': defect(
    'ignores unknown properties of a content request that names no workspace',
  )
    .breaks('content-requests.unknown-property-refused')
    .by(overlooking((_name, _value, { workspace }) => workspace === undefined)),
  'unknown-null-ignored': defect('ignores unknown properties of a content request if their value is null')
    .breaks('content-requests.unknown-property-refused')
    .by(overlooking((_, value) => value === null)),
  'properties-of-objects-ignored': defect(
    'ignores unknown properties with a built-in property name of JavaScript objects, such as constructor',
  )
    .breaks('content-requests.unknown-property-refused')
    .by(overlooking((name) => name in {})),
  'confirmation-id-ignored-by-create': defect('ignores the unknown property confirmation_id in a content request')
    .breaks('content-requests.unknown-property-refused')
    .by(overlooking((name) => name === 'confirmation_id')),
  'unknown-property-not-named': defect('refuses unknown properties without naming them')
    .breaks('content-requests.unknown-property-refused', 'arguments.all-fields-named')
    .by(
      changing(
        both(refused, ({ body }) => JSON.stringify(body.issues).includes('nrecognized')),
        each('issues', () => ({ path: '', message: 'some properties are not allowed' })),
      ),
    ),
  'create-empty-workspace-is-none': defect('treats an empty workspace of content.create_request as omitted')
    .breaks(
      'content-requests.workspace-empty-refused',
      'workspaces.argument-honoured',
      'workspaces.source-call-override',
    )
    .by(ignoring('workspace', (value) => value === '', tool)),
  'create-workspace-out-of-a-number': defect('ignores a numeric workspace in content.create_request')
    .breaks('content-requests.workspace-wrong-type-refused')
    .by(ignoring('workspace', (value) => typeof value === 'number', tool)),
  'create-unknown-workspace-falls-back': defect(
    'creates a content request in the default workspace if the requested workspace does not exist',
  )
    .breaks(
      'content-requests.workspace-unknown-refused',
      'workspaces.argument-honoured',
      'workspaces.source-call-override',
    )
    .by(toDefault(tool, namingUnknown)),
  'create-in-foreign-workspace': defect('lets a key create content requests in the workspaces of any account')
    .breaks('content-requests.workspace-unreachable-refused', 'workspaces.unreachable-within-account')
    .by(openTo(tool)),
  'title-false-is-none': defect('treats title: false like an omitted title')
    .breaks('content-requests.title-wrong-type-refused')
    .by(ignoring('title', (title) => title === false, tool)),
  'day-of-a-five-digit-year': defect('accepts a day with a five-digit year')
    .breaks('content-requests.day-anchored-refused')
    .by(reads('day', (day) => day.replace(/^\d(\d{4}-\d{2}-\d{2})$/, '$1'))),
  'private-properties-ignored': defect('ignores unknown properties whose names start with _ or x-')
    .breaks('content-requests.unknown-property-refused')
    .by(overlooking((name) => /^(_|x-)/.test(name))),
};
