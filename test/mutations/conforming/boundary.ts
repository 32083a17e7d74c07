import { isUtf8 } from 'node:buffer';
import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../../fixtures/contract/headers.ts';
import { type ToolName, tools } from '../../../fixtures/contract/tools.ts';
import type { Call, Steps } from '../../../stub/server/behavior.ts';
import { refuseField, refusingAs } from '../../../stub/variants/changes/arguments.ts';
import { changing, each, headers, invalid, list, result, type When } from '../../../stub/variants/changes/responses.ts';
import { around, rightBefore } from '../../../stub/variants/changes/steps.ts';
import { everything } from '../../../stub/variants/conforming/boundary.ts';
import type { Variant } from '../../../stub/variants/defect.ts';
import { type Deviation, together } from '../../../stub/variants/defect.ts';
import { seededRandom } from '../../../stub/world/seeded.ts';

const failed: When = (response) => response.status >= 400;
const toolError = (value: string) => headers({ [responseHeaders.toolError]: value });

const twoNodes: Deviation = (behavior) => {
  const random = seededRandom(2);
  return changing(everything, (response, call) => headers({ 'x-node': random() < 0.5 ? 'a' : 'b' })(response, call))(
    behavior,
  );
};

/** Changes the notation of issue paths. */
const naming = (write: (path: string) => string): Deviation =>
  changing(
    invalid,
    each('issues', (issue) => ({ ...issue, path: write(String(issue.path)) })),
  );

const knownArguments = (tool: ToolName): readonly string[] => Object.keys(tools[tool].arguments.shape);

/** Returns whether an argument is missing or unknown. */
const absentOrUnknown = ({ tool, body: given }: Call, name: string): boolean =>
  !Object.hasOwn(given, name) || (tool !== undefined && !knownArguments(tool).includes(name));

const atParent: Deviation = changing(invalid, (response, call) =>
  each('issues', (issue) =>
    absentOrUnknown(call, String(issue.path)) ? { path: '', message: `"${issue.path}": ${issue.message}` } : issue,
  )(response, call),
);

/** Moves a step right after the route. */
const early =
  (name: keyof Steps): Deviation =>
  (behavior) => ({
    ...behavior,
    order: ['route', name, ...behavior.order.filter((step) => step !== 'route' && step !== name)],
  });

const workspaceFirst = together(
  rightBefore('resolveWorkspace', 'checkArguments'),
  around('resolveWorkspace', (resolve) => (call) => {
    const { workspace } = call.body;
    // The schema rejects an invalid slug later, with the other arguments.
    if (workspace !== undefined && (typeof workspace !== 'string' || workspace === '')) return undefined;
    call.args = call.body;
    return resolve(call);
  }),
  // A defect can accept an invalid slug. By now, the slug is converted or removed.
  around('runTool', (run) => (call) => {
    const late = call.place === undefined ? call.behavior.steps.resolveWorkspace(call) : undefined;
    return late ?? run(call);
  }),
);

const lenientBodies = around('readBody', (read) => (call) => {
  const given = call.request.body;
  if (given === null) return read(call);
  const text = Buffer.from(given).toString('utf8');
  const taken = text.trim() === '' ? null : isUtf8(given) ? given : Buffer.from(text);
  const copy = { ...call, request: { ...call.request, body: taken } };
  const response = read(copy);
  call.body = copy.body;
  return response;
});

const strictProperties = around('checkArguments', (check) => (call) => {
  const response = check(call);
  if (response !== undefined || call.tool === undefined) return response;
  const known = knownArguments(call.tool);
  const unknown = Object.keys(call.body).find((name) => !known.includes(name));
  return unknown === undefined ? undefined : refuseField(call, unknown, 'not known');
});

/** Variants of the steps before a tool runs. */
export const boundaryVariants = {
  'two-nodes': {
    what: 'names one of two nodes in a header of every response, at random',
    room: 'headers beside the three of the specification are not mentioned',
    deviation: twoNodes,
  },
  'tool-error-everywhere': {
    what: `sends ${responseHeaders.toolError} with every response: false with results, true with boundary errors`,
    room: 'Response headers: the header is described for refusals',
    deviation: together(changing(result(), toolError('false')), changing(failed, toolError('true'))),
  },
  'invalid-arguments-at-boundary': {
    what: `sends ${responseHeaders.toolError}: true with ${refusalCodes.invalidArguments}`,
    room: 'Response headers: who checks arguments is not said',
    deviation: (behavior) => ({ ...behavior, argumentsRefusedBy: 'boundary' }),
  },
  'issues-as-pointers': {
    what: 'names fields in issues as JSON pointers: /title',
    room: 'Error envelopes: how a path is written is not said',
    decides: 'paths of issues',
    deviation: naming((path) => `/${path}`),
  },
  'issues-as-json-paths': {
    what: 'names fields in issues as JSON paths: $.title',
    room: 'Error envelopes: how a path is written is not said',
    decides: 'paths of issues',
    deviation: naming((path) => `$.${path}`),
  },
  'issues-in-brackets': {
    what: "names fields in issues as members of the arguments: arguments['title']",
    room: 'Error envelopes: how a path is written is not said',
    decides: 'paths of issues',
    deviation: naming((path) => `arguments['${path}']`),
  },
  'issues-at-parent': {
    what: 'reports missing and unknown properties at their parent, and names them in the message',
    room: 'Error envelopes: "which fields failed and why" may be told by either',
    decides: 'paths of issues',
    deviation: atParent,
  },
  'first-issue-only': {
    what: 'names only the first invalid field',
    room: 'Tool refusals: that every bad field is named is advice',
    against: ['arguments.all-fields-named'],
    deviation: changing(
      invalid,
      list('issues', (issues) => issues.slice(0, 1)),
    ),
  },
  'unknown-tool-before-key': {
    what: 'returns 404 for an unknown tool before it checks the key',
    room: 'Boundary errors: which of several wins is not said',
    deviation: early('findTool'),
  },
  'body-before-key': {
    what: 'returns 400 for a malformed body before it checks the key',
    room: 'Boundary errors: which of several wins is not said',
    deviation: early('readBody'),
  },
  'surface-last': {
    what: 'returns 403 only after all other checks that precede the arguments',
    room: 'Boundary errors: which of several wins is not said',
    deviation: rightBefore('surface', 'checkArguments', 'resolveWorkspace'),
  },
  'workspace-before-arguments': {
    what: 'resolves the workspace before it validates the other arguments',
    room: 'Tool refusals: which of several wins is not said',
    deviation: workspaceFirst,
  },
  'lenient-bodies': {
    what: 'treats white space as no body, and replaces bytes that are not UTF-8',
    room: 'Boundary errors: neither is mentioned',
    deviation: lenientBodies,
  },
  'no-batch-limit': {
    what: 'rejects every array as malformed, however long',
    room: 'Limits: the number of messages is not shown',
    decides: 'batch limit',
    deviation: (behavior) => ({ ...behavior, batchLimit: Number.POSITIVE_INFINITY }),
  },
  'tiny-batch-limit': {
    what: 'rejects an array of two messages as too large',
    room: 'Limits: the number of messages is not shown',
    decides: 'batch limit',
    deviation: (behavior) => ({ ...behavior, batchLimit: 1 }),
  },
  'strict-properties': {
    what: 'refuses unknown properties in every tool',
    room: 'Endpoints: other properties are forbidden for content.create_request alone',
    deviation: strictProperties,
  },
  'query-required': {
    what: 'refuses searches without a query',
    room: 'library.search, knowledge.search: whether query may be left out is not said',
    deviation: refusingAs(
      'expected a text',
      'query',
      (value) => value === undefined,
      'library.search',
      'knowledge.search',
    ),
  },
} satisfies Readonly<Record<string, Variant>>;
