import type { Requirement, Severity } from '../fixtures/requirements/model.ts';
import type { Effect, Need } from '../fixtures/side-effects.ts';
import type { Headers } from './exchange/exchange.ts';

/** Statuses of a requirement, worst first. */
export const statuses = ['failed', 'errored', 'warned', 'known-failure', 'not-tested', 'passed'] as const;

export type Status = (typeof statuses)[number];

export const verdicts = ['conformant', 'partial', 'non-conformant', 'inconclusive'] as const;
export type Verdict = (typeof verdicts)[number];

/**
 * Whether a pipeline may continue. Its policy sets the requirements that it demands and the failures that it accepts.
 */
export interface Gate {
  passed: boolean;
  /** Why the gate failed: one sentence per reason, most important first. */
  reasons: string[];
}

/** One violation. `exchanges` are IDs in `RunResult.exchanges`. */
export interface ReportedFinding {
  /** `header NAME`, `body PATH`, `response` or `exchanges`, with what the specification allows there and what was. */
  at?: string;
  want?: unknown;
  got?: unknown;
  expected: string;
  actual: string;
  hint: string;
  exchanges: number[];
  /** Exchanges that led to the first occurrence, in the order sent: the proposal of an ID, its first and second use. */
  story?: number[];
  control?: number; // the request without its error, which succeeded
  /** The kit could not repeat the story; `note` explains why. */
  unverified?: true;
  times?: number; // if there are several occurrences
  note?: string; // a second attempt had another outcome, or further findings are left out
  /** Client runs: other values of `actual` for the same rule, without duplicates. */
  alsoActual?: string[];
  /** Client runs: the scenarios with this finding, and the command that repeats the first of them. */
  scenarios?: string[];
  reproduce?: string;
}

/** Something that a test lacked, so that a report can name the option or key to add. */
export type Missing =
  | Need
  /** A command-line option, as the user types it: `--assume complete`. */
  | { kind: 'option'; option: string }
  /** Data that the deployment must contain: `a library item`. */
  | { kind: 'data'; what: string }
  /** A refusal by the service's own rule, which no request provokes reliably. */
  | { kind: 'refusal'; code: string }
  /** A fixed limit of the kit, such as the size of a response. */
  | { kind: 'limit'; what: string }
  /** A configured value that the kit cannot use; `why` is a sentence without a period. */
  | { kind: 'unusable'; why: string }
  /** Deselected by `--only` or `--skip`. */
  | { kind: 'selection' }
  /** The run ended early: it was interrupted, stopped by `--bail`, or could not reach the API. */
  | { kind: 'interruption' };

export interface RequirementResult extends Omit<Requirement, 'id'> {
  id: string;
  status: Status;
  /** Why the requirement was not tested, or why the test errored. */
  reason?: string;
  /** If the requirement was not tested: everything to add for a test. Empty if no addition helps. */
  missing?: Missing[];
  /** The requirement that must pass before this one can be tested. */
  precondition?: string;
  /** If the requirement errored, or a limit of the kit left it untested: the exchanges that show why. */
  exchanges?: number[];
  /** If the requirement passed: the exchanges that lead to and show a response as it must be. */
  witness?: number[];
  /** Set if the gate requires a test of this requirement. */
  required?: true;
  /** The entry in the list of known failures, if there is one. */
  knownFailure?: KnownFailureNote;
  findings: ReportedFinding[];
}

/** An entry of the list of known failures. `expires` is a date, YYYY-MM-DD. */
export interface KnownFailureNote {
  reason: string;
  issue: string;
  owner: string;
  expires: string;
  /** Why the entry must be removed: it has expired, or the requirement passes. */
  stale?: string;
}

/** Observed behavior of the deployment in a case that the specification leaves open. */
export interface ObservationResult {
  id: string;
  question: string;
  values: unknown[];
  exchanges: number[];
  /** True if the values differ on every run, as response times do. Comparisons of two runs ignore these values. */
  volatile?: boolean;
}

/** What a judged client did in a scenario. */
export interface ScenarioResult {
  name: string;
  /** Sentence fragment that follows "the client". */
  what: string;
  /** Null if the kit stopped the client after its time limit. With `--repeat`, of the last run. */
  exitCode: number | null;
  requests: number;
  /** Images dispatched and content requests created, lost responses included. */
  images: number;
  contentRequests: number;
  /** Rules that findings of this scenario break. */
  findings: string[];
  /** The end of the output. */
  lastLines: string[];
  /** With `--repeat`: number of runs, and of those without a finding. */
  runs?: number;
  passed?: number;
}

/** A request with its response, redacted. `role` is null if the request carried no configured key. */
export interface ReportedExchange {
  id: number;
  /** The tool named in the path, or null for another path. */
  tool: string | null;
  role: string | null;
  /** Description of the credential: `primary`, `no credential`, `primary, one letter more`. */
  credential: string;
  /** Milliseconds since the start of the run. */
  atMs: number;
  durationMs: number;
  /** How far the deployment's clock had been advanced at the time of the request; absent if it had not. */
  clockMovedMs?: number;
  /** Number of requests sent simultaneously on purpose, if more than one. */
  together?: number;
  /** The story and step of the request: `used id: present the used ID`. */
  step?: string;
  /** IDs that the request header `traceparent` carried. `url` leads to the trace, if the user gave a template. */
  trace?: { traceId: string; spanId: string; url?: string };
  request: { method: string; url: string; headers: Headers; body: string | null };
  /**
   * Null if there is no complete response; `problem` then says why. `cutAtBytes`: the body was too large to keep in
   * full.
   */
  response: { status: number; headers: Headers; body: string; cutAtBytes?: number } | null;
  problem: string | null;
  /**
   * Command that repeats the request, with keys as environment variables. Empty if the address no longer exists, as
   * after a scenario.
   */
  curl: string;
}

/** Short form of an exchange for a timeline; times are in milliseconds since the start of the run. */
export interface TimelineEntry {
  atMs: number;
  durationMs: number;
  credential: string;
  tool: string | null;
  status: number | null;
}

/** Content requests, runs and proposals that remain on the deployment after the run. */
export interface LeftBehind {
  contentRequests: { pieceId: string; workspace: string; title: string | null }[];
  runs: { runId: string; workspace: string; images: number }[];
  proposals: number;
}

/** Counts of the requests and side effects of a run. */
export interface Counts {
  requests: number;
  /** Images in the proposals that the run confirmed. */
  imagesRequested: number;
  /** Images that the responses to these confirmations report as dispatched. */
  imagesConfirmed: number;
  /** The most images that the run may have spent, regardless of the responses. */
  imagesWorstCase: number;
  contentRequestsCreated: number;
}

export interface Summary extends Counts {
  passed: number;
  failed: number;
  warned: number;
  errored: number;
  knownFailures: number;
  notTested: number;
}

/** Runs side by side, the oldest first. `notes` says why the last two are hard to compare. */
export interface Comparison {
  schemaVersion: 1;
  runs: ComparedRun[];
  causes: ComparedRow[];
  rows: ComparedRow[];
  notes: string[];
  /** The last two runs had different keys, side effects or selections. */
  otherScope?: true;
}

export interface ComparedRun extends Pick<RunResult, 'verdict' | 'complete'> {
  name: string;
  label?: string;
  startedAt: string;
  kitVersion: string;
  headline: string;
}

/** A requirement, or a cause with its first requirement. A status is null if the run does not have it. */
export interface ComparedRow {
  id: string;
  title: string;
  severity: Severity;
  statuses: (Status | null)[];
  finding?: Pick<ReportedFinding, 'expected' | 'actual'>;
}

/** Result of a run, exactly as written to `report.json`. Contains no secrets. */
export interface RunResult {
  schemaVersion: 1;
  kit: { name: string; version: string };
  /** `url`: where the specification is published, if the configuration says so. */
  document: { version: string; contractSha256: string; url?: string };
  target: {
    baseUrl: string;
    /** Value of `--label`, such as a build or commit of the deployment. */
    label?: string;
    /** Origin of the target: `url`, `stub`, `image`, `config`. */
    kind: string;
    roles: string[];
    workspaces: string[];
    allow: Effect[];
    clock: boolean;
    /** Client runs: the scenarios that the client ran in. */
    scenarios?: string[];
  };
  seed: number;
  /** Marker in the titles and briefs of this run. */
  runId: string;
  /** ISO 8601 date and time. */
  startedAt: string;
  durationMs: number;
  verdict: Verdict;
  /** Whether every requirement was tested. */
  complete: boolean;
  gate: Gate;
  /** Reasons for the verdict: one sentence each, most important first. */
  reasons: string[];
  /** Problems that affected the whole run: an unreachable target, refused keys; a spending limit. */
  trouble: string[];
  /** Choices that the kit made itself, such as the workspace. */
  notices: string[];
  interrupted: boolean;
  summary: Summary;
  requirements: RequirementResult[];
  /** Requirements that black-box tests cannot check, with the reason. */
  outsideReach: { id: string; statement: string; source: string; reason: string }[];
  observations: ObservationResult[];
  leftBehind: LeftBehind;
  /** Changes since an earlier run, if one was given. */
  baseline?: Comparison;
  exchanges: ReportedExchange[];
  timeline: TimelineEntry[];
  /** Client runs: what the client did in each scenario, the plain one first. */
  scenarios?: ScenarioResult[];
}

/** Progress events of a run. */
export type RunEvent =
  /** `requirements`: how many the run can test with its keys and permissions; `total`: how many exist. */
  | { kind: 'started'; requirements: number; total: number }
  | { kind: 'story-started' | 'story-ended'; story: string }
  | {
      kind: 'requirement-ended';
      requirement: string;
      title: string;
      status: Status;
      findings: number;
      first?: { expected: string; actual: string };
    }
  | { kind: 'waiting'; reason: string; seconds: number }
  /** Sent after each request: the requests and confirmed images so far, with their upper bounds. */
  | { kind: 'sent'; requests: number; mostRequests: number; images: number; mostImages: number }
  /** Sent for each request if the caller asked for details; `text` describes the request and its outcome. */
  | { kind: 'request'; text: string; step?: string; durationMs: number }
  | { kind: 'notice'; text: string };
