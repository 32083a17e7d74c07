import { limits } from '../../../../fixtures/contract/limits.ts';
import { type Deviation, defect } from '../../../../stub/variants/defect.ts';
import { converting, ignoring, refusing, taking } from '../../changes/arguments.ts';

const tool = 'content.create_request';

const reading = (name: string, convert: (value: unknown) => unknown): Deviation => converting(name, convert, tool);
const reads = (name: string, convert: (text: string) => string): Deviation =>
  reading(name, (value) => (typeof value === 'string' ? convert(value) : value));
const notKnowing = (...formats: readonly unknown[]): Deviation =>
  refusing('format', (value) => formats.includes(value), tool);

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
  'stories-not-known': defect('rejects the formats stories, shorts_clips and long_form')
    .breaks(
      'content-requests.format-stories',
      'content-requests.format-shorts-clips',
      'content-requests.format-long-form',
    )
    .by(notKnowing('stories', 'shorts_clips', 'long_form')),
  'articles-filed-as-long-form': defect(
    'creates a piece of the format long_form if the request names the format articles',
  )
    .breaks('content-requests.format-articles')
    .by(reads('format', (format) => (format === 'articles' ? 'long_form' : format))),
  'format-in-any-case': defect('accepts formats in any letter case')
    .breaks('content-requests.format-unknown-refused')
    .by(reads('format', (format) => format.toLowerCase())),
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
  'shortest-title-refused': defect(`requires titles of at least ${limits.title.least + 1} characters`)
    .breaks('content-requests.title-shortest')
    .by(refusing('title', (title) => String(title ?? 'none').length <= limits.title.least, tool)),
  'longest-title-refused': defect(`refuses a title of ${limits.title.most} characters`)
    .breaks('content-requests.title-longest')
    .by(refusing('title', (title) => String(title ?? 'none').length >= limits.title.most, tool)),
  'title-over-limit-accepted': defect(`accepts a title of ${limits.title.most + 1} characters`)
    .breaks('content-requests.title-too-long-refused')
    .by(ignoring('title', (title) => typeof title === 'string' && title.length === limits.title.most + 1, tool)),
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
