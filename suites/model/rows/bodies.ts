import { boundaryCodes, quoted } from '../../../fixtures/contract/codes.ts';
import { type ToolName, toolsWithoutSideEffects } from '../../../fixtures/contract/tools.ts';
import { bodyRows } from '../../../fixtures/mutations/bodies.ts';
import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import { parsed } from '../../json.ts';
import { failure } from '../answers.ts';
import { promisedBy, type Step } from '../rule.ts';
import { malformedKinds, type Sent } from '../situation.ts';

const { malformedBody, batchTooLarge } = boundaryCodes;

const source = 'Errors, 400; What the service does, rule 1';

/** The specification does not show the largest batch, so an array of two may already be too large. */
function isBatch(body: string | null): boolean {
  const value = parsed(body);
  return Array.isArray(value) && value.length > 1;
}

/** Rows of the table of mutations with JSON values of other types. */
const otherTypes = ['body.bare-values', 'body.arrays'];

/** Names the parsers that read a body of the table of mutations as an object. */
function leniencyIn(body: string | null): string | undefined {
  const rows = Object.entries(bodyRows).filter(([id]) => !otherTypes.includes(id));
  const [id = '', row] = rows.find(([, { values }]) => values.includes(body ?? '')) ?? [];
  const what = id.replace('body.', '').replaceAll('-', ' ');
  return row && `Refuse a body that RFC 8259 does not allow (${what}). These parsers accept it: ${row.stacks}.`;
}

/** These tools refuse bodies of these kinds. */
function refused(
  id: RequirementId,
  must: string,
  tool: readonly ToolName[],
  body: readonly Sent[] = malformedKinds,
): Step {
  return {
    id,
    must,
    source,
    when: { who: ['key'], tool, body },
    answers: ({ request }) => [failure(400, isBatch(request.body) ? [malformedBody, batchTooLarge] : [malformedBody])],
    control: ({ sender, request }, seen) =>
      seen.successes.ofTool(sender.role, request.tool) || promisedBy(request.tool),
    hint: ({ request }) =>
      leniencyIn(request.body) ??
      `Check the type of the body after parsing it: ${request.tool} accepts a JSON object, or no body.`,
  };
}

const oneKind = (id: RequirementId, what: string, kind: Sent) =>
  refused(id, `The server MUST return 400 ${quoted.malformedBody} if the body is ${what}.`, ['schedule.read'], [kind]);

const allKinds = (id: RequirementId, where: string, tools: readonly ToolName[]) =>
  refused(id, `The server MUST return the documented 400 for a malformed body ${where}.`, tools);

/** `schedule.read` is sent every kind of body, the other tools some. */
export const malformedBodies: readonly Step[] = [
  oneKind('bodies.not-json', 'not JSON', 'not JSON'),
  oneKind('bodies.json-string', 'a JSON string', 'string'),
  oneKind('bodies.json-number', 'a JSON number', 'number'),
  oneKind('bodies.json-boolean', 'a JSON boolean', 'boolean'),
  oneKind('bodies.json-null', '`null`', 'null'),
  oneKind('bodies.empty-array', '`[]`', 'empty array'),
  oneKind('bodies.array-of-objects', '`[{}]`', 'array'),
  {
    ...refused(
      'bodies.large-array',
      `The server MUST return 400 ${quoted.malformedBody} or ${quoted.batchTooLarge} for a very large array.`,
      ['schedule.read'],
      ['large array'],
    ),
    source: `${source}; Limits, batch size`,
  },
  allKinds(
    'bodies.every-reading-tool',
    'on every tool that only reads',
    toolsWithoutSideEffects.filter((tool) => tool !== 'schedule.read'),
  ),
  allKinds('bodies.create-request', 'of `content.create_request`', ['content.create_request']),
  allKinds('bodies.images-generate', 'of `images.generate`', ['images.generate']),
];
