import type { ToolName } from '../../../fixtures/contract/tools.ts';
import type { Role } from '../../../fixtures/roles.ts';

/** Whose call it was: `nobody` where no key of the stub was shown. */
export type Caller = Role | 'nobody';
/** Which tool was called: `none` for names and paths that are no tool. */
export type Called = ToolName | 'none';

/** What the stub has seen and done, for tests to prove what a client did. */
export interface Stats {
  /** Requests of a caller, of a tool, of both, or all of them. */
  readonly requests: (filter?: { readonly role?: Caller; readonly tool?: Called }) => number;
  /** Responses with this status. */
  readonly responses: (status: number) => number;
  readonly proposals: number;
  readonly runsDispatched: number;
  readonly imagesDispatched: number;
  readonly creditsSpent: number;
  readonly contentRequestsCreated: number;
}

/** The same numbers, for the stub itself to count in. */
export interface Tally extends Stats {
  readonly count: (role: Caller, tool: Called, status: number) => void;
  readonly save: () => () => void;
  proposals: number;
  runsDispatched: number;
  imagesDispatched: number;
  creditsSpent: number;
  contentRequestsCreated: number;
}

export function createTally(): Tally {
  const seen = new Map<Caller, Map<Called, number>>();
  const statuses = new Map<number, number>();
  const tally: Tally = {
    proposals: 0,
    runsDispatched: 0,
    imagesDispatched: 0,
    creditsSpent: 0,
    contentRequestsCreated: 0,
    count(role, tool, status) {
      let row = seen.get(role);
      if (row === undefined) {
        row = new Map();
        seen.set(role, row);
      }
      row.set(tool, (row.get(tool) ?? 0) + 1);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    },
    requests({ role, tool } = {}) {
      let sum = 0;
      for (const [caller, row] of seen) {
        if (role !== undefined && role !== caller) continue;
        for (const [called, times] of row) if (tool === undefined || tool === called) sum += times;
      }
      return sum;
    },
    responses: (status) => statuses.get(status) ?? 0,
    save() {
      const { proposals, runsDispatched, imagesDispatched, creditsSpent, contentRequestsCreated } = tally;
      const rows = [...seen].map(([caller, row]) => [caller, [...row]] as const);
      const answered = [...statuses];
      return () => {
        Object.assign(tally, { proposals, runsDispatched, imagesDispatched, creditsSpent, contentRequestsCreated });
        seen.clear();
        for (const [caller, row] of rows) seen.set(caller, new Map(row));
        statuses.clear();
        for (const [status, times] of answered) statuses.set(status, times);
      };
    },
  };
  return tally;
}
