import { boundaryCodes, refusalCodes } from '../../fixtures/contract/codes.ts';
import { aboutLifetime } from '../../fixtures/contract/limits.ts';
import { type ToolName, toolNames, tools } from '../../fixtures/contract/tools.ts';
import type { Role } from '../../fixtures/roles.ts';
import type { ClientRun } from '../../suites/exchange/history.ts';
import type { Fault } from '../faults/fault.ts';
import type { JournalEvent } from '../journal/event.ts';
import type { variants } from '../variants/conforming/index.ts';
import type { World } from '../worlds/world.ts';
import type { PersonAnswers } from './person.ts';

/** A sandbox with an unusual situation that a conforming client handles. */
export interface Scenario {
  readonly name: string;
  /** Sentence fragment that follows "the client". */
  readonly what: string;
  readonly kind: ClientRun['kind'];
  /** The client gets the key of this role as its `primary` key. */
  readonly role: Role;
  readonly variants: readonly (keyof typeof variants)[];
  /** Number of IDs in the library of each workspace. */
  readonly size?: number;
  /** Only for clients that use this tool. */
  readonly tool?: ToolName;
  /** Only for clients that send at least this many requests in the plain run. */
  readonly requests?: number;
  /** Runs only with `--person approve`. In this scenario, the person answers proposals differently. */
  readonly person?: Exclude<PersonAnswers['proposals'], 'approve'>;
  /** Seconds that a conforming client waits. Scenarios run in parallel, so the longest start first. */
  readonly seconds: number;
  /** `elsewhere` is the origin of a second server. `requests` is the number of requests in the plain run. */
  readonly prepare: (world: World, elsewhere: string, requests: number) => void;
}

function scenario(name: string, what: string, more: Partial<Scenario> = {}): Scenario {
  const usual = { kind: 'other', role: 'primary', variants: [], seconds: 0, prepare: () => undefined } as const;
  return { name, what, ...usual, ...more };
}

/** Calls `act` with each recorded request and the number of requests so far. */
const onRequest = (world: World, act: (event: JournalEvent & { kind: 'exchange' }, count: number) => void): void => {
  let count = 0;
  world.watch((event) => {
    if (event.kind !== 'exchange') return;
    count += 1;
    act(event, count);
  });
};

/** Repeats a fault more often than any client retries. */
const always = (fault: Fault): Fault => ({ ...fault, times: 1000 });
const queue =
  (...faults: readonly Fault[]) =>
  (world: World): void => {
    world.faults.add(...faults);
  };

const confirmation = { confirming: true } as const;

const html =
  '<!doctype html>\n<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n';
const tooLate = `This confirmation cannot be used any more, ${aboutLifetime} after the proposal. Propose again.`;

/** Returns a refusal whose issue names an argument of the tool in a way that other output does not contain. */
const invalidArguments = (tool: ToolName) =>
  JSON.stringify({
    ok: false,
    code: refusalCodes.invalidArguments,
    message: 'The arguments do not match the schema of the tool. Fix the fields that are named.',
    issues: [{ path: `$.${Object.keys(tools[tool].arguments.shape)[0] ?? 'arguments'}`, message: 'not accepted here' }],
  });

/** Scenarios that lose the first response of a tool, so that the client cannot know whether the request took effect. */
function losing(which: Fault & { readonly tool: ToolName }, what: string): Scenario[] {
  const { tool } = which;
  const losses: readonly (readonly [name: string, does: string, loss: Fault, seconds?: number])[] = [
    ['stalled', 'waits three seconds and then loses the response to', { drop: 'after', latencyMs: 3000 }, 3],
    ['lost', 'loses the response to', { drop: 'after' }],
    ['truncated', 'receives half of the response to', { cutAtBytes: 40 }],
    ['gateway', 'receives an HTML page with 502 for', { status: 502, body: html }],
  ];
  return losses.map(([name, does, loss, seconds = 0]) =>
    scenario(`${name}-${tool}`, `${does} ${what}`, { tool, seconds, prepare: queue({ ...which, ...loss }) }),
  );
}

/**
 * Scenarios in which a tool always refuses: with a code that the specification does not define, and with
 * `invalid_arguments`.
 */
function refusing(tool: ToolName): Scenario[] {
  return [
    scenario(`refused-${tool}`, `gets a refusal of ${tool} with a code that the specification does not show`, {
      tool,
      prepare: queue(always({ tool, code: 'temporarily_frozen', message: 'This is frozen for now. Ask the owner.' })),
    }),
    scenario(`invalid-${tool}`, `gets ${refusalCodes.invalidArguments} for ${tool}`, {
      tool,
      prepare: queue(
        always({ tool, status: 200, body: invalidArguments(tool), headers: { 'content-type': 'application/json' } }),
      ),
    }),
  ];
}

/** The reference run that other scenarios are compared with. */
export const plain: Scenario = scenario('plain', 'runs without a fault', { kind: 'plain' });

/** Shows whether the client behaves the same in each run. It may keep data between runs, or be random. */
export const plainAgain: Scenario = scenario('plain-again', 'runs without a fault again', { kind: 'plain' });

const images = { tool: 'images.generate' } as const;
const expiring = { ...confirmation, code: refusalCodes.confirmationInvalid, message: tooLate };

const expire = (world: World): void => {
  world.faults.add(expiring);
  onRequest(world, ({ fault }) => fault !== null && world.expireProposals());
};

/** All scenarios except the plain ones. The first ones have no trouble, so they show what a client prints without. */
export const scenarios: readonly Scenario[] = [
  scenario('unknown-fields', 'receives unknown fields and headers', {
    kind: 'unknown-fields',
    variants: ['changing-extras'],
  }),
  scenario('other-server', 'talks to another conforming server, with a path in its base URL', {
    kind: 'other-server',
    variants: ['path-prefix', 'pretty-printed', 'with-charset', 'changing-orders', 'plus-zero', 'minimal-working-in'],
  }),
  scenario('empty', 'finds nothing, and null where the specification allows null', {
    variants: ['empty-library', 'no-hits', 'nulls', 'bare-dispatch'],
  }),
  scenario('large', 'receives large responses', { size: 400 }),
  scenario('limited', 'gets a 429 for its first request and for its first confirmation', {
    seconds: 3,
    prepare: queue({ retryAfterSeconds: 2 }, { ...confirmation, retryAfterSeconds: 1 }),
  }),
  // Longer than the cap of the AWS SDK, which waits at most 5 seconds more than its own delay of up to 1 second.
  scenario('limited-longer', 'gets a 429 that asks for eight seconds', {
    seconds: 8,
    prepare: queue({ retryAfterSeconds: 8 }),
  }),
  scenario('limited-tools', 'gets a 429 for its first request of each tool', {
    seconds: 5,
    requests: 2,
    prepare: queue(...toolNames.map((tool) => ({ tool, retryAfterSeconds: 1 }))),
  }),
  ...losing({ tool: 'content.create_request' }, 'its first content request'),
  ...losing({ ...images, confirming: true }, 'its first confirmation'),
  scenario('ambiguous', 'has a key that reaches several workspaces', { role: 'ambiguous' }),
  scenario('ambiguous-again', 'has a key that reaches several workspaces, listed in another order', {
    role: 'ambiguous',
  }),
  scenario('other-names', 'has a key that reaches several workspaces with other names', {
    role: 'otherAccount',
    prepare: (world) => world.switch('otherAccount', { storedDefault: null }),
  }),
  scenario('second-key', 'gets a 429 and also has the keys of other roles', {
    seconds: 1,
    prepare: queue({ retryAfterSeconds: 1 }),
  }),
  scenario('expired', `gets ${refusalCodes.confirmationInvalid} for its first confirmation, as if it came too late`, {
    ...images,
    prepare: expire,
  }),
  scenario('always-expired', `gets ${refusalCodes.confirmationInvalid} for each confirmation`, {
    ...images,
    prepare: queue(always(expiring)),
  }),
  scenario('refused-confirmation', 'gets a refusal of each confirmation with a code that is not in the specification', {
    ...images,
    prepare: queue(always({ ...confirmation, code: 'credits_exhausted', message: 'No credits are left. Buy some.' })),
  }),
  scenario('refused', `gets ${refusalCodes.boardNotFound} for its proposals`, {
    ...images,
    prepare: queue(
      always({
        ...images,
        confirming: false,
        status: 200,
        code: refusalCodes.boardNotFound,
        message: 'The workspace has no such board. Check it against working_in.',
      }),
    ),
  }),
  scenario('refused-everything', 'gets a refusal for every request', {
    prepare: queue(always({ code: 'account_frozen', message: 'The account is frozen for now. Ask the owner.' })),
  }),
  scenario('failed-everything', 'gets an error response with status 500 for every request', {
    prepare: queue(always({ status: 500, code: 'internal_error', message: 'Something went wrong. Try again later.' })),
  }),
  scenario('surface-disabled', 'gets a 403, because the API is switched off for its account', {
    prepare: queue(
      always({ status: 403, code: boundaryCodes.accountSwitchOff, message: 'The API is off. Ask an administrator.' }),
    ),
  }),
  scenario('truncated', 'receives half of the response to its first search', {
    tool: 'library.search',
    prepare: queue({ tool: 'library.search', cutAtBytes: 40 }),
  }),
  scenario('gateway', 'receives a 503 without a body, then an HTML page with 502', {
    prepare: queue({ status: 503, body: '' }, { status: 502, body: html }),
  }),
  scenario('redirected', 'is redirected to another address', {
    prepare: (world, elsewhere) =>
      world.faults.add(always({ status: 307, body: '', headers: { location: `${elsewhere}/moved` } })),
  }),
  scenario('closed', 'sends its first requests, then its key is revoked', {
    requests: 2,
    prepare: (world, _elsewhere, requests) => {
      const last = Math.min(2, requests - 1);
      onRequest(world, (_event, count) => count === last && world.switch('primary', { key: 'revoked' }));
    },
  }),
  scenario('denied', 'asks a person who denies its proposals', { ...images, person: 'deny' }),
  scenario('denied-after-loss', 'loses the response to its first confirmation, and its person denies a new proposal', {
    ...images,
    person: 'deny-after-fault',
    prepare: queue({ ...confirmation, drop: 'after' }),
  }),
  scenario('denied-after-expiry', 'confirms too late, and its person denies a new proposal', {
    ...images,
    person: 'deny-after-fault',
    prepare: expire,
  }),
  scenario('input-ends', 'asks a person, but its standard input ends without an answer', {
    ...images,
    person: 'no-answer',
  }),
  scenario('input-ends-ambiguous', 'must ask for a workspace, but its standard input ends without an answer', {
    role: 'ambiguous',
    person: 'no-answer',
  }),
  ...toolNames.flatMap(refusing),
];

/** Ten scenarios that show most mistakes of agents, which need long for each. */
export const agentScenarios = [
  ...['limited', 'ambiguous', 'ambiguous-again', 'expired', 'refused', 'denied', 'lost-images.generate'],
  ...['lost-content.create_request', 'refused-everything', 'closed'],
];
