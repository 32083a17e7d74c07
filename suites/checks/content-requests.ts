import type { Format } from '../../fixtures/contract/tools.ts';
import type { RequirementId } from '../../fixtures/requirements/index.ts';
import type { Role } from '../../fixtures/roles.ts';
import { check } from '../check.ts';
import type { Args, Context } from '../engine/context.ts';
import { type Answered, body, header, isRefusal, isSuccess } from '../exchange.ts';
import { succeeds } from '../expect/answers.ts';
import { allDifferent, fieldFits, fieldIs, fieldIsText } from '../expect/fields.ts';
import { invalidField, type NamedBy } from '../expect/issues.ts';
import type { Verdict } from '../finding.ts';
import { brief, isRecord, member } from '../json.ts';
import { rule } from '../rule.ts';
import { allCreated, aRequest, controlCreated, created, marker, writes } from '../scenes/content.ts';
import { callOutOfReach, fallible, refusesWorkspace, unknownWorkspace } from './unresolved.ts';

const tool = 'content.create_request';
const schema = 'ContentCreateRequestResult';
const isCreated = (exchange: Answered) => exchange.request.tool === tool && isSuccess(exchange);

/** What holds for every result, whichever check asked for it. */
function everyResult(requirement: RequirementId, verdict: (exchange: Answered) => Verdict) {
  return rule({
    requirement,
    needs: writes,
    applies: isCreated,
    verdict,
    exercise: async (t) => [await created(t, 'posts')],
  });
}

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

const rungs = [
  ['pinned', 'key-pin'],
  ['defaulted', 'stored-default'],
  ['sole', 'sole-reachable'],
] as const satisfies readonly (readonly [Role, string])[];

const dayHint = 'a day is written YYYY-MM-DD and nothing else: anchor the pattern at both ends';
const dayless = ['tomorrow', '', '2027-1-05', '2027/01/05', '20270105', '05-01-2027'];
const typeHint = 'look at the type before the value, and convert nothing';

export const contentRequests = [
  check({
    requirement: 'content-requests.created',
    needs: writes,
    async run(t) {
      t.expect(succeeds(await created(t, 'posts'), 'a valid request for a coming day ought to succeed'));
    },
  }),
  everyResult('content-requests.all-fields-present', (exchange) => {
    const fields = [
      'piece_id',
      'format',
      'scheduled_for',
      'week_block_id',
      'filled_planned_slot',
      'workspace',
      'working_in',
    ];
    const missing = fields.filter((field) => !Object.hasOwn(body(exchange), field));
    if (missing.length === 0) return undefined;
    return {
      expected: `the fields ${fields.join(', ')}`,
      actual: `without ${missing.join(', ')}`,
      hint: 'a field that has nothing to say is null, not absent',
      exchanges: [exchange],
    };
  }),
  everyResult('content-requests.piece-id', (exchange) =>
    fieldIsText(exchange, 'piece_id', 'the id by which the piece can be found again, as a string'),
  ),
  check({
    requirement: 'content-requests.piece-id-new',
    needs: writes,
    async run(t) {
      // The last one differs from an earlier one in its title alone, which it leaves out.
      const untitled = t.once('created untitled', () => t.call(tool, aRequest(t, { title: undefined })));
      const good = [...(await allCreated(t)), await untitled].filter(
        (answer) => isSuccess(answer) && typeof body(answer).piece_id === 'string',
      );
      if (good.length < 2) t.cannot('fewer than two requests succeeded and told their piece');
      t.expect(allDifferent(good, 'piece_id', 'each request makes a piece of its own'));
    },
  }),
  everyResult('content-requests.scheduled-for-utc', (exchange) =>
    body(exchange).scheduled_for === undefined
      ? undefined
      : fieldFits(exchange, schema, 'scheduled_for', 'write the moment in UTC, such as 2027-01-05T09:00:00Z, or null'),
  ),
  everyResult('content-requests.week-block-id', (exchange) =>
    body(exchange).week_block_id === undefined
      ? undefined
      : fieldFits(
          exchange,
          schema,
          'week_block_id',
          'the id of the week block as a string, or null while none is open',
        ),
  ),
  everyResult('content-requests.filled-planned-slot', (exchange) =>
    body(exchange).filled_planned_slot === undefined
      ? undefined
      : fieldFits(exchange, schema, 'filled_planned_slot', 'true where a planned slot was taken, otherwise false'),
  ),
  everyResult('content-requests.working-in-complete', (exchange) => {
    const workingIn = member(exchange.answer.json, 'working_in');
    if (!isRecord(workingIn)) return undefined;
    const missing = ['workspace', 'source'].filter((field) => typeof workingIn[field] !== 'string');
    if (missing.length === 0) return undefined;
    return {
      expected: 'working_in with the strings workspace and source',
      actual: `working_in ${brief(workingIn)}`,
      hint: 'this tool tells in full where it worked and why there',
      exchanges: [exchange],
    };
  }),
  check({
    requirement: 'content-requests.works-in-named-workspace',
    needs: { ...writes, settings: ['otherWorkspace'] },
    async run(t) {
      const answer = await t.call(tool, { ...aRequest(t), ...t.there() });
      const hint = 'create the request in the workspace that the argument names';
      t.expect(succeeds(answer, hint) ?? fieldIs(answer, 'workspace', t.setting('otherWorkspace'), hint));
    },
  }),
  check({
    requirement: 'content-requests.source-of-each-rung',
    needs: { ...writes, roles: [] },
    async run(t) {
      const present = rungs.filter(([role]) => t.has(role));
      if (present.length === 0) {
        t.cannot('no key whose rung is certain', ...rungs.map(([role]) => ({ kind: 'role' as const, role })));
      }
      for (const [role, source] of present) {
        const args = { format: 'posts', day: t.ground.day, title: `${marker(t)} as ${role}` };
        const answer = await t.call(tool, args, { as: role });
        // What else its holder may is not known; that a workspace was resolved is.
        if (isRefusal(answer) && header(answer, 'x-service-tool-error') === 'false') continue;
        const hint = `look at how ${tool} resolves the workspace of the key in the role '${role}'`;
        const actual = member(answer.answer.json, 'working_in', 'source');
        t.expect(
          succeeds(answer, hint) ??
            (actual === source
              ? undefined
              : {
                  expected: `working_in.source "${source}"`,
                  actual: `working_in.source ${brief(actual)}`,
                  hint,
                  exchanges: [answer],
                }),
        );
      }
    },
  }),
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
    [{ format: 'reels' }, { format: 'Posts' }, { format: '' }],
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
      const wrapped = [`${day}T09:00:00Z`, `${day} `, ` ${day}`, `x${day}`, `${day}0`];
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
  invalid('content-requests.title-wrong-type-refused', 'title', 'path', typeHint, [{ title: 5 }, { title: ['x'] }]),
  check({
    requirement: 'content-requests.unknown-property-refused',
    needs: writes,
    async run(t) {
      await controlCreated(t);
      for (const property of ['tck_unknown', 'time']) {
        const answer = await t.call(tool, aRequest(t, { [property]: '09:00' }));
        t.expect(invalidField(answer, property, 'path or message', 'the request allows no properties beside its own'));
      }
    },
  }),
  invalid('content-requests.workspace-empty-refused', 'workspace', 'path', 'a slug has at least 1 character', [
    { workspace: '' },
  ]),
  invalid('content-requests.workspace-wrong-type-refused', 'workspace', 'path', typeHint, [{ workspace: 5 }]),
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
