import type { Format } from '../../fixtures/contract/tools.ts';
import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { check } from '../check.ts';
import type { Args, Context } from '../engine/context.ts';
import { body, isRefusal } from '../exchange.ts';
import { succeeds } from '../expect/answers.ts';
import { fieldIs } from '../expect/fields.ts';
import { invalidField, type NamedBy } from '../expect/issues.ts';
import { aRequest, controlCreated, created, marker, writes } from '../scenes/content.ts';
import { callOutOfReach, fallible, refusesWorkspace, unknownWorkspace } from '../scenes/out-of-reach.ts';
import { typeHint } from '../scenes/wrong-type.ts';

const tool = 'content.create_request';

function accepts(requirement: RequirementId, format: Format) {
  return check({
    requirement,
    needs: writes,
    async run(t) {
      const answer = await created(t, format);
      t.expect(
        succeeds(answer, `${format} is one of the five formats`) ??
          fieldIs(answer, 'format', format, 'the result names the format that was asked for'),
      );
    },
  });
}

/** A good request but for one field, which the refusal has to name. */
function invalid(requirement: RequirementId, field: string, by: NamedBy, hint: string, changes: readonly Args[]) {
  return check({
    requirement,
    needs: writes,
    async run(t) {
      await controlCreated(t);
      const calls = changes.map((change) => t.call(tool, { ...aRequest(t), ...change }));
      for (const answer of await Promise.all(calls)) t.expect(invalidField(answer, field, by, hint));
    },
  });
}

/** A title of this many ASCII characters, recognisable where there is room for it. */
function titleOf(t: Context, length: number): string {
  return `${marker(t)} `.padEnd(length, 'x').slice(0, length);
}

function titleAccepted(requirement: RequirementId, length: number, hint: string) {
  return check({
    requirement,
    needs: writes,
    async run(t) {
      await controlCreated(t);
      t.expect(succeeds(await t.call(tool, aRequest(t, { title: titleOf(t, length) })), hint));
    },
  });
}

function titleRefused(requirement: RequirementId, length: number, hint: string) {
  return check({
    requirement,
    needs: writes,
    async run(t) {
      await controlCreated(t);
      const answer = await t.call(tool, aRequest(t, { title: titleOf(t, length) }));
      t.expect(invalidField(answer, 'title', 'path', hint));
    },
  });
}

const dayHint = 'a day is written YYYY-MM-DD and nothing else: anchor the pattern at both ends';
const dayless = ['tomorrow', '', '2027-1-05', '2027/01/05', '20270105', '05-01-2027'];

const extraHint =
  'the request allows no properties beside its own, whatever their names, their values and the rest of the call';

/** Properties that a request does not have: of nobody, of other tools, of every object; with and without a title. */
const extras: readonly { property: string; change: Args }[] = [
  { property: 'tck_unknown', change: { tck_unknown: { at: { hour: 9 } } } },
  { property: 'time', change: { time: '09:00', title: undefined } },
  { property: 'tck_unknown', change: { tck_unknown: null } },
  { property: 'confirmation_id', change: { confirmation_id: 'x' } },
  { property: 'constructor', change: { constructor: 'x' } },
  { property: '_tck', change: { _tck: 'x' } },
  { property: 'x-tck', change: { 'x-tck': 'x' } },
];

/** Arguments that are accepted, and those that are refused. */
export const contentRequestArguments = [
  accepts('content-requests.format-posts', 'posts'),
  accepts('content-requests.format-stories', 'stories'),
  accepts('content-requests.format-shorts-clips', 'shorts_clips'),
  accepts('content-requests.format-long-form', 'long_form'),
  accepts('content-requests.format-articles', 'articles'),
  invalid('content-requests.format-missing-refused', 'format', 'path or message', 'format is required', [
    { format: undefined },
  ]),
  invalid(
    'content-requests.format-unknown-refused',
    'format',
    'path',
    'only the five formats are known, as they are written',
    ['reels', 'posts_and_more', 'Posts', '', 'post', ' posts', 'long-form', 'constructor'].map((format) => ({
      format,
    })),
  ),
  invalid('content-requests.format-wrong-type-refused', 'format', 'path', typeHint, [
    { format: 5 },
    { format: ['posts'] },
  ]),
  invalid('content-requests.day-missing-refused', 'day', 'path or message', 'day is required', [
    { day: undefined },
    { day: null },
  ]),
  invalid(
    'content-requests.day-pattern-refused',
    'day',
    'path',
    dayHint,
    dayless.map((day) => ({ day })),
  ),
  check({
    requirement: 'content-requests.day-anchored-refused',
    needs: writes,
    async run(t) {
      await controlCreated(t);
      const { day } = t.ground;
      const wrapped = [`${day}T09:00:00Z`, `${day} `, ` ${day}`, `x${day}`, `1${day}`, `${day}0`];
      const calls = wrapped.map((each) => t.call(tool, { ...aRequest(t), day: each }));
      for (const answer of await Promise.all(calls)) t.expect(invalidField(answer, 'day', 'path', dayHint));
    },
  }),
  invalid('content-requests.day-wrong-type-refused', 'day', 'path', typeHint, [
    { day: 20270105 },
    { day: ['2027-01-05'] },
  ]),
  titleAccepted('content-requests.title-shortest', 1, 'a title may be a single character'),
  titleAccepted('content-requests.title-longest', 200, 'a title may be 200 characters long'),
  titleRefused(
    'content-requests.title-empty-refused',
    0,
    'an empty title is too short; an untitled piece leaves the field out',
  ),
  titleRefused('content-requests.title-too-long-refused', 201, 'the 201st character is one too many'),
  invalid('content-requests.title-wrong-type-refused', 'title', 'path', typeHint, [
    { title: 0 },
    { title: true },
    { title: false },
    { title: { text: 'x' } },
    { title: ['x'] },
  ]),
  check({
    requirement: 'content-requests.unknown-property-refused',
    needs: writes,
    async run(t) {
      await controlCreated(t);
      const calls = extras.map(({ change, property }) => ({ property, answer: t.call(tool, aRequest(t, change)) }));
      for (const { property, answer } of calls) {
        t.expect(invalidField(await answer, property, 'path or message', extraHint));
      }
      // Without a workspace: another refusal may win, such as that nothing chooses one, or that this holder creates nothing.
      const as = (['defaulted', 'sole', 'pinned'] as const).find((role) => t.has(role)) ?? 'primary';
      const { workspace: _, ...unplaced } = aRequest(t, { tck_unknown: 'x' });
      const answer = await t.call(tool, unplaced, { as });
      if (isRefusal(answer) && !isRefusal(answer, 'invalid_arguments')) return;
      t.expect(invalidField(answer, 'tck_unknown', 'path or message', extraHint));
    },
  }),
  invalid('content-requests.workspace-empty-refused', 'workspace', 'path', 'a slug has at least 1 character', [
    { workspace: '' },
  ]),
  invalid('content-requests.workspace-wrong-type-refused', 'workspace', 'path', typeHint, [{ workspace: 0 }]),
  check({
    requirement: 'content-requests.workspace-wrong-type-refused',
    title: 'A `workspace` that is a list of one slug is `invalid_arguments` naming it.',
    needs: writes,
    async run(t) {
      const { workspace } = body(await controlCreated(t));
      const answer = await t.call(tool, { ...aRequest(t), workspace: [workspace] });
      t.expect(invalidField(answer, 'workspace', 'path', typeHint));
    },
  }),
  check({
    requirement: 'content-requests.workspace-unknown-refused',
    needs: writes,
    async run(t) {
      await controlCreated(t);
      const calls = fallible(t).map((as) => callOutOfReach(t, tool, aRequest(t), unknownWorkspace(t), as));
      for (const answer of await Promise.all(calls)) {
        t.expect(refusesWorkspace(answer, 'a workspace that does not exist'));
      }
    },
  }),
  check({
    requirement: 'content-requests.workspace-unreachable-refused',
    needs: { ...writes, settings: ['otherAccountWorkspace'] },
    async run(t) {
      await controlCreated(t);
      const answer = await callOutOfReach(t, tool, aRequest(t), t.setting('otherAccountWorkspace'));
      t.expect(refusesWorkspace(answer, "another account's workspace"));
    },
  }),
];
