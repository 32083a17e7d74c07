import { seededRandom, shuffled } from '../../seeded/random.ts';
import type { Rung } from '../../server/behavior.ts';
import { ambiguous, body, type Change, changing, field, list, result } from '../changes/responses.ts';
import type { Deviation, Variant } from '../defect.ts';

const created = result('content.create_request');

/** Replaces the rung for the workspace argument. */
const named =
  (change: (rung: Rung) => Rung): Deviation =>
  (behavior) => ({
    ...behavior,
    rungs: behavior.rungs.map(([source, rung]) => [source, source === 'call-override' ? change(rung) : rung] as const),
  });

/** Slug without a workspace. It is refused like an inaccessible workspace. */
const nowhere = '';

const pinRefuses = named(
  (rung) => (key, asked) => (key.pin !== null && asked !== undefined && asked !== key.pin ? nowhere : rung(key, asked)),
);

const lists = ['workspaces', 'issues', 'items', 'hits', 'rows', 'pieces', 'connected', 'needs_attention', 'available'];

function backwards(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(backwards);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, backwards(member)] as const);
  return Object.fromEntries(members.reverse());
}

const changingOrders: Deviation = (behavior) => {
  const random = seededRandom(3);
  return changing(
    () => true,
    ...lists.map((name) => list(name, (members) => shuffled(members, random))),
    // The cast is safe because only the order of members changes.
    body((given) => backwards(given) as typeof given),
  )(behavior);
};

const shortWorkingIn = (more: readonly string[]): Change =>
  field('working_in', (value) =>
    typeof value !== 'object' || value === null
      ? value
      : Object.fromEntries(Object.entries(value).filter(([name]) => ['label', 'note', ...more].includes(name))),
  );

const minimalWorkingIn: Deviation = changing(
  (response, call) => result()(response, call) && !created(response, call),
  (response, call) =>
    shortWorkingIn(response.body.status === 'confirmation_required' ? ['source'] : [])(response, call),
);

/** Variants of workspaces and of content request arguments. */
export const workspaceVariants = {
  'pin-refuses': {
    what: 'refuses an argument that names another workspace than the pin',
    room: 'Authentication, item 6: the order of the ways is not shown',
    decides: 'pinned key with an argument',
    deviation: pinRefuses,
  },
  'two-choices': {
    what: 'lists two of the workspaces that an ambiguous key reaches',
    room: 'Error envelopes: "slugs the key may pass" need not be all of them',
    deviation: changing(
      ambiguous,
      list('workspaces', (slugs) => slugs.slice(0, 2)),
    ),
  },
  'changing-orders': {
    what: 'lists choices, items, hits and providers in another order in every response, and members backwards',
    room: 'no order is mentioned but that of days',
    deviation: changingOrders,
  },
  'minimal-working-in': {
    what: 'leaves workspace and source out of working_in where the specification does not require them',
    room: 'working_in object: the schedule.read sample has only label and note',
    deviation: minimalWorkingIn,
  },
} satisfies Readonly<Record<string, Variant>>;
