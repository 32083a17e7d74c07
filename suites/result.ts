import type { Role } from '../fixtures/roles.ts';
import type { Effect } from '../fixtures/side-effects.ts';

/** How a check or a requirement ended, worst first. */
export const statuses = ['failed', 'errored', 'warned', 'known-failure', 'not-tested', 'passed'] as const;

export type Status = (typeof statuses)[number];

export type Verdict = 'conformant' | 'non-conformant' | 'inconclusive';

export type Level = 'must' | 'should';

/** One thing that is not as the document says. `exchanges` are ids into `RunResult.exchanges`. */
export interface ReportedFinding {
  expected: string;
  actual: string;
  hint: string;
  exchanges: number[];
  /** How often the same finding was met, when more than once. */
  times?: number;
  /** Set when the check was run again and ended otherwise. */
  note?: string;
}

/** What a check lacked, so that a report can name the option or key that would make it testable. */
export type Missing =
  | { kind: 'role'; role: Role }
  | { kind: 'effect'; effect: Effect }
  /** No clock that the kit can move, and `waiting` not allowed. */
  | { kind: 'clock' }
  /** A key of the configuration file, written as a path: `workspaces[1].board`. */
  | { kind: 'setting'; setting: string }
  /** An option of the command, as it has to be given: `--fuzz 24`. */
  | { kind: 'option'; option: string }
  /** Something that the deployment would have to hold: `a library item`. */
  | { kind: 'data'; what: string }
  /** What the kit limits for its own sake, however it is configured: the size of a response. */
  | { kind: 'limit'; what: string }
  /** Left out by `--only`, `--skip`, `--bail` or an interruption. */
  | { kind: 'selection' };

export interface CheckResult {
  title: string;
  status: Status;
  /** Why the check was not tested or errored. */
  reason?: string;
  /** Of a check that was not tested: everything that it lacked. */
  missing?: Missing[];
  /** Of a check that errored, or that a limit of the kit ended: the exchanges that show why. */
  exchanges?: number[];
  durationMs: number;
  findings: ReportedFinding[];
}

export interface RequirementResult {
  id: string;
  topic: string;
  level: Level;
  statement: string;
  /** Section and item of the document. */
  source: string;
  status: Status;
  reason?: string;
  /** Set where a list of known failures names the requirement: its entry. */
  knownFailure?: KnownFailureNote;
  checks: CheckResult[];
}

/** What a list of known failures says of one requirement. `expires` is a date, YYYY-MM-DD. */
export interface KnownFailureNote {
  reason: string;
  issue: string;
  owner: string;
  expires: string;
}

/** What a deployment does where the document is silent. */
export interface ObservationResult {
  id: string;
  question: string;
  values: unknown[];
  exchanges: number[];
  /** True where the values differ on every run, as answer times do: a comparison of two runs leaves them out. */
  volatile?: boolean;
}

export type HeaderList = [name: string, value: string][];

/** A request and its answer, redacted. `role` is null where no key of a role was sent. */
export interface ReportedExchange {
  id: number;
  /** The tool named in the path, or null for another path. */
  tool: string | null;
  role: string | null;
  /** What was sent as credential, in words: `primary`, `no credential`, `primary, one letter more`. */
  credential: string;
  /** Milliseconds since the start of the run. */
  atMs: number;
  durationMs: number;
  request: { method: string; url: string; headers: HeaderList; body: string | null };
  /** Null where no complete answer came; `problem` then says why. `cutAtBytes` where a body was too large to keep whole. */
  response: { status: number; headers: HeaderList; body: string; cutAtBytes?: number } | null;
  problem: string | null;
  /** A command line that sends the same request; keys stand in it as environment variables. */
  curl: string;
}

/** One exchange of the run in brief, for a timeline; times in milliseconds since the start. */
export interface TimelineEntry {
  atMs: number;
  durationMs: number;
  credential: string;
  tool: string | null;
  status: number | null;
  /** Milliseconds waited before the call was repeated, on a 429 that was not wanted. */
  waitedMs?: number;
}

/** What the run left on the deployment. */
export interface LeftBehind {
  contentRequests: { pieceId: string; workspace: string; title: string | null }[];
  runs: { runId: string; workspace: string; images: number }[];
  proposals: number;
}

export interface Summary {
  passed: number;
  failed: number;
  warned: number;
  errored: number;
  knownFailures: number;
  notTested: number;
  requests: number;
  imagesConfirmed: number;
  contentRequestsCreated: number;
}

/** The result of one run; `report.json` holds it as it is. No secret is in it. */
export interface RunResult {
  schemaVersion: 1;
  kit: { name: string; version: string };
  document: { version: string; contractSha256: string };
  target: {
    baseUrl: string;
    /** Where the target came from: `url`, `stub`, `image`, `config`. */
    kind: string;
    roles: string[];
    workspaces: string[];
    allow: Effect[];
    clock: boolean;
  };
  seed: number;
  /** Where the run was one of several that share the work: which one, from 1. */
  shard?: { index: number; of: number };
  /** Marker that titles and briefs of this run carry. */
  runId: string;
  /** ISO 8601. */
  startedAt: string;
  durationMs: number;
  verdict: Verdict;
  complete: boolean;
  /** Why the verdict is what it is, one sentence each; first the weightiest. */
  reasons: string[];
  /** What the kit did on its own account, such as choosing a workspace. */
  notices: string[];
  interrupted: boolean;
  summary: Summary;
  requirements: RequirementResult[];
  /** Requirements that a black box cannot check, with the reason. */
  outsideReach: { id: string; statement: string; source: string; reason: string }[];
  observations: ObservationResult[];
  leftBehind: LeftBehind;
  exchanges: ReportedExchange[];
  timeline: TimelineEntry[];
}

/** What the engine tells while it works. */
export type RunEvent =
  | { kind: 'started'; checks: number; notTested: number }
  | { kind: 'check-started'; requirement: string; topic: string; title: string }
  | {
      kind: 'check-ended';
      requirement: string;
      topic: string;
      title: string;
      status: Status;
      findings: number;
      first?: { expected: string; actual: string };
    }
  | { kind: 'waiting'; reason: string; seconds: number }
  | { kind: 'notice'; text: string };
