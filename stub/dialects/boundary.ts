import { isUtf8 } from 'node:buffer';
import { argumentSchemas } from '../../fixtures/contract/arguments.ts';
import { responseHeaders } from '../../fixtures/contract/codes.ts';
import type { ToolName } from '../../fixtures/contract/tools.ts';
import type { boundaryDialects as data } from '../../fixtures/dialects/boundary.ts';
import { seededRandom } from '../../fixtures/world/seeded.ts';
import type { Call } from '../call.ts';
import {
  answering,
  type Body,
  body,
  code,
  type Deviation,
  each,
  headers,
  list,
  result,
  status,
  together,
  type When,
} from '../defects/patches.ts';
import { around } from '../defects/steps.ts';
import type { Steps } from '../rules.ts';
import { refuseField, refusingField } from './fields.ts';

const everything: When = () => true;
const invalid = code('invalid_arguments');
const failed: When = (answer) => answer.status >= 400;
const toolError = (value: string) => headers({ [responseHeaders.toolError]: value });

/** Every object in a value with one member more. */
function extended(value: unknown, extra: () => Body): unknown {
  if (Array.isArray(value)) return value.map((member) => extended(member, extra));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, extended(member, extra)] as const);
  return { ...Object.fromEntries(members), ...extra() };
}

const changingExtras: Deviation = (rules) => {
  const random = seededRandom(1);
  const some = () => random().toString(36).slice(2, 10);
  const extra = () => ({ x_seen: some() });
  return together(
    // What is made of objects and put in place of an object is one.
    answering(
      status(200),
      body((given) => extended(given, extra) as Body),
    ),
    answering(everything, (answer, call) =>
      headers({
        'x-request-id': some(),
        'x-answer': some(),
        'set-cookie': `node=${some()}; HttpOnly`,
        'ratelimit-remaining': String(Math.floor(random() * 500)),
        'server-timing': `app;dur=${(random() * 20).toFixed(1)}`,
      })(answer, call),
    ),
  )(rules);
};

const twoNodes: Deviation = (rules) => {
  const random = seededRandom(2);
  return answering(everything, (answer, call) => headers({ 'x-node': random() < 0.5 ? 'a' : 'b' })(answer, call))(
    rules,
  );
};

/** Writes the paths of issues in another way. */
const naming = (write: (path: string) => string): Deviation =>
  answering(
    invalid,
    each('issues', (issue) => ({ ...issue, path: write(String(issue.path)) })),
  );

const knownArguments = (tool: ToolName): readonly string[] => Object.keys(argumentSchemas[tool].shape);

/** Whether a name was left out of the arguments, or has no place in them. */
const absentOrUnknown = ({ tool, body: given }: Call, name: string): boolean =>
  !Object.hasOwn(given, name) || (tool !== undefined && !knownArguments(tool).includes(name));

const atParent: Deviation = answering(invalid, (answer, call) =>
  each('issues', (issue) =>
    absentOrUnknown(call, String(issue.path)) ? { path: '', message: `"${issue.path}": ${issue.message}` } : issue,
  )(answer, call),
);

/** Moves a step to the place right behind the route. */
const early =
  (name: keyof Steps): Deviation =>
  (rules) => ({ ...rules, order: ['route', name, ...rules.order.filter((step) => step !== 'route' && step !== name)] });

/** Moves a step to the place right before the first of others. */
export const rightBefore =
  (name: keyof Steps, ...others: readonly (keyof Steps)[]): Deviation =>
  (rules) => {
    const order = rules.order.filter((step) => step !== name);
    const at = order.findIndex((step) => others.includes(step));
    return { ...rules, order: order.toSpliced(at, 0, name) };
  };

const workspaceFirst = together(
  rightBefore('resolveWorkspace', 'checkArguments'),
  around('resolveWorkspace', (resolve) => (call) => {
    const { workspace } = call.body;
    // What is no slug at all is refused with the other arguments.
    if (workspace !== undefined && (typeof workspace !== 'string' || workspace === '')) return undefined;
    call.args = call.body;
    return resolve(call);
  }),
  // A stub that takes such arguments all the same has a slug by now, or none to look at.
  around('runTool', (run) => (call) => {
    const late = call.place === undefined ? call.rules.steps.resolveWorkspace(call) : undefined;
    return late ?? run(call);
  }),
);

const lenientBodies = around('readBody', (read) => (call) => {
  const given = call.request.body;
  if (given === null) return read(call);
  const text = Buffer.from(given).toString('utf8');
  const taken = text.trim() === '' ? null : isUtf8(given) ? given : Buffer.from(text);
  const copy = { ...call, request: { ...call.request, body: taken } };
  const answer = read(copy);
  call.body = copy.body;
  return answer;
});

const strictProperties = around('checkArguments', (check) => (call) => {
  const answer = check(call);
  if (answer !== undefined || call.tool === undefined) return answer;
  const known = knownArguments(call.tool);
  const unknown = Object.keys(call.body).find((name) => !known.includes(name));
  return unknown === undefined ? undefined : refuseField(call, unknown, 'not known');
});

const optional = ['title', 'workspace', 'query', 'confirmation_id'];

const nullsAreAbsent = around('readBody', (read) => (call) => {
  const answer = read(call);
  const given = Object.entries(call.body).filter(([name, value]) => value !== null || !optional.includes(name));
  call.body = Object.fromEntries(given);
  return answer;
});

/** Conforming ways to be different before a tool runs. */
export const boundaryDialects: Readonly<Record<keyof typeof data, Deviation>> = {
  'changing-extras': changingExtras,
  'two-nodes': twoNodes,
  'other-codes': (rules) => ({
    ...rules,
    codes: {
      ...rules.codes,
      unauthenticated: 'edge.who_are_you',
      platformSwitchOff: 'edge.closed_everywhere',
      withoutAccess: 'edge.not_for_you',
      noSuchTool: 'edge.nothing_here',
      workspaceUnreachable: 'desk_out_of_reach',
      itemNotFound: 'item_gone',
      insufficientCredits: 'purse_empty',
    },
  }),
  'tool-error-everywhere': together(answering(result(), toolError('false')), answering(failed, toolError('true'))),
  'invalid-arguments-at-boundary': (rules) => ({ ...rules, argumentsRefusedBy: 'boundary' }),
  'issues-as-pointers': naming((path) => `/${path}`),
  'issues-as-json-paths': naming((path) => `$.${path}`),
  'issues-in-brackets': naming((path) => `arguments['${path}']`),
  'issues-at-parent': atParent,
  'first-issue-only': answering(
    invalid,
    list('issues', (issues) => issues.slice(0, 1)),
  ),
  'unknown-tool-before-key': early('findTool'),
  'body-before-key': early('readBody'),
  'surface-last': rightBefore('surface', 'checkArguments', 'resolveWorkspace'),
  'workspace-before-arguments': workspaceFirst,
  'lenient-bodies': lenientBodies,
  'no-batch-limit': (rules) => ({ ...rules, batchLimit: Number.POSITIVE_INFINITY }),
  'tiny-batch-limit': (rules) => ({ ...rules, batchLimit: 1 }),
  'strict-properties': strictProperties,
  'nulls-are-absent': nullsAreAbsent,
  'query-required': together(
    refusingField('library.search', 'query', (value) => value === undefined, 'expected a text'),
    refusingField('knowledge.search', 'query', (value) => value === undefined, 'expected a text'),
  ),
};
