import type { ToolName } from '../../../fixtures/contract/tools.ts';
import type { Role } from '../../../fixtures/roles.ts';

/** Role of the caller; `nobody` if the request has no known key. */
type Caller = Role | 'nobody';
/** The requested tool; `none` for unknown names and paths. */
type Called = ToolName | 'none';

/** Counters that tests use to assert what a client did. */
export interface Stats {
  /** Number of requests, optionally by role and tool. */
  readonly requests: (filter?: { readonly role?: Caller; readonly tool?: Called }) => number;
  readonly responses: (status: number) => number;
  readonly proposals: number;
  readonly runsDispatched: number;
  readonly imagesDispatched: number;
  readonly creditsSpent: number;
  readonly contentRequestsCreated: number;
}

/** The writable counters behind `Stats`. */
export type Tally = { -readonly [K in keyof Stats]: Stats[K] } & {
  readonly count: (role: Caller, tool: Called, status: number) => void;
};

export function createTally(): Tally {
  const seen = new Map<string, { readonly role: Caller; readonly tool: Called; readonly times: number }>();
  const statuses = new Map<number, number>();
  const tally: Tally = {
    proposals: 0,
    runsDispatched: 0,
    imagesDispatched: 0,
    creditsSpent: 0,
    contentRequestsCreated: 0,
    count(role, tool, status) {
      const counted = seen.get(`${role} ${tool}`) ?? { role, tool, times: 0 };
      seen.set(`${role} ${tool}`, { ...counted, times: counted.times + 1 });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    },
    requests({ role, tool } = {}) {
      return [...seen.values()]
        .filter((counted) => (role ?? counted.role) === counted.role && (tool ?? counted.tool) === counted.tool)
        .reduce((sum, { times }) => sum + times, 0);
    },
    responses: (status) => statuses.get(status) ?? 0,
  };
  return tally;
}
