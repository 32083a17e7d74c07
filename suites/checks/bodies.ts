import type { ToolName } from '../../fixtures/contract/tools.ts';
import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { check, type Needs } from '../check.ts';
import type { Context } from '../engine/context.ts';
import { isSuccess } from '../exchange.ts';
import { boundaryError, succeeds } from '../expect/answers.ts';
import { controlCreated, writes } from '../scenes/content.ts';
import { controlProposed, proposes } from '../scenes/images.ts';
import { controlReading, controlReadings, promisedBy, readingTools } from '../scenes/reading.ts';

const malformedCode = 'tenant_api.malformed_body';
const hint = 'a body that is present has to be a JSON object: look at its type after parsing, and answer 400 otherwise';

/** Bodies that each tool is tried with: one that does not parse, and ones that parse to something else than an object. */
const telling = ['{"workspace": ', '[]', '"{}"', 'null'];
const largeArray = `[${Array.from({ length: 10_000 }, () => '0').join(',')}]`;

function refused(requirement: RequirementId, bodies: readonly string[], codes: readonly string[] = [malformedCode]) {
  return check({
    requirement,
    async run(t) {
      await controlReading(t, 'schedule.read');
      const answers = await Promise.all(bodies.map((body) => t.call('schedule.read', undefined, { body })));
      for (const answer of answers) t.expect(boundaryError(answer, 400, codes, hint));
    },
  });
}

/** The same rule on other tools: one that skips the step shows here. */
function refusedBy(
  requirement: RequirementId,
  tools: readonly ToolName[],
  needs: Needs,
  control: (t: Context) => Promise<unknown>,
) {
  return check({
    requirement,
    needs,
    async run(t) {
      await control(t);
      const calls = tools.flatMap((tool) => telling.map((body) => t.call(tool, undefined, { body })));
      for (const answer of await Promise.all(calls)) {
        t.expect(boundaryError(answer, 400, [malformedCode], `${answer.request.tool}: ${hint}`));
      }
    },
  });
}

const omittedHint = 'an omitted body stands for no arguments, as {} does';

/** A tool that needs no arguments works without a body. */
function omitted(requirement: RequirementId, tool: 'schedule.read' | 'connections.status' | 'credits.balance') {
  return check({
    requirement,
    needs: { roles: [] },
    async run(t) {
      const resolving = (['sole', 'defaulted', 'pinned'] as const).find((role) => t.has(role));
      const as = tool === 'credits.balance' && t.has('primary') ? 'primary' : (resolving ?? 'primary');
      const withBody = await t.call(tool, {}, { as });
      if (as === 'primary' && tool !== 'credits.balance' && succeeds(withBody, '') !== undefined) {
        t.lacksKeyOf('no key that resolves to a workspace by itself', 'sole', 'defaulted', 'pinned');
      }
      t.control(promisedBy[tool], succeeds(withBody, `${tool} with {} ought to succeed`));
      t.expect(succeeds(await t.call(tool, undefined, { as }), omittedHint));
    },
  });
}

export const bodies = [
  refused('bodies.not-json', [
    '{"workspace": ',
    'workspace=north',
    '{workspace: "north"}',
    '{"query": "a",}',
    '{/* none */}',
    '{} {}',
  ]),
  refused('bodies.json-string', ['"text"', '"{}"']),
  refused('bodies.json-number', ['1', '0']),
  refused('bodies.json-boolean', ['true', 'false']),
  refused('bodies.json-null', ['null']),
  refused('bodies.empty-array', ['[]']),
  refused('bodies.array-of-objects', ['[{}]', '[{"a":1}]']),
  refused('bodies.large-array', [largeArray], [malformedCode, 'tenant_mcp.batch_too_large']),
  refusedBy(
    'bodies.every-reading-tool',
    [...readingTools.filter((tool) => tool !== 'schedule.read'), 'credits.balance'],
    {},
    controlReadings,
  ),
  refusedBy('bodies.create-request', ['content.create_request'], writes, controlCreated),
  refusedBy('bodies.images-generate', ['images.generate'], proposes, controlProposed),
  omitted('bodies.omitted-schedule-read', 'schedule.read'),
  check({
    requirement: 'bodies.omitted-schedule-read',
    title: 'whatever resolves the workspace of the key',
    needs: { roles: [] },
    async run(t) {
      const roles = (['sole', 'defaulted', 'pinned'] as const).filter((role) => t.has(role));
      // The first one is tried with every tool.
      const others = roles.slice(1);
      if (others.length === 0) t.lacksKeyOf('no second key that resolves by itself', 'defaulted', 'sole', 'pinned');
      let served = 0;
      for (const as of others) {
        if (!isSuccess(await t.call('schedule.read', {}, { as }))) continue;
        served += 1;
        t.expect(succeeds(await t.call('schedule.read', undefined, { as }), omittedHint));
      }
      if (served === 0) t.cannot('schedule.read serves none of these keys with {}');
    },
  }),
  omitted('bodies.omitted-connections-status', 'connections.status'),
  omitted('bodies.omitted-credits-balance', 'credits.balance'),
];
