import { isUtf8 } from 'node:buffer';
import { fixedCodeOr } from '../../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../../fixtures/contract/headers.ts';
import { type ToolName, tools } from '../../../fixtures/contract/tools.ts';
import { seededRandom } from '../../../fixtures/world/seeded.ts';
import type { Call, Steps } from '../../server/behavior.ts';
import { refuseField } from '../changes/arguments.ts';
import { type Body, body, changing, each, headers, invalid, status, type When } from '../changes/responses.ts';
import { around, rightBefore } from '../changes/steps.ts';
import { type Deviation, together } from '../deviation.ts';
import type { Variant } from './variant.ts';

const everything: When = () => true;
const _failed: When = (response) => response.status >= 400;
const _toolError = (value: string) => headers({ [responseHeaders.toolError]: value });

/** Adds members to every object in a value. */
function extended(value: unknown, extra: () => Body): unknown {
  if (Array.isArray(value)) return value.map((member) => extended(member, extra));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, extended(member, extra)] as const);
  return { ...Object.fromEntries(members), ...extra() };
}

const changingExtras: Deviation = (behavior) => {
  const random = seededRandom(1);
  const some = () => random().toString(36).slice(2, 10);
  const extra = () => ({ x_seen: some() });
  return together(
    // The cast is safe because the body is an object.
    changing(
      status(200),
      body((given) => extended(given, extra) as Body),
    ),
    changing(everything, (response, call) =>
      headers({
        'x-request-id': some(),
        'x-response': some(),
        'set-cookie': `node=${some()}; HttpOnly`,
        'ratelimit-remaining': String(Math.floor(random() * 500)),
        'server-timing': `app;dur=${(random() * 20).toFixed(1)}`,
      })(response, call),
    ),
  )(behavior);
};

const _twoNodes: Deviation = (behavior) => {
  const random = seededRandom(2);
  return changing(everything, (response, call) => headers({ 'x-node': random() < 0.5 ? 'a' : 'b' })(response, call))(
    behavior,
  );
};

/** Changes the notation of issue paths. */
const _naming = (write: (path: string) => string): Deviation =>
  changing(
    invalid,
    each('issues', (issue) => ({ ...issue, path: write(String(issue.path)) })),
  );

const knownArguments = (tool: ToolName): readonly string[] => Object.keys(tools[tool].arguments.shape);

/** Returns whether an argument is missing or unknown. */
const absentOrUnknown = ({ tool, body: given }: Call, name: string): boolean =>
  !Object.hasOwn(given, name) || (tool !== undefined && !knownArguments(tool).includes(name));

const _atParent: Deviation = changing(invalid, (response, call) =>
  each('issues', (issue) =>
    absentOrUnknown(call, String(issue.path)) ? { path: '', message: `"${issue.path}": ${issue.message}` } : issue,
  )(response, call),
);

/** Moves a step right after the route. */
const _early =
  (name: keyof Steps): Deviation =>
  (behavior) => ({
    ...behavior,
    order: ['route', name, ...behavior.order.filter((step) => step !== 'route' && step !== name)],
  });

const _workspaceFirst = together(
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

const _lenientBodies = around('readBody', (read) => (call) => {
  const given = call.request.body;
  if (given === null) return read(call);
  const text = Buffer.from(given).toString('utf8');
  const taken = text.trim() === '' ? null : isUtf8(given) ? given : Buffer.from(text);
  const copy = { ...call, request: { ...call.request, body: taken } };
  const response = read(copy);
  call.body = copy.body;
  return response;
});

const _strictProperties = around('checkArguments', (check) => (call) => {
  const response = check(call);
  if (response !== undefined || call.tool === undefined) return response;
  const known = knownArguments(call.tool);
  const unknown = Object.keys(call.body).find((name) => !known.includes(name));
  return unknown === undefined ? undefined : refuseField(call, unknown, 'not known');
});

const optional = ['title', 'workspace', 'query', 'confirmation_id'];

const nullsAreAbsent = around('readBody', (read) => (call) => {
  const response = read(call);
  const given = Object.entries(call.body).filter(([name, value]) => value !== null || !optional.includes(name));
  call.body = Object.fromEntries(given);
  return response;
});

/** Variants of the steps before a tool runs. */
export const boundaryVariants = {
  'changing-extras': {
    what: 'adds undocumented fields and headers that are new in every response',
    room: 'only the boundary error forbids other keys',
    deviation: changingExtras,
  },
  'other-codes': {
    what: 'has other codes for 401, 403, 404, unreachable workspaces and unknown items',
    room: 'Boundary errors: codes of 401 and 404 and the other ones of 403 are not shown',
    deviation: (behavior) => ({
      ...behavior,
      codes: {
        ...behavior.codes,
        unauthenticated: fixedCodeOr('unauthenticated', 'edge.who_are_you'),
        platformSwitchOff: fixedCodeOr('platformSwitchOff', 'edge.closed_everywhere'),
        withoutAccess: fixedCodeOr('withoutAccess', 'edge.not_for_you'),
        noSuchTool: fixedCodeOr('noSuchTool', 'edge.nothing_here'),
        workspaceUnreachable: 'desk_out_of_reach',
        itemNotFound: 'item_gone',
        insufficientCredits: 'purse_empty',
      },
    }),
  },
  'nulls-are-absent': {
    what: 'treats null for an optional argument as omitted',
    room: 'Endpoints: null is not mentioned',
    deviation: nullsAreAbsent,
  },
} satisfies Readonly<Record<string, Variant>>;
