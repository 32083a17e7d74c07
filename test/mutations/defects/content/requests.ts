import { limits } from '../../../../fixtures/contract/limits.ts';
import { type Deviation, defect } from '../../../../stub/variants/defect.ts';
import {
  afterTool,
  aroundTool,
  type Change,
  changing,
  field,
  fields,
  result,
  type When,
} from '../../changes/responses.ts';
import { converting, ignoring, refusing, taking, toDefault } from '../../changes/steps.ts';

const tool = 'content.create_request';
const created = result(tool);

const telling = (...changes: readonly Change[]): Deviation => changing(created, ...changes);
const noSlot: When = (response, call) => created(response, call) && response.body.filled_planned_slot === false;

const reading = (name: string, convert: (value: unknown) => unknown): Deviation => converting(name, convert, tool);
const reads = (name: string, convert: (text: string) => string): Deviation =>
  reading(name, (value) => (typeof value === 'string' ? convert(value) : value));
const notKnowing = (...formats: readonly unknown[]): Deviation =>
  refusing('format', (value) => formats.includes(value), tool);

/** Defects in the arguments and results of content requests. */
export const requestDefects = {
  'far-days-refused': defect('refuses days that are more than a week ahead')
    .breaks(
      'content-requests.created',
      'content-requests.format-posts',
      'content-requests.format-stories',
      'content-requests.format-shorts-clips',
      'content-requests.format-long-form',
      'content-requests.format-articles',
      'content-requests.source-of-each-rung',
      'content-requests.works-in-named-workspace',
    )
    .by(refusing('day', (day, { state }) => Date.parse(String(day)) > state.clock.now() + 7 * 86_400_000, tool)),
  'equal-requests-are-one': defect('returns the piece of an earlier equal request')
    .breaks('content-requests.piece-id-new')
    .by(
      aroundTool(tool, (create) => {
        const created = new Map<string, ReturnType<typeof create>>();
        return (call) => {
          const request = JSON.stringify([call.key.secret, call.place.workspace.slug, call.args]);
          const response = created.get(request) ?? create(call);
          if (response.body.ok === true) created.set(request, response);
          return response;
        };
      }),
    ),
  'titles-compared-at-the-start': defect('returns the piece of an earlier request whose long title starts alike')
    .breaks('content-requests.piece-id-new')
    .by(
      aroundTool(tool, (create) => {
        const created = new Map<string, unknown>();
        return (call) => {
          const response = create(call);
          const { title = '' } = call.args;
          const start = JSON.stringify([call.place.workspace.slug, title.slice(0, 100)]);
          if (response.body.ok !== true || title.length < 100) return response;
          created.set(start, created.get(start) ?? response.body.piece_id);
          return { ...response, body: { ...response.body, piece_id: created.get(start) } };
        };
      }),
    ),
  'scheduled-for-left-out': defect('leaves out scheduled_for')
    .breaks('content-requests.all-fields-present')
    .by(telling(fields({ scheduled_for: undefined }))),
  'long-form-costs-a-credit': defect('charges one credit for a content request in the format long_form')
    .breaks('content-requests.spends-nothing')
    .by(
      afterTool(tool, ({ body }, { account, args }) => {
        if (body.ok === true && args.format === 'long_form') account.credits -= 1;
      }),
    ),
  'piece-id-as-number': defect('sends piece_id as a number')
    .breaks('content-requests.piece-id')
    .by((behavior) => {
      let last = 0;
      return telling(field('piece_id', () => (last += 1)))(behavior);
    }),
  'piece-id-by-day': defect('sends the same piece_id for all pieces of one day in a workspace')
    .breaks('content-requests.piece-id-new')
    .by(telling(field('piece_id', (_, { args, place }) => `${place?.workspace.content.slug}-${args.day}`))),
  'scheduled-for-in-local-time': defect('sends scheduled_for in local time, with the offset +02:00')
    .breaks('content-requests.scheduled-for-utc')
    .by(telling(field('scheduled_for', (time) => String(time).replace('Z', '+02:00')))),
  'week-block-as-number': defect('sends the number of the week as week_block_id')
    .breaks('content-requests.week-block-id')
    .by(telling(fields({ week_block_id: 27 }))),
  'filled-slot-null': defect('sends filled_planned_slot as null if the piece took no planned slot')
    .breaks('content-requests.filled-planned-slot')
    .by(changing(noSlot, fields({ filled_planned_slot: null }))),
  'created-in-the-default': defect('creates content requests in the default workspace, whatever the request names')
    .breaks(
      'content-requests.works-in-named-workspace',
      'content-requests.workspace-unknown-refused',
      'content-requests.workspace-unreachable-refused',
      'workspaces.argument-honoured',
      'workspaces.source-call-override',
    )
    .by(toDefault(tool)),
  'created-elsewhere-told-here': defect('names the default workspace in the response to a content request')
    .breaks(
      'content-requests.works-in-named-workspace',
      'workspaces.argument-honoured',
      'workspaces.working-in-agrees',
      'content-requests.stays-in-workspace',
    )
    .by(telling(field('workspace', (slug, { key }) => key?.storedDefault ?? slug))),
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
  'articles-filed-as-long-form': defect('creates a piece of the format long_form if the request names articles')
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
