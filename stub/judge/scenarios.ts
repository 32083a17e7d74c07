import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { aboutLifetime } from '../../fixtures/contract/limits.ts';
import { type ToolName, toolNames } from '../../fixtures/contract/tools.ts';
import type { Role } from '../../fixtures/roles.ts';
import type { ClientRun } from '../../suites/history/history.ts';
import type { Fault } from '../faults/fault.ts';
import type { JournalEvent } from '../journal/event.ts';
import type { World } from '../worlds/world.ts';

/** A sandbox with an unusual situation that a conforming client handles. */
export interface Scenario {
  readonly name: string;
  /** Sentence fragment that follows "the client". */
  readonly what: string;
  readonly kind: ClientRun['kind'];
  /** The client gets the key of this role as its `primary` key. */
  readonly role: Role;
  readonly variants: readonly string[];
  /** Number of IDs in the library of each workspace. */
  readonly size?: number;
  /** Only for clients that use this tool. */
  readonly tool?: ToolName;
  /**
   * Runs only if the simulated person approves proposals. In this scenario, the person denies them: all of them, or
   * those after the first fault.
   */
  readonly person?: 'deny' | 'deny-after-fault';
  /** `elsewhere` is the origin of a second server. `requests` is the number of requests in the plain run. */
  readonly prepare: (world: World, elsewhere: string, requests: number) => void;
}

function scenario(name: string, what: string, more: Partial<Scenario> = {}): Scenario {
  const usual = { kind: 'other', role: 'primary', variants: [], prepare: () => undefined } as const;
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

const invalidArguments = JSON.stringify({
  ok: false,
  code: refusalCodes.invalidArguments,
  message: 'The arguments do not match the schema of the tool. Fix the fields that are named.',
  issues: [{ path: 'workspace', message: 'expected the slug of a workspace' }],
});

/** Scenarios that lose the first response of a tool, so that the client cannot know whether the request took effect. */
function losing(which: Fault & { readonly tool: ToolName }, what: string): Scenario[] {
  const { tool } = which;
  const losses: readonly (readonly [name: string, does: string, loss: Fault])[] = [
    ['stalled', 'waits three seconds and then loses the response to', { drop: 'after', latencyMs: 3000 }],
    ['lost', 'loses the response to', { drop: 'after' }],
    ['truncated', 'receives half of the response to', { cutAtBytes: 40 }],
    ['gateway', 'receives an HTML page with 502 for', { status: 502, body: html }],
  ];
  return losses.map(([name, does, loss]) =>
    scenario(`${name}-${tool}`, `${does} ${what}`, { tool, prepare: queue({ ...which, ...loss }) }),
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
        always({ tool, status: 200, body: invalidArguments, headers: { 'content-type': 'application/json' } }),
      ),
    }),
  ];
}

/** The reference run that other scenarios are compared with. */
export const plain: Scenario = scenario('plain', 'runs without a fault', { kind: 'plain' });

/** Shows whether the client behaves the same in each run. It may keep data between runs, or be random. */
export const plainAgain: Scenario = scenario('plain-again', 'runs without a fault again', { kind: 'plain' });

/** All scenarios except the plain ones. */
export const scenarios: readonly Scenario[] = [
  // Scenarios run in parallel, so the longest start first.
  scenario('limited', 'gets a 429 for its first request and for its first confirmation', {
    prepare: queue({ retryAfterSeconds: 2 }, { ...confirmation, retryAfterSeconds: 1 }),
  }),
  // Longer than the cap of the AWS SDK, which waits at most 5 seconds more than its own delay of up to 1 second.
  scenario('limited-longer', 'gets a 429 that asks for eight seconds', {
    prepare: queue({ retryAfterSeconds: 8 }),
  }),
  ...losing({ tool: 'content.create_request' }, 'its first content request'),
  ...losing({ tool: 'images.generate', confirming: true }, 'its first confirmation'),
  scenario('unknown-fields', 'receives unknown fields and headers', {
    kind: 'unknown-fields',
    variants: ['changing-extras'],
  }),
  scenario('ambiguous', 'has a key that reaches several workspaces', { role: 'ambiguous' }),
  scenario('ambiguous-again', 'has a key that reaches several workspaces, listed in another order', {
    role: 'ambiguous',
  }),
  scenario('other-names', 'has a key that reaches several workspaces with other names', {
    role: 'otherAccount',
    prepare: (world) => world.switch('otherAccount', { storedDefault: null }),
  }),
  scenario('second-key', 'gets a 429 and also has the keys of other roles', {
    prepare: queue({ retryAfterSeconds: 1 }),
  }),
  scenario('expired', `gets ${refusalCodes.confirmationInvalid} for its first confirmation, as if it came too late`, {
    prepare(world) {
      world.faults.add({ ...confirmation, code: refusalCodes.confirmationInvalid, message: tooLate });
      onRequest(world, ({ fault }) => fault !== null && world.expireProposals());
    },
  }),
  scenario('refused', `gets ${refusalCodes.boardNotFound} for its proposals`, {
    tool: 'images.generate',
    prepare: queue(
      always({
        tool: 'images.generate',
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
    prepare: (world, _elsewhere, requests) => {
      const last = Math.min(2, Math.max(1, requests - 1));
      onRequest(world, (_event, count) => count === last && world.switch('primary', { key: 'revoked' }));
    },
  }),
  scenario('large', 'receives large responses', { size: 400 }),
  scenario('denied', 'asks a person who denies its proposals', { person: 'deny' }),
  scenario('denied-after-loss', 'loses the response to its first confirmation, and its person denies a new proposal', {
    tool: 'images.generate',
    person: 'deny-after-fault',
    prepare: queue({ ...confirmation, drop: 'after' }),
  }),
  ...toolNames.flatMap(refusing),
];
