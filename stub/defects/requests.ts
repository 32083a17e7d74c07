import { formats } from '../../fixtures/contract/tools.ts';
import type { requestDefects as data } from '../../fixtures/defects/requests.ts';
import { refusal } from '../answers.ts';
import type { Call, ToolCall } from '../call.ts';
import { dayOf } from '../state/calendar.ts';
import type { KeyState } from '../state/state.ts';
import {
  answering,
  aroundTool,
  type Body,
  both,
  type Change,
  code,
  type Deviation,
  each,
  field,
  fields,
  from,
  inside,
  result,
  type When,
} from './patches.ts';
import { asked, everySlug, openTo, withoutRung } from './places.ts';
import { calls, converting, defaulting, ignoring, refusing, settling, taking } from './steps.ts';

const tool = 'content.create_request';
const created = result(tool);
const invalid = both(code('invalid_arguments'), from(tool));
const about =
  (name: string): When =>
  (answer, call) =>
    invalid(answer, call) && JSON.stringify(answer.body.issues).includes(`"${name}"`);
const asPosts = () => 'posts';
const today = ({ state }: Call): string => dayOf(state.clock.now());

/** Changes the results of content requests. */
const telling = (...changes: readonly Change[]): Deviation => answering(created, ...changes);
/** Reads one argument of content requests in another way. */
const reading = (name: string, convert: (value: unknown) => unknown): Deviation => converting(name, convert, tool);
const reads = (name: string, convert: (text: string) => string): Deviation =>
  reading(name, (value) => (typeof value === 'string' ? convert(value) : value));
const notKnowing = (format: string): Deviation => refusing('format', (value) => value === format, tool);
const noSlot: When = (answer, call) => created(answer, call) && answer.body.filled_planned_slot === false;

const toDefault = (when: (call: Call) => boolean): Deviation =>
  settling((call: Call, key: KeyState) =>
    calls(tool)(call) && key.storedDefault !== null && when(call) ? [key.storedDefault, 'stored-default'] : undefined,
  );

/** Leaves out properties that a request does not have. */
const overlooking = (when: (name: string, value: unknown, args: Body) => boolean): Deviation =>
  taking(
    (args) =>
      Object.fromEntries(
        Object.entries(args).filter(([name, value]) => own.includes(name) || !when(name, value, args)),
      ),
    tool,
  );
const own = ['format', 'day', 'title', 'workspace'];

/** Declines requests that leave the workspace to the key. */
const wantingWorkspace = (when: (call: ToolCall<typeof tool>) => boolean): Deviation =>
  aroundTool(tool, (create) => (call) => {
    if (call.args.workspace !== undefined || !when(call)) return create(call);
    return refusal('tool', { code: 'workspace_required', message: 'Name a workspace.' });
  });

/** Deviations of content requests. */
export const requestDefects: Readonly<Record<keyof typeof data, Deviation>> = {
  'far-days-refused': refusing(
    'day',
    (day, { state }) => Date.parse(String(day)) > state.clock.now() + 7 * 86_400_000,
    tool,
  ),
  'week-block-left-out': telling(fields({ week_block_id: undefined })),
  'scheduled-for-left-out': telling(fields({ scheduled_for: undefined })),
  'slot-told-only-when-filled': answering(noSlot, fields({ filled_planned_slot: undefined })),
  'piece-id-as-number': (rules) => {
    let last = 0;
    return telling(field('piece_id', () => (last += 1)))(rules);
  },
  'piece-id-empty-for-stories': telling(field('piece_id', (id, { args }) => (args.format === 'stories' ? '' : id))),
  'piece-id-by-day': telling(field('piece_id', (_, { args, place }) => `${place?.workspace.content.slug}-${args.day}`)),
  'piece-id-by-second': telling(field('piece_id', (_, { state }) => `pc_${Math.floor(state.clock.now() / 1000)}`)),
  'scheduled-for-without-zone': telling(field('scheduled_for', (time) => String(time).replace('Z', ''))),
  'scheduled-for-in-local-time': telling(field('scheduled_for', (time) => String(time).replace('Z', '+02:00'))),
  'scheduled-for-is-the-day': telling(field('scheduled_for', (time) => String(time).slice(0, 10))),
  'scheduled-for-in-seconds': telling(field('scheduled_for', (time) => Date.parse(String(time)) / 1000)),
  'week-block-as-number': telling(fields({ week_block_id: 27 })),
  'filled-slot-as-number': telling(field('filled_planned_slot', Number)),
  'filled-slot-null': answering(noSlot, fields({ filled_planned_slot: null })),
  'created-without-source': telling(inside('working_in', { source: undefined })),
  'created-without-slug': telling(inside('working_in', { workspace: undefined })),
  'created-in-the-default': toDefault(() => true),
  'created-elsewhere-told-here': telling(field('workspace', (slug, { key }) => key?.storedDefault ?? slug)),
  'pin-left-out-by-create': withoutRung('key-pin', tool),
  'default-left-out-by-create': withoutRung('stored-default', tool),
  'workspace-wanted-by-create': wantingWorkspace(() => true),
  'workspace-wanted-of-pinned-keys-by-create': wantingWorkspace(({ key }) => key.pin !== null),
  'posts-not-known': notKnowing('posts'),
  'stories-not-known': notKnowing('stories'),
  'shorts-not-known': notKnowing('shorts_clips'),
  'long-form-not-known': notKnowing('long_form'),
  'articles-not-known': notKnowing('articles'),
  'format-told-with-dash': telling(field('format', (format) => String(format).replace('_', '-'))),
  'articles-filed-as-long-form': reads('format', (format) => (format === 'articles' ? 'long_form' : format)),
  'posts-by-default': defaulting('format', asPosts, tool),
  'unknown-format-is-posts': reads('format', (format) =>
    formats.some((known) => known === format) ? format : 'posts',
  ),
  'format-in-any-case': reads('format', (format) => format.toLowerCase()),
  'format-found-in-any-object': reads('format', (format) => (format in {} ? 'posts' : format)),
  'format-in-the-singular': reads('format', (format) => (format === 'post' ? 'posts' : format)),
  'format-trimmed': reads('format', (format) => format.trim()),
  'format-with-dash': reads('format', (format) => format.replaceAll('-', '_')),
  'empty-format-is-posts': reads('format', (format) => format || 'posts'),
  'format-out-of-a-list': reading('format', (format) => (Array.isArray(format) ? format[0] : format)),
  'format-by-number': reading('format', (format) => (typeof format === 'number' ? 'posts' : format)),
  'today-by-default': defaulting('day', today, tool),
  'day-read-generously': reads('day', (day) =>
    /^\d{4}[-/]\d{1,2}[-/]\d{1,2}$/.test(day)
      ? day
          .split(/[-/]/)
          .map((part) => part.padStart(2, '0'))
          .join('-')
      : day,
  ),
  'day-without-dashes': reads('day', (day) => day.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')),
  'empty-day-is-today': taking((args, call) => (args.day === '' ? { ...args, day: today(call) } : args), tool),
  'day-in-words': taking((args, call) => (args.day === 'tomorrow' ? { ...args, day: today(call) } : args), tool),
  'day-open-at-the-end': reads('day', (day) => day.replace(/^(\d{4}-\d{2}-\d{2}).*$/, '$1')),
  'day-open-at-the-start': reads('day', (day) => day.replace(/^.*(\d{4}-\d{2}-\d{2})$/, '$1')),
  'day-trimmed': reads('day', (day) => day.trim()),
  'day-out-of-a-time': reads('day', (day) => day.replace(/T.*$/, '')),
  'day-by-number': reading('day', (day) => (typeof day === 'number' ? '2027-01-05' : day)),
  'day-null-is-today': reading('day', (day) => (day === null ? '2027-01-05' : day)),
  'title-of-1-refused': refusing('title', (title) => String(title ?? 'none').length < 2, tool),
  'title-of-200-refused': refusing('title', (title) => String(title ?? 'none').length > 199, tool),
  'empty-title-is-none': ignoring('title', (title) => title === '', tool),
  'title-of-201-accepted': ignoring('title', (title) => typeof title === 'string' && title.length === 201, tool),
  'long-title-cut': reads('title', (title) => title.slice(0, 200)),
  'title-refusal-names-no-field': answering(
    about('title'),
    each('issues', (issue) => ({ ...issue, path: 'request' })),
  ),
  'title-by-number': reading('title', (title) => (typeof title === 'number' ? String(title) : title)),
  'title-by-boolean': reading('title', (title) => (typeof title === 'boolean' ? 'Yes' : title)),
  'title-out-of-a-list': reading('title', (title) => (Array.isArray(title) ? title.join(', ') : title)),
  'unknown-properties-ignored': taking(
    ({ format, day, title, workspace }) =>
      Object.fromEntries(Object.entries({ format, day, title, workspace }).filter(([, value]) => value !== undefined)),
    tool,
  ),
  'time-of-day-accepted': ignoring('time', () => true, tool),
  'unknown-properties-ignored-of-untitled': overlooking((_name, _value, { title }) => title === undefined),
  'unknown-properties-ignored-without-workspace': overlooking(
    (_name, _value, { workspace }) => workspace === undefined,
  ),
  'unknown-null-ignored': overlooking((_, value) => value === null),
  'properties-of-objects-ignored': overlooking((name) => name in {}),
  'confirmation-id-ignored-by-create': overlooking((name) => name === 'confirmation_id'),
  'unknown-property-not-named': answering(
    both(invalid, ({ body }) => JSON.stringify(body.issues).includes('nrecognized')),
    each('issues', () => ({ path: '', message: 'some properties are not allowed' })),
  ),
  'create-empty-workspace-is-none': ignoring('workspace', (value) => value === '', tool),
  'create-workspace-out-of-a-number': ignoring('workspace', (value) => typeof value === 'number', tool),
  'create-unknown-workspace-falls-back': toDefault((call) => {
    const slug = asked(call);
    return slug !== undefined && !everySlug(call).includes(slug);
  }),
  'create-in-foreign-workspace': openTo(tool),
  'title-false-is-none': ignoring('title', (title) => title === false, tool),
  'day-of-a-five-digit-year': reads('day', (day) => day.replace(/^\d(\d{4}-\d{2}-\d{2})$/, '$1')),
  'private-properties-ignored': overlooking((name) => /^(_|x-)/.test(name)),
};
