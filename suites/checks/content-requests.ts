import type { RequirementId } from '../../fixtures/requirements/index.ts';
import type { Role } from '../../fixtures/roles.ts';
import { check } from '../check.ts';
import { type Answered, body, isSuccess } from '../exchange.ts';
import { succeeds } from '../expect/answers.ts';
import { allDifferent, fieldFits, fieldIs, fieldIsText } from '../expect/fields.ts';
import type { Finding } from '../finding.ts';
import { brief, isRecord, member } from '../json.ts';
import { rule } from '../rule.ts';
import { allCreated, aRequest, created, marker, writes } from '../scenes/content.ts';
import { isOwnRefusal, onlyWhenNamed } from '../scenes/unnamed.ts';

const tool = 'content.create_request';
const schema = 'ContentCreateRequestResult';
const isCreated = (exchange: Answered) => exchange.request.tool === tool && isSuccess(exchange);

/** What holds for every result, whichever check asked for it; or for those in which there is something to judge. */
function everyResult(
  requirement: RequirementId,
  verdict: (exchange: Answered) => Finding | undefined,
  judgeable: (exchange: Answered) => boolean = () => true,
) {
  return rule({
    requirement,
    needs: writes,
    applies: (exchange) => isCreated(exchange) && judgeable(exchange),
    verdict,
    exercise: async (t) => [await created(t, 'posts')],
  });
}

/** A field that is missing is told by the requirement which asks for all of them. */
const present = (field: string) => (exchange: Answered) => body(exchange)[field] !== undefined;

const rungs = [
  ['pinned', 'key-pin'],
  ['defaulted', 'stored-default'],
  ['sole', 'sole-reachable'],
] as const satisfies readonly (readonly [Role, string])[];

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
      const made = await allCreated(t);
      // One more that differs from the first in its title alone, which it leaves out, and one that is the same again.
      const untitled = t.once('created untitled', () => t.call(tool, aRequest(t, { title: undefined })));
      const again = t.once('created again', () => t.call(tool, made[0]?.request.args ?? aRequest(t)));
      const good = [...made, await untitled, await again].filter(
        (answer) => isSuccess(answer) && typeof body(answer).piece_id === 'string',
      );
      if (good.length < 2) t.cannot('fewer than two requests succeeded and told their piece');
      t.expect(allDifferent(good, 'piece_id', 'each request makes a piece of its own'));
    },
  }),
  everyResult(
    'content-requests.scheduled-for-utc',
    (exchange) =>
      fieldFits(exchange, schema, 'scheduled_for', 'write the moment in UTC, such as 2027-01-05T09:00:00Z, or null'),
    present('scheduled_for'),
  ),
  everyResult(
    'content-requests.week-block-id',
    (exchange) =>
      fieldFits(exchange, schema, 'week_block_id', 'the id of the week block as a string, or null while none is open'),
    present('week_block_id'),
  ),
  everyResult(
    'content-requests.filled-planned-slot',
    (exchange) =>
      fieldFits(exchange, schema, 'filled_planned_slot', 'true where a planned slot was taken, otherwise false'),
    present('filled_planned_slot'),
  ),
  everyResult(
    'content-requests.working-in-complete',
    (exchange) => {
      const workingIn = member(exchange.answer.json, 'working_in');
      const missing = ['workspace', 'source'].filter((field) => typeof member(workingIn, field) !== 'string');
      if (missing.length === 0) return undefined;
      return {
        expected: 'working_in with the strings workspace and source',
        actual: `working_in ${brief(workingIn)}`,
        hint: 'this tool tells in full where it worked and why there',
        exchanges: [exchange],
      };
    },
    (exchange) => isRecord(member(exchange.answer.json, 'working_in')),
  ),
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
      if (present.length === 0) t.lacksKeyOf('no key whose rung is certain', ...rungs.map(([role]) => role));
      const silent: Role[] = [];
      for (const [role, source] of present) {
        const args = { format: 'posts', day: t.ground.day, title: `${marker(t)} as ${role}` };
        const answer = await t.call(tool, args, { as: role });
        if (isOwnRefusal(answer)) {
          const finding = await onlyWhenNamed(t, tool, answer, role, isSuccess);
          if (finding === undefined) silent.push(role);
          t.expect(finding);
          continue;
        }
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
      if (silent.length === present.length) {
        t.cannot(`${tool} declines what these keys ask for: ${silent.join(', ')}`, {
          kind: 'data',
          what: 'a key that resolves by itself and may create content requests',
        });
      }
    },
  }),
];
