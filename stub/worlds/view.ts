import type { Role } from '../../fixtures/roles.ts';
import type { QueuedFault } from '../faults/queue.ts';
import type { Behavior } from '../server/behavior.ts';
import type { KeyState, RequestedPiece, Run, State } from '../server/state/state.ts';

/** An open proposal. Times are ISO 8601. */
export interface WaitingProposal {
  readonly confirmation_id: string;
  readonly request_summary: string;
  readonly workspace: string;
  readonly role: Role;
  readonly issuedAt: string;
  readonly expiresAt: string;
  /** Decision of the person, or null. */
  readonly person: 'approved' | 'denied' | null;
}

type KeyView = Readonly<Omit<KeyState, 'secret'>>;

/** The mutable state of a sandbox, without secrets. */
export interface WorldView {
  readonly now: string;
  readonly frozen: boolean;
  readonly keys: readonly KeyView[];
  readonly accounts: readonly {
    id: string;
    name: string;
    apiSwitch: boolean;
    platformSwitch: boolean;
    credits: number;
  }[];
  readonly created: readonly (RequestedPiece & { readonly workspace: string })[];
  readonly proposals: readonly WaitingProposal[];
  readonly dispatched: readonly (Omit<Run, 'at'> & { readonly at: string })[];
  /** Total credits of all dispatched runs, including deleted ones. */
  readonly charged: number;
  readonly faults: { readonly unmet: readonly QueuedFault[]; readonly met: readonly QueuedFault[] };
  /** How many items of each kind were deleted because of the memory limits. */
  readonly forgotten: State['forgotten'] & { readonly journal: number };
}

export function viewOf(state: State, behavior: Behavior): Omit<WorldView, 'faults' | 'forgotten'> {
  const iso = (ms: number): string => new Date(ms).toISOString();
  const { lifetimeSeconds } = behavior.confirmations;
  const now = state.clock.now();
  return {
    now: iso(now),
    frozen: state.clock.frozen(),
    keys: [...state.keys.values()].map(({ secret: _, ...key }) => key),
    accounts: [...state.accounts.values()].map(({ id, name, apiSwitch, platform, credits }) => {
      return { id, name, apiSwitch, platformSwitch: state.platforms.get(platform)?.apiSwitch ?? false, credits };
    }),
    created: [...state.touched()].flatMap(({ slug, requested }) =>
      requested.map((piece) => ({ ...piece, workspace: slug })),
    ),
    proposals: [...state.confirmations.values()]
      .filter(({ issuedAt }) => now - issuedAt < lifetimeSeconds * 1000)
      .map(({ id, summary, workspace, role, issuedAt, decision }) => ({
        confirmation_id: id,
        request_summary: summary,
        workspace,
        role,
        issuedAt: iso(issuedAt),
        expiresAt: iso(issuedAt + lifetimeSeconds * 1000),
        person: decision ?? null,
      })),
    dispatched: state.runs.map((run) => ({ ...run, at: iso(run.at) })),
    charged: state.tally.creditsSpent,
  };
}
