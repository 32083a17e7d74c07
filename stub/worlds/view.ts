import type { FaultQueue } from '../faults/queue.ts';
import type { Behavior } from '../server/behavior.ts';
import type { State } from '../server/state/state.ts';

/** The mutable state of a sandbox, without secrets. */
export type WorldView = ReturnType<typeof viewOf>;

/** Returns the state of a sandbox. Times are ISO 8601. */
export function viewOf(state: State, behavior: Behavior, faults: FaultQueue) {
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
        /** Decision of the person. */
        person: decision ?? null,
      })),
    dispatched: state.runs.map((run) => ({ ...run, at: iso(run.at) })),
    /** Total credits of all dispatched runs, including deleted ones. */
    charged: state.tally.creditsSpent,
    faults: { unmet: faults.unmet(), met: faults.met() },
  };
}
