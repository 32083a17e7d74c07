import type { Role } from '../../fixtures/roles.ts';
import type { ClientRun } from '../../suites/history/history.ts';
import type { JournalEvent } from '../journal/event.ts';
import type { World } from '../worlds/world.ts';

/** A world in which something happens to a client that only a good one takes well. */
export interface Scenario {
  readonly name: string;
  /** What happens, in a sentence that goes on from "the client". */
  readonly what: string;
  readonly kind: ClientRun['kind'];
  /** Whose key the client is given as that of `primary`. */
  readonly role: Role;
  readonly variants: readonly string[];
  readonly prepare: (world: World) => void;
}

const scenario = (name: string, what: string, more: Partial<Scenario> = {}): Scenario => ({
  name,
  what,
  kind: 'other',
  role: 'primary',
  variants: [],
  prepare: () => undefined,
  ...more,
});

/** Calls of a world, as they are written down. */
const onCall = (world: World, act: (event: JournalEvent & { kind: 'exchange' }, count: number) => void): void => {
  let count = 0;
  world.watch((event) => {
    if (event.kind !== 'exchange') return;
    count += 1;
    act(event, count);
  });
};

/** Whether a client does always what it did in the plain run: it may keep things from one run to the next, or decide by chance. */
export const plainAgain: Scenario = scenario('plain again', 'is left alone once more', { kind: 'plain' });

const tooLate = 'This confirmation cannot be used any more, about 30 minutes after the proposal. Propose again.';

/** Everything that a client is tried by, the plain run first: what it does there is what it is held to elsewhere. */
export const scenarios: readonly Scenario[] = [
  scenario('plain', 'is left alone', { kind: 'plain' }),
  scenario('unknown fields', 'meets fields and headers that nobody told it of', {
    kind: 'unknown-fields',
    variants: ['changing-extras'],
  }),
  scenario('ambiguous', 'has a key that reaches several workspaces', { role: 'ambiguous' }),
  scenario('ambiguous again', 'has such a key, and the choices come in another order', { role: 'ambiguous' }),
  scenario('limited', 'meets a 429 on its first call, and on its first confirmation', {
    prepare: ({ faults }) => faults.add({ retryAfterSeconds: 2 }, { confirming: true, retryAfterSeconds: 1 }),
  }),
  scenario('expired', 'finds that it confirms too late, the first time', {
    prepare(world) {
      world.faults.add({ confirming: true, code: 'confirmation_invalid', message: tooLate });
      onCall(world, ({ fault }) => fault !== null && world.expireProposals());
    },
  }),
  scenario('refused', 'has its proposals refused with 200 and ok false', {
    prepare: ({ faults }) =>
      faults.add(
        ...Array.from({ length: 6 }, () => ({
          tool: 'images.generate' as const,
          confirming: false,
          status: 200,
          code: 'board_not_found',
          message: 'The workspace has no such board. Check it against working_in.',
        })),
      ),
  }),
  scenario('lost', 'loses the answers to its first request for content and to its first confirmation', {
    prepare: ({ faults }) =>
      faults.add({ tool: 'content.create_request', drop: 'after' }, { confirming: true, drop: 'after' }),
  }),
  scenario('closed', 'has its key revoked after two calls', {
    prepare: (world) => onCall(world, (_event, count) => count === 2 && world.switch('primary', { key: 'revoked' })),
  }),
];
