import type { Severity } from '../fixtures/requirements/model.ts';
import type { Need } from '../fixtures/requirements/need.ts';
import type { Effect } from '../fixtures/side-effects.ts';

/** How a requirement ended, worst first. */
export const statuses = ['failed', 'errored', 'warned', 'known-failure', 'not-tested', 'passed'] as const;

export type Status = (typeof statuses)[number];

/** What a run shows of the deployment. */
export const verdicts = ['conformant', 'non-conformant', 'inconclusive'] as const;
export type Verdict = (typeof verdicts)[number];

/** Whether a pipeline may go on, by its own policy: what it requires to be tested, and which failures it knows. */
export interface Gate {
  passed: boolean;
  /** Why it failed, one sentence each, the weightiest first. */
  reasons: string[];
}

export type Level = 'must' | 'should';

/** One violation of the specification. `exchanges` are ids into `RunResult.exchanges`. */
export interface ReportedFinding {
  expected: string;
  actual: string;
  hint: string;
  exchanges: number[];
  /** How often the same finding was met, when more than once. */
  times?: number;
  /** Set when a second attempt ended otherwise, and where further findings are left out. */
  note?: string;
  /** Of a client: what else came against the same rule, each once. */
  alsoActual?: string[];
  /** Of a client: the scenarios in which it was seen, and the command that runs the first of them again. */
  scenarios?: string[];
  reproduce?: string;
}

/** What was missing for a test, so that a report can name the option or key to add. */
export type Missing =
  | Need
  /** An option of the command, as it has to be given: `--assume complete`. */
  | { kind: 'option'; option: string }
  /** Something that the deployment would have to hold: `a library item`. */
  | { kind: 'data'; what: string }
  /** What the kit limits for its own sake, however it is configured: the size of a response. */
  | { kind: 'limit'; what: string }
  /** Something that is configured and cannot be used; `why` is a sentence without its full stop. */
  | { kind: 'unusable'; why: string }
  /** Left out by `--only`, `--skip` or `--shard`. */
  | { kind: 'selection' }
  /** The run ended before: it was interrupted, stopped by `--bail`, or did not reach the API. */
  | { kind: 'interruption' };

export interface RequirementResult {
  id: string;
  topic: string;
  level: Level;
  severity: Severity;
  /** The version of the kit that tested it first. */
  since: string;
  statement: string;
  /** Section and item of the specification. */
  source: string;
  /** What the kit decides where the specification leaves room. */
  ruling?: string;
  status: Status;
  /** Why it was not tested, or could not be judged. */
  reason?: string;
  /**
   * Of a requirement that was not tested: all that has to be added for a test. Empty where nothing that can be added
   * helps.
   */
  missing?: Missing[];
  /** Of a requirement that errored, or that a limit of the kit left untested: the exchanges that show why. */
  exchanges?: number[];
  /** Set where the gate demands a test of it. */
  required?: true;
  /** Set where a list of known failures names the requirement: its entry. */
  knownFailure?: KnownFailureNote;
  durationMs: number;
  findings: ReportedFinding[];
}

/** What a list of known failures says of one requirement. `expires` is a date, YYYY-MM-DD. */
export interface KnownFailureNote {
  reason: string;
  issue: string;
  owner: string;
  expires: string;
  /** Why the entry has to go, where it has: its day is past, or the requirement passes. */
  stale?: string;
}

/** What a deployment does where the specification is silent. */
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
  /**
   * Null if no complete response came; `problem` then says why. `cutAtBytes` if a body was too large to keep whole.
   */
  response: { status: number; headers: HeaderList; body: string; cutAtBytes?: number } | null;
  problem: string | null;
  /**
   * A command line that sends the same request; keys stand in it as environment variables. Empty where the address is
   * gone, as that of a scenario is.
   */
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
  /** Images of the proposals that the run confirmed. */
  imagesRequested: number;
  /** Images that run by what the responses to those confirmations say. */
  imagesConfirmed: number;
  /** Images that the run may have spent at worst, whatever the responses say. */
  imagesWorstCase: number;
  contentRequestsCreated: number;
}

/** What a run did to the deployment, counted. */
export type Counts = Pick<
  Summary,
  'requests' | 'imagesRequested' | 'imagesConfirmed' | 'imagesWorstCase' | 'contentRequestsCreated'
>;

/** What changed since an earlier run (`--baseline`). The lists hold ids of requirements, in the order of the topics. */
export interface BaselineChanges {
  baseUrl: string;
  label?: string;
  startedAt: string;
  kitVersion: string;
  /** The earlier run in one line: its verdict, and how much it tested. */
  headline: string;
  /** Passed before, failed now. */
  regressions: string[];
  /** Failed now, and not known to pass before. */
  otherFailures: string[];
  /** Failed before and now. */
  stillFailing: string[];
  fixes: string[];
  noLongerTested: string[];
  newlyTested: string[];
  /** Recommendations that only one of the two runs saw followed. */
  advice: string[];
  /** Open questions whose answers changed. */
  observations: string[];
  /** What makes the two runs hard to compare, one sentence each. */
  notes: string[];
}

/** The result of one run; `report.json` holds it as it is. No secret is in it. */
export interface RunResult {
  schemaVersion: 1;
  kit: { name: string; version: string };
  document: { version: string; contractSha256: string };
  target: {
    baseUrl: string;
    /** What `--label` says of the deployment, such as its build or commit. */
    label?: string;
    /** Where the target came from: `url`, `stub`, `image`, `config`. */
    kind: string;
    roles: string[];
    workspaces: string[];
    allow: Effect[];
    clock: boolean;
    /** Of a client: the scenarios in which it ran. */
    scenarios?: string[];
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
  /** Whether every requirement was tested. */
  complete: boolean;
  gate: Gate;
  /** Why the verdict is what it is, one sentence each, the weightiest first. */
  reasons: string[];
  /** What kept the run as a whole from a verdict: an unreachable target, refused keys, a ceiling, a missing shard. */
  trouble: string[];
  /** What the kit did on its own account, such as choosing a workspace. */
  notices: string[];
  interrupted: boolean;
  summary: Summary;
  requirements: RequirementResult[];
  /** Requirements that a black box cannot check, with the reason. */
  outsideReach: { id: string; statement: string; source: string; reason: string }[];
  observations: ObservationResult[];
  leftBehind: LeftBehind;
  /** What changed since an earlier run, where one was given. */
  baseline?: BaselineChanges;
  exchanges: ReportedExchange[];
  timeline: TimelineEntry[];
}

/** What the engine tells while it works. */
export type RunEvent =
  /** How many requirements the run can test with what it is allowed and given, of how many in all. */
  | { kind: 'started'; requirements: number; total: number }
  | { kind: 'flow-started' | 'flow-ended'; flow: string }
  | {
      kind: 'requirement-ended';
      requirement: string;
      topic: string;
      title: string;
      status: Status;
      findings: number;
      first?: { expected: string; actual: string };
    }
  | { kind: 'waiting'; reason: string; seconds: number }
  /** After each request: how many were sent, and how many images were confirmed, of how many at most. */
  | { kind: 'sent'; requests: number; mostRequests: number; images: number; mostImages: number }
  /** Where each request is told: who sent what, and what came. */
  | { kind: 'request'; text: string; durationMs: number }
  | { kind: 'notice'; text: string };
